import { type ChildProcess, spawn } from 'node:child_process'
import type { Duplex } from 'node:stream'
import { ServiceError } from '../domain/errors.ts'
import { type LimitWatch, type Overrun, type ProcessLimits, watchLimits } from '../platform/limit-watch.ts'
import { lowerPriority } from '../platform/lower-priority.ts'
import type { processUsage } from '../platform/process-usage.ts'
import type { Pay } from '../platform/processor-time.ts'
import type { ThemeFolders } from '../theme/list-themes.ts'
import { createMessageReader } from './message-framing.ts'
import { CHANNEL, decodeReply, type RenderReply, type RenderResult, unwrapReply } from './protocol.ts'

export interface ChildOptions {
  /** The compiled `child.js`. */
  readonly entry: string
  readonly folders: ThemeFolders
  /** Folder of the token cache; absent for none. */
  readonly tokenCache?: string
  /** The digest of each theme by name. The child must have loaded the same. */
  readonly digests: ReadonlyMap<string, string>
  /** Limits for one page. */
  readonly limits: ProcessLimits
  /** Reads the resources used by a process. */
  readonly usageOf?: typeof processUsage
}

/** A child process that renders pages one after the other, in the order of the requests. */
export interface RenderChild {
  /** False once it has ended. */
  isUsable(): boolean
  /**
   * @param request a packed `RenderRequest`.
   * @param pay called with the processor time of the page, whether it was rendered or rejected.
   * @returns the result, its files separate; null if the child ended because of an earlier request.
   * @throws {ServiceError} the method's own error; `validation_error` if the page exceeded a limit or
   *   `internal_error` if the machine was too busy. In the last two cases the child has ended.
   */
  ask(request: Uint8Array, pay: Pay): Promise<RenderResult | null>
  /** Resolves when the process has ended. */
  end(): Promise<void>
}

/** A child that uses more than this share of its memory limit is replaced, to release the memory. */
const REUSE_SHARE = 0.5
/** Share of V8's heap. The rest is for buffers outside it and native parsers. */
const HEAP_SHARE = 0.5

type Waiter = { resolve(message: readonly Buffer[]): void; reject(error: Error): void }

