import { Worker } from 'node:worker_threads'
import { messageOf } from '../domain/errors.ts'
import type { LivePage } from '../domain/live-page.ts'
import type { Settings } from '../domain/settings.ts'
import type { ThemeFolders } from '../theme/list-themes.ts'
import type { RenderReply } from './protocol.ts'
import type { TimedPage } from './renderer.ts'

export interface RenderThreadOptions {
  /** The compiled `thread.js`. */
  readonly entry: string
  readonly folders: ThemeFolders
  /** See `createSpill`; null keeps files of pages in memory. */
  readonly spillFolder?: string | null
  /** Folder of the token cache; null for none. */
  readonly tokenCache?: string | null
}

/** Start values of a thread. */
export interface ThreadData {
  readonly folders: ThemeFolders
  readonly spillFolder: string | null
  readonly tokenCache: string | null
}

/** A page without the settings if they are those of the previous page: a site has one, which may be long. */
export interface ThreadRequest {
  readonly live: Omit<LivePage, 'settings'>
  readonly settings: Settings | null
}

export type ThreadReply = RenderReply<TimedPage>

/** The first message of a thread: the digest of each theme it loaded, by name. The others are replies to batches. */
export type ThreadMessage = ReadonlyMap<string, string> | readonly ThreadReply[]

/** A worker thread that renders pages. Its promises reject if it cannot start, or ends. */
export interface RenderThread {
  /** The digest of each theme that the thread loaded, by name. */
  readonly themeDigests: Promise<ReadonlyMap<string, string>>
  /** Replies in the order of the pages. Batches are rendered one after the other. */
  render(batch: readonly LivePage[]): Promise<readonly ThreadReply[]>
  end(): Promise<void>
}

interface Waiter {
  resolve(message: ThreadMessage): void
  reject(error: Error): void
}

export function startRenderThread({
  entry,
  folders,
  spillFolder = null,
  tokenCache = null,
}: RenderThreadOptions): RenderThread {
  const { themes, templates, custom = [] } = folders
  const workerData: ThreadData = {
    folders: { themes: String(themes), templates: String(templates), custom },
    spillFolder,
    tokenCache,
  }
  const worker = new Worker(entry, { workerData })
  const waiters: Waiter[] = []
  let ended: Error | null = null
  let lastSettings: Settings | null = null
  worker.on('message', (message: ThreadMessage) => waiters.shift()?.resolve(message))
  worker.on('error', (error) => fail(messageOf(error)))
  worker.on('exit', (code) => fail(`exit code ${code}`))
  const themeDigests = receive() as Promise<ReadonlyMap<string, string>>
  // Handled by the pool, perhaps only after the thread has ended.
  themeDigests.catch(() => {})

  return {
    themeDigests,
    async render(batch) {
      worker.postMessage(batch.map(requestOf))
      return (await receive()) as readonly ThreadReply[]
    },
    async end() {
      await worker.terminate()
    },
  }

  function requestOf({ settings, ...live }: LivePage): ThreadRequest {
    const request = { live, settings: settings === lastSettings ? null : settings }
    lastSettings = settings
    return request
  }

  function receive(): Promise<ThreadMessage> {
    return new Promise((resolve, reject) => {
      if (ended !== null) reject(ended)
      else waiters.push({ resolve, reject })
    })
  }

  /** `exit` follows every `error`, so the first reason counts. */
  function fail(reason: string): void {
    ended ??= new Error(`A render thread ended (${reason}).`)
    for (const { reject } of waiters.splice(0)) reject(ended)
  }
}
