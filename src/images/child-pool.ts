import { rm } from 'node:fs/promises'
import type { ImageFacts } from '../domain/image.ts'
import { type ImageChild, type ImageChildOptions, startImageChild } from './image-child.ts'
import type { DerivedImage, ImageProcessor } from './image-processor.ts'
import type { ImageRequest, ImageResult } from './protocol.ts'
import { temporaryFile } from './temporary-file.ts'

export interface ImagePoolOptions extends Pick<ImageChildOptions, 'entry' | 'isForeground' | 'usageOf'> {
  /** The most child processes at a time. */
  readonly size: number
  readonly limits?: ImageChildOptions['limits']
}

const MEGABYTE = 2 ** 20
/**
 * A photo of 12 megapixels takes 0.1 s to read and 0.3 s to derive, with 120 MB, or 0.5 s and 200 MB as AVIF. The largest
 * allowed takes eight times as long; progressive ones are in memory whole.
 */
const LIMITS: ImageChildOptions['limits'] = {
  inspect: { cpuMs: 5_000, wallMs: 20_000, memory: 768 * MEGABYTE },
  clean: { cpuMs: 10_000, wallMs: 30_000, memory: 768 * MEGABYTE },
  derive: { cpuMs: 20_000, wallMs: 60_000, memory: 768 * MEGABYTE },
  drawCard: { cpuMs: 10_000, wallMs: 30_000, memory: 512 * MEGABYTE },
  // Of an animation each one is derived by itself.
  deriveAll: { cpuMs: 60_000, wallMs: 180_000, memory: 768 * MEGABYTE },
}
/** A child takes some 60 MB while it waits for work. In milliseconds. */
const IDLE_MS = 10_000

interface Job {
  readonly request: ImageRequest
  resolve(result: ImageResult): void
  reject(error: unknown): void
}

/**
 * Reads and derives pictures in child processes under limits, so that no picture can block or end this process, or fill
 * its memory. Children start when they are first needed, and end when none was for a while. A child that exceeds a
 * limit is killed; the next picture gets a fresh one. Where sharp does not load, children read headers only.
 */
export function createImagePool({ size, limits = LIMITS, ...start }: ImagePoolOptions): ImageProcessor {
  const jobs: Job[] = []
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
    inspect: (file) => ask({ call: 'inspect', args: [file] }) as Promise<ImageFacts>,
    clean: (file, into) => ask({ call: 'clean', args: [file, into] }) as Promise<ImageFacts>,
    derive: (file, recipe, into) =>
      ask({ call: 'derive', args: [file, recipe, into] }) as Promise<DerivedImage>,
    drawCard: (card, into) => ask({ call: 'drawCard', args: [card, into] }) as Promise<DerivedImage>,
    deriveAll: (file, variants, largest) =>
      ask({ call: 'deriveAll', args: [file, variants, largest] }) as Promise<readonly DerivedImage[]>,
    async close() {
      isClosed = true
      clearTimeout(idleTimer)
      for (const { reject } of jobs.splice(0))
        reject(new Error('The processes that read pictures were ended.'))
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

  function ask(request: ImageRequest): Promise<ImageResult> {
    return new Promise((resolve, reject) => {
      jobs.push({ request, resolve, reject })
      startNext()
    })
  }

  function startNext(): void {
    while (running < size) {
      const job = jobs.shift()
      if (job === undefined) return
      void run(job)
    }
  }

  async function run({ request, resolve, reject }: Job): Promise<void> {
    running += 1
    const child = takeChild()
    try {
      resolve(await child.ask(request))
    } catch (error) {
      await removeIncomplete(request)
      reject(error)
    } finally {
      running -= 1
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

/** A child that was killed may leave a part of what it was writing. */
async function removeIncomplete({ call, args }: ImageRequest): Promise<void> {
  if (call === 'deriveAll') {
    const [, variants] = args as Parameters<ImageProcessor['deriveAll']>
    for (const { into } of variants)
      for (const file of [temporaryFile(into), into]) await rm(file, { force: true })
  } else if (call !== 'inspect') await rm(temporaryFile(String(args.at(-1))), { force: true })
}
