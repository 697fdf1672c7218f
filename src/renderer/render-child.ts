import { type ChildProcess, spawn } from 'node:child_process'
import { setPriority } from 'node:os'
import { performance } from 'node:perf_hooks'
import type { Duplex } from 'node:stream'
import { ServiceError } from '../domain/errors.ts'
import type { ThemeFolders } from '../theme/list-themes.ts'
import { createMessageReader } from './message-framing.ts'
import { type ProcessUsage, processUsage } from './process-usage.ts'
import { CHANNEL, decodeReply, type RenderReply, type RenderResult, unwrapReply } from './protocol.ts'

/** What one page may cost. */
export interface RenderLimits {
  /** CPU time, in milliseconds; counted from the first look on. */
  readonly cpuMs: number
  /** Real time, in milliseconds: the last resort, and all there is where CPU time cannot be read. */
  readonly wallMs: number
  /** Memory of the child, in bytes. */
  readonly memory: number
}

export interface ChildOptions {
  /** The compiled `child.js`. */
  readonly entry: string
  readonly folders: ThemeFolders
  /** What the child must have loaded too: the digest of each theme by name. */
  readonly digests: ReadonlyMap<string, string>
  readonly limits: RenderLimits
  /** What a process has used; by default as the system says. */
  readonly usageOf?: typeof processUsage
}

/** One child process; renders one page after the other, in the order in which it is asked. */
export interface RenderChild {
  /** False once it has ended; it is of no more use then. */
  isUsable(): boolean
  /**
   * @param request a packed `RenderRequest`.
   * @returns what the called method returned, its files apart; null when the child ended over what it was
   *   asked before.
   * @throws {ServiceError} what the method refused, `validation_error` when a limit was passed, or
   *   `internal_error` when the machine had no time for the page; in both cases the child has ended.
   */
  ask(request: Uint8Array): Promise<RenderResult | null>
  /** Resolves when the process is gone. */
  end(): Promise<void>
}

const LOOK_EVERY_MS = 100
/** Pages come second to requests. */
const NICENESS = 4
/** A child that grew beyond this share of its limit is replaced, so that its memory returns. */
const KEPT_SHARE = 0.5
/** V8 ends a process whose heap is full; the rest is left for strings outside it and native parsers. */
const HEAP_SHARE = 0.5

type Waiter = { resolve(message: readonly Buffer[]): void; reject(error: Error): void }

export function startRenderChild(options: ChildOptions): RenderChild {
  const { limits, folders, usageOf = processUsage } = options
  const { themes, templates, custom = [] } = folders
  const flags = [
    `--max-old-space-size=${Math.floor((limits.memory * HEAP_SHARE) / 2 ** 20)}`,
    // A page has one processor: threads that tidy up beside it would take the others from requests.
    '--single-threaded-gc',
  ]
  const program = [options.entry, String(themes), String(templates), ...custom]
  const child = spawn(process.execPath, [...flags, ...program], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    // Nothing of the service's secrets is needed there.
    env: {},
  })
  /** In the order of what they wait for. */
  const waiting: Waiter[] = []
  let watched: { stop(): void } | null = null
  let overrun: ServiceError | null = null
  let usable = true
  /** Ended over a page that it answered all the same: none of those behind is to blame. */
  let spent = false
  const ended = new Promise<void>((resolve) => {
    // Once all that it said was heard.
    child.once('close', (code, signal) => {
      giveUp(`${signal ?? `code ${code}`}`)
      resolve()
    })
    // It could not be started at all, or not be reached: `close` follows only where there was a process.
    child.once('error', (error) => {
      giveUp(error.message)
      child.kill('SIGKILL')
      if (child.pid === undefined) resolve()
    })
  })
  // Where the system has no file descriptor left there is none; `error` follows.
  const channel = (child.stdio as ChildProcess['stdio'] | undefined)?.[CHANNEL] as Duplex | undefined
  const reader = createMessageReader()
  channel?.on('data', (chunk: Buffer) => reader.add(chunk).forEach(pass))
  // It breaks with the child, whose end is told of.
  channel?.on('error', () => {})
  const ready = receive().then((first) => assertSameThemes(first, options.digests))
  // Whoever asks first is told; until then nobody is there to listen.
  ready.catch(() => {})
  lowerPriority(child)

  return {
    isUsable: () => usable,

    async ask(request) {
      await startOf(ready)
      try {
        channel?.write(request)
        const reply = receive()
        if (waiting.length === 1) watched = watch()
        return unwrapReply(await reply)
      } catch (error) {
        if (!(error instanceof ChildEnded)) throw error
        if (!error.isOver) return null
        throw overrun ?? tooComplex('needs too much memory')
      }
    },

    async end() {
      kill()
      await ended
    },
  }

  /** To whoever waits longest. */
  function pass(message: readonly Buffer[]): void {
    waiting.shift()?.resolve(message)
    watched?.stop()
    spent = !usable
    watched = waiting.length === 0 ? null : watch()
  }

  function giveUp(why: string): void {
    usable = false
    watched?.stop()
    for (const [index, { reject }] of waiting.splice(0).entries())
      reject(new ChildEnded(why, index === 0 && !spent))
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

  /** Ends the child when the page it renders passes a limit, and after a page that made it grow. */
  function watch(): { stop(): void } {
    const begun = performance.now()
    // To ask at once would cost an ordinary page more than sending it does.
    let atFirst: ProcessUsage | null = null
    let grown = false
    const timer = setInterval(() => {
      const usage = child.pid === undefined ? null : usageOf(child.pid)
      atFirst ??= usage
      overrun ??= overrunOf(performance.now() - begun, atFirst, usage, limits)
      if (overrun !== null) kill()
      grown = usage !== null && usage.memory > limits.memory * KEPT_SHARE
    }, LOOK_EVERY_MS)
    return {
      stop() {
        clearInterval(timer)
        if (grown) kill()
      },
    }
  }
}

/** The process is gone: killed here, or by what it was doing. */
class ChildEnded extends Error {
  /** Whether it ended over this. */
  readonly isOver: boolean

  constructor(why: string, isOver: boolean) {
    super(why)
    this.isOver = isOver
  }
}

function overrunOf(
  wallMs: number,
  before: ProcessUsage | null,
  now: ProcessUsage | null,
  limits: RenderLimits,
): ServiceError | null {
  const cpuMs = before === null || now === null ? null : now.cpuMs - before.cpuMs
  if (cpuMs !== null && cpuMs > limits.cpuMs) {
    return tooComplex(`takes more than ${limits.cpuMs / 1000} s of computing`)
  }
  if (now !== null && now.memory > limits.memory) return tooComplex('needs too much memory')
  if (wallMs <= limits.wallMs) return null
  return cpuMs === null ? tooComplex(`takes more than ${limits.wallMs / 1000} s`) : tooBusy()
}

function tooComplex(why: string): ServiceError {
  return new ServiceError(
    'validation_error',
    `The page is too complex to render: it ${why}. Make it simpler, or split it.`,
  )
}

/** The page has computed less than it may: it is the machine that has no time. */
function tooBusy(): ServiceError {
  return new ServiceError(
    'internal_error',
    'The server was too busy to render the page in time. Nothing changed on the site; try again.',
  )
}

async function startOf(ready: Promise<void>): Promise<void> {
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
      throw new Error(`The theme ${name} was changed since the service started; start the service again.`)
  }
}

function lowerPriority({ pid }: ChildProcess): void {
  if (pid === undefined) return
  try {
    setPriority(pid, NICENESS)
  } catch {
    // Some systems do not allow it, and a process may be gone already; rendering works without.
  }
}
