import { rm } from 'node:fs/promises'
import type { ProjectId } from '../domain/ids.ts'
import type { ImageFacts } from '../domain/image.ts'
import { type AccountOf, createFairQueue, type Owner } from '../platform/fair-queue.ts'
import { ownPayment, type Pay } from '../platform/processor-time.ts'
import { type ImageChild, type ImageChildOptions, startImageChild } from './image-child.ts'
import type { DerivedImage, ImageProcessor } from './image-processor.ts'
import type { ImageRequest, ImageResult } from './protocol.ts'
import { temporaryFile } from './temporary-file.ts'

export interface ImagePoolOptions extends Pick<ImageChildOptions, 'entry' | 'isForeground' | 'usageOf'> {
  /** The most child processes at a time. One account uses all but one of them, or the only one. */
  readonly size: number
  /** Absent: each project is an account of its own. */
  readonly accountOf?: AccountOf
  readonly limits?: ImageChildOptions['limits']
}

const MEGABYTE = 2 ** 20
/**
 * A photo of 12 megapixels takes 0.1 s to read and 0.3 s to derive, with 120 MB, or 0.5 s and 200 MB as AVIF. The
 * largest allowed takes eight times as long; progressive ones are in memory whole.
 */
const LIMITS: ImageChildOptions['limits'] = {
  inspect: { cpuMs: 5_000, wallMs: 20_000, memory: 768 * MEGABYTE },
  clean: { cpuMs: 10_000, wallMs: 30_000, memory: 768 * MEGABYTE },
  derive: { cpuMs: 20_000, wallMs: 60_000, memory: 768 * MEGABYTE },
  drawCard: { cpuMs: 10_000, wallMs: 30_000, memory: 512 * MEGABYTE },
  // The variants of an animation are derived one by one.
  deriveAll: { cpuMs: 60_000, wallMs: 180_000, memory: 768 * MEGABYTE },
}
/** Owner of work without an account, such as a build's. It may use all processes. */
const NO_ACCOUNT = 'none' as ProjectId
/** A child takes some 60 MB while it waits for work. In milliseconds. */
const IDLE_MS = 10_000

interface Job {
  readonly request: ImageRequest
  /** Charges the request that waits for the image. */
  readonly pay: Pay
  resolve(result: ImageResult): void
  reject(error: unknown): void
}

/**
 * Reads and derives images in child processes under limits, so that no image can block or end this process, or fill its
 * memory. Accounts take turns, beginning with accounts without an image in progress. Children start when they are first
 * needed, and end after some idle time. A child that exceeds a limit is killed; the next image gets a fresh one. Where
 * sharp does not load, children read headers only.
 */
export function createImagePool({
  size,
  accountOf = async (project) => project,
  limits = LIMITS,
  ...start
}: ImagePoolOptions): ImageProcessor {
  const queue = createFairQueue<Job>()
  const maxOfAccount = Math.max(1, size - 1)
  /** Numbers of images in progress. */
  const busy = new Map<Owner['account'], number>()
  const children = new Set<ImageChild>()
  const idle: ImageChild[] = []
  let running = 0
  let isClosed = false
  let idleTimer: NodeJS.Timeout | undefined
  let decoding: Promise<boolean> | null = null

  return {
    decodes() {
      decoding ??= askFirstChild().catch((error) => {
        // The system may have processes for it later.
        decoding = null
        throw error
      })
      return decoding
    },
    inspect: (file, project) => ask({ call: 'inspect', args: [file] }, project) as Promise<ImageFacts>,
    clean: (file, into, project) =>
      ask({ call: 'clean', args: [file, into] }, project) as Promise<ImageFacts>,
    derive: (file, recipe, into, project) =>
      ask({ call: 'derive', args: [file, recipe, into] }, project) as Promise<DerivedImage>,
    drawCard: (card, into, project) =>
      ask({ call: 'drawCard', args: [card, into] }, project) as Promise<DerivedImage>,
    deriveAll: (file, variants, largest) =>
      ask({ call: 'deriveAll', args: [file, variants, largest] }) as Promise<readonly DerivedImage[]>,
    async close() {
      isClosed = true
      clearTimeout(idleTimer)
      for (let next = queue.take(() => true); next !== null; next = queue.take(() => true))
        next.work.reject(ended())
      await Promise.all([...children].map((child) => child.end()))
    },
  }

  async function askFirstChild(): Promise<boolean> {
    const child = takeChild()
    try {
      return (await child.ready) === null
    } finally {
      release(child)
    }
  }

  async function ask(request: ImageRequest, project: ProjectId = NO_ACCOUNT): Promise<ImageResult> {
    const pay = ownPayment()
    const account = project === NO_ACCOUNT ? NO_ACCOUNT : await accountOf(project)
    return new Promise((resolve, reject) => {
      if (isClosed) return reject(ended())
      queue.push({ account, project }, { request, pay, resolve, reject })
      startNext()
    })
  }

  function startNext(): void {
    while (running < size && !isClosed) {
      const next = queue.take(({ account }) => countOf(account) === 0) ?? queue.take(mayGo)
      if (next === null) return
      void run(next.owner, next.work)
    }
  }

  /** One account leaves a process to others, so that they need not wait for a costly image. */
  function mayGo({ account }: Owner): boolean {
    return account === NO_ACCOUNT || countOf(account) < maxOfAccount
  }

  function countOf(account: Owner['account']): number {
    return busy.get(account) ?? 0
  }

  async function run({ account }: Owner, { request, pay, resolve, reject }: Job): Promise<void> {
    running += 1
    busy.set(account, countOf(account) + 1)
    const child = takeChild()
    try {
      resolve(await child.ask(request, pay))
    } catch (error) {
      await removeIncomplete(request)
      reject(error)
    } finally {
      running -= 1
      if (countOf(account) > 1) busy.set(account, countOf(account) - 1)
      else busy.delete(account)
      release(child)
      startNext()
    }
  }

  function takeChild(): ImageChild {
    for (let child = idle.pop(); child !== undefined; child = idle.pop()) {
      child.ref()
      if (child.isUsable()) return child
      children.delete(child)
    }
    const child = startImageChild({ ...start, limits })
    children.add(child)
    return child
  }

  function release(child: ImageChild): void {
    if (!child.isUsable()) children.delete(child)
    else {
      child.unref()
      idle.push(child)
    }
    if (isClosed) return
    clearTimeout(idleTimer)
    idleTimer = setTimeout(endIdle, IDLE_MS).unref()
  }

  function endIdle(): void {
    for (const child of idle.splice(0)) {
      children.delete(child)
      void child.end()
    }
  }
}

function ended(): Error {
  return new Error('The processes that read pictures were ended.')
}

/** Removes incomplete files of a killed child. */
async function removeIncomplete({ call, args }: ImageRequest): Promise<void> {
  if (call === 'deriveAll') {
    const [, variants] = args as Parameters<ImageProcessor['deriveAll']>
    for (const { into } of variants)
      for (const file of [temporaryFile(into), into]) await rm(file, { force: true })
  } else if (call !== 'inspect') await rm(temporaryFile(String(args.at(-1))), { force: true })
}