export function startRenderChild(options: ChildOptions): RenderChild {
  const { limits, folders, tokenCache = '', usageOf } = options
  const { themes, templates, custom = [] } = folders
  const flags = [
    `--max-old-space-size=${Math.floor((limits.memory * HEAP_SHARE) / 2 ** 20)}`,
    // Garbage collection threads would take processors from requests.
    '--single-threaded-gc',
  ]
  const program = [options.entry, String(themes), String(templates), tokenCache, ...custom]
  const child = spawn(process.execPath, [...flags, ...program], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    // Keeps the service's secrets out of the child.
    env: {},
  })
  /** In the order of the requests. */
  const waiting: Waiter[] = []
  let limitWatch: LimitWatch | null = null
  let overrun: ServiceError | null = null
  let usable = true
  /** True if the child was killed after it answered a page, so that no waiting page is the cause. */
  let killedAfterReply = false
  const ended = new Promise<void>((resolve) => {
    // `close` comes after all output was read.
    child.once('close', (code, signal) => {
      rejectWaiting(`${signal ?? `code ${code}`}`)
      resolve()
    })
    // The process could not be started, or not be signalled. `close` follows only if there was a process.
    child.once('error', (error) => {
      rejectWaiting(error.message)
      child.kill('SIGKILL')
      if (child.pid === undefined) resolve()
    })
  })
  // Undefined if the system has no file descriptor left; `error` follows.
  const channel = (child.stdio as ChildProcess['stdio'] | undefined)?.[CHANNEL] as Duplex | undefined
  const reader = createMessageReader()
  channel?.on('data', (chunk: Buffer) => reader.add(chunk).forEach(deliver))
  // The channel breaks when the child ends, which `close` reports.
  channel?.on('error', () => {})
  const ready = receive().then((first) => assertSameThemes(first, options.digests))
  // Reported by the first request.
  ready.catch(() => {})
  lowerPriority(child)

  return {
    isUsable: () => usable,

    async ask(request, pay) {
      await assertStarted(ready)
      try {
        channel?.write(request)
        const received = receive()
        if (waiting.length === 1) limitWatch = watch()
        const reply = await received
        if ('processorMs' in reply) pay(reply.processorMs ?? 0)
        return unwrapReply(reply)
      } catch (error) {
        if (!(error instanceof ChildEnded)) throw error
        if (!error.isCause) return null
        // Charges the full CPU limit of a page, except if the machine was too busy to run it.
        if (overrun?.name !== 'internal_error') pay(limits.cpuMs)
        throw overrun ?? tooComplex('needs too much memory')
      }
    },

    async end() {
      kill()
      await ended
    },
  }

  /** Resolves the oldest request with this reply. */
  function deliver(message: readonly Buffer[]): void {
    waiting.shift()?.resolve(message)
    const memory = limitWatch?.stop() ?? 0
    // After a page that used much memory.
    if (memory > limits.memory * REUSE_SHARE) kill()
    killedAfterReply = !usable
    limitWatch = waiting.length === 0 ? null : watch()
  }

  function rejectWaiting(why: string): void {
    usable = false
    limitWatch?.stop()
    for (const [index, { reject }] of waiting.splice(0).entries())
      reject(new ChildEnded(why, index === 0 && !killedAfterReply))
  }

  function kill(): void {
    usable = false
    child.kill('SIGKILL')
  }

  async function receive(): Promise<RenderReply<RenderResult>> {
    const message = new Promise<readonly Buffer[]>((resolve, reject) => {
      if (usable) waiting.push({ resolve, reject })
      else reject(new ChildEnded('it had ended', false))
    })
    return decodeReply(await message)
  }

  /** Ends the child when the page exceeds a limit. */
  function watch(): LimitWatch {
    const onOverrun = (exceeded: Overrun) => {
      overrun ??= overrunError(exceeded, limits)
      kill()
    }
    return watchLimits(child.pid, limits, onOverrun, usageOf)
  }
}

/** The process has ended: killed, or because of its work. */
class ChildEnded extends Error {
  /** True if this request is the cause. */
  readonly isCause: boolean

  constructor(why: string, isOver: boolean) {
    super(why)
    this.isCause = isOver
  }
}

function overrunError(overrun: Overrun, { cpuMs, wallMs }: ProcessLimits): ServiceError {
  if (overrun === 'busy') return tooBusy()
  if (overrun === 'memory') return tooComplex('needs too much memory')
  if (overrun === 'cpu') return tooComplex(`takes more than ${cpuMs / 1000} s of computing`)
  return tooComplex(`takes more than ${wallMs / 1000} s`)
}

function tooComplex(why: string): ServiceError {
  return new ServiceError(
    'validation_error',
    `The page is too complex to render: it ${why}. Make it simpler, or split it.`,
  )
}

/** The page used less CPU time than it may: the machine is overloaded. */
function tooBusy(): ServiceError {
  return new ServiceError(
    'internal_error',
    'The server was too busy to render the page in time. Nothing changed on the site; try again.',
  )
}

async function assertStarted(ready: Promise<void>): Promise<void> {
  try {
    await ready
  } catch (error) {
    if (!(error instanceof ChildEnded)) throw error
    throw new Error(`A renderer could not be started (${error.message}).`)
  }
}

/** @throws {Error} when a theme was changed on disk since the service started. */
function assertSameThemes(first: RenderReply, digests: ReadonlyMap<string, string>): void {
  const loaded = new Map('ready' in first ? first.ready : [])
  for (const [name, digest] of digests) {
    if (loaded.get(name) !== digest)
      throw new Error(`The theme ${name} changed since the service started. Restart the service.`)
  }
}
