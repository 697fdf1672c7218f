import { fork } from 'node:child_process'
import { join } from 'node:path'
import { type ServiceError, UnavailableError } from '../domain/errors.ts'
import { type LimitWatch, type Overrun, type ProcessLimits, watchLimits } from '../platform/limit-watch.ts'
import { lowerPriority } from '../platform/lower-priority.ts'
import type { processUsage } from '../platform/process-usage.ts'
import type { Pay } from '../platform/processor-time.ts'
import { unwrapReply } from '../platform/reply.ts'
import { badImage } from './image-error.ts'
import type { ImageMessage, ImageRequest, ImageResult } from './protocol.ts'
import { FONT_FOLDER } from './social-card.ts'

export interface ImageChildOptions {
  /** The compiled `child.js`. */
  readonly entry: string
  readonly limits: Readonly<Record<ImageRequest['call'], ProcessLimits>>
  /** True if the user waits for the work. Its priority is then not lowered. */
  readonly isForeground?: boolean
  /** Reads the resources used by a process. */
  readonly usageOf?: typeof processUsage
}

/** A child process that does one thing at a time. */
export interface ImageChild {
  /** The reason why it does not decode; null if it does. Rejects if it could not be started. */
  readonly ready: Promise<string | null>
  /** False once it has ended. */
  isUsable(): boolean
  /** @param pay called with the processor time of the work, also of rejected work. */
  ask(request: ImageRequest, pay: Pay): Promise<ImageResult>
  /** Lets this process end although the child waits for work. */
  unref(): void
  ref(): void
  /** Resolves when the process has ended. */
  end(): Promise<void>
}

/** A child that uses more than this is replaced, to release the memory. In bytes. */
const REUSE_MEMORY = 256 * 2 ** 20
const HEAP_MB = 256
/** Costly images of others end within some seconds. */
const RETRY_AFTER_S = 10
/** Less memory stays with the allocator between images of different sizes. */
const ENVIRONMENT = {
  // Read by fontconfig: system fonts would draw different images on each machine.
  FONTCONFIG_FILE: join(FONT_FOLDER, 'fonts.conf'),
  MALLOC_ARENA_MAX: '2',
}

export function startImageChild({ entry, limits, isForeground, usageOf }: ImageChildOptions): ImageChild {
  const child = fork(entry, [], {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    // Keeps the service's secrets out of the child.
    env: ENVIRONMENT,
    execArgv: [`--max-old-space-size=${HEAP_MB}`, '--single-threaded-gc'],
  })
  let usable = true
  /** True if the caller has ended the child: its work is then not the cause. */
  let isEnded = false
  let overrun: Overrun | null = null
  let waiting: { resolve(message: ImageMessage): void; reject(error: Error): void } | null = null
  const ended = new Promise<void>((resolve) => {
    child.once('exit', (code, signal) => {
      fail(`${signal ?? `code ${code}`}`)
      resolve()
    })
    child.once('error', (error) => {
      fail(error.message)
      child.kill('SIGKILL')
      if (child.pid === undefined) resolve()
    })
  })
  child.on('message', (message: ImageMessage) => {
    waiting?.resolve(message)
    waiting = null
  })
  const ready = receive().then(
    (message) => ('ready' in message ? message.ready.reason : null),
    (error: Error) => {
      throw new Error(`The process that reads pictures could not be started (${error.message}).`)
    },
  )
  // Reported by the first request.
  ready.catch(() => {})
  if (!isForeground) lowerPriority(child)

  return {
    ready,
    isUsable: () => usable,
    async ask(request, pay) {
      await ready
      const watch = watchFor(request)
      try {
        const received = receive()
        child.send(request)
        const reply = (await received) as Exclude<ImageMessage, { ready: unknown }>
        pay(reply.processorMs)
        return unwrapReply(reply, 'process that reads pictures')
      } catch (error) {
        if (!(error instanceof ChildEnded) || isEnded) throw error
        if (overrun !== 'busy') pay(limits[request.call].cpuMs)
        throw overrun === null ? tooCostly('memory', request) : tooCostly(overrun, request)
      } finally {
        if ((watch.stop() ?? 0) > REUSE_MEMORY) kill()
      }
    },
    unref() {
      child.unref()
      child.channel?.unref()
    },
    ref() {
      child.ref()
      child.channel?.ref()
    },
    async end() {
      isEnded = true
      // Otherwise this process would end first, while it waits.
      child.ref()
      kill()
      await ended
    },
  }

  function receive(): Promise<ImageMessage> {
    return new Promise((resolve, reject) => {
      if (usable) waiting = { resolve, reject }
      else reject(new ChildEnded('it had ended'))
    })
  }

  function watchFor({ call }: ImageRequest): LimitWatch {
    const onOverrun = (exceeded: Overrun) => {
      overrun = exceeded
      kill()
    }
    return watchLimits(child.pid, limits[call], onOverrun, usageOf)
  }

  function fail(why: string): void {
    usable = false
    waiting?.reject(new ChildEnded(why))
    waiting = null
  }

  function kill(): void {
    usable = false
    child.kill('SIGKILL')
  }

  function tooCostly(exceeded: Overrun, { call }: ImageRequest): ServiceError {
    if (exceeded === 'busy')
      return new UnavailableError(
        'The server was too busy to read the picture in time. Try again.',
        RETRY_AFTER_S,
      )
    const { cpuMs, wallMs } = limits[call]
    const why = {
      memory: 'needs too much memory',
      cpu: `takes more than ${cpuMs / 1000} s of computing`,
      wall: `takes more than ${wallMs / 1000} s`,
    }[exceeded]
    return badImage(`The picture is too costly to decode: it ${why}. Save it smaller, and not progressive.`)
  }
}

/** The process has ended: killed, or because of its work. */
class ChildEnded extends Error {}
