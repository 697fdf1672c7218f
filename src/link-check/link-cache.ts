import { readFile, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { isJsonObject, type JsonObject } from '../domain/json.ts'
import { isSystemError } from '../platform/fs-errors.ts'
import { mkdirp } from '../platform/mkdirp.ts'
import type { UrlOutcome } from './check-urls.ts'

/** Addresses that exist are asked again after a week. Others are asked each time. */
const MAX_AGE_MS = 7 * 24 * 60 * 60 * 1_000
const MAX_ENTRIES = 50_000

export interface LinkCache {
  /** Undefined for an address that has to be asked. */
  get(url: string): UrlOutcome | undefined
  /** Stores the outcomes that are worth it. */
  store(outcomes: ReadonlyMap<string, UrlOutcome>): Promise<void>
}

/** @param now ISO 8601 UTC. */
export async function openLinkCache(file: string, now: string): Promise<LinkCache> {
  const oldest = Date.parse(now) - MAX_AGE_MS
  const entries = Object.entries(await readEntries(file)).filter(([, entry]) => isCurrent(entry))
  const known = new Map(entries.map(([url, entry]) => [url, entry as JsonObject]))

  return {
    get(url) {
      const to = known.get(url)?.['moved']
      if (!known.has(url)) return undefined
      return typeof to === 'string' ? { kind: 'moved', to } : { kind: 'ok' }
    },
    async store(outcomes) {
      for (const [url, outcome] of outcomes) {
        if (outcome.kind === 'ok') known.set(url, { at: now })
        else if (outcome.kind === 'moved') known.set(url, { at: now, moved: outcome.to })
        else known.delete(url)
      }
      await mkdirp(dirname(file))
      const temporary = `${file}.${process.pid}.tmp`
      await writeFile(temporary, JSON.stringify(Object.fromEntries([...known].slice(-MAX_ENTRIES))))
      await rename(temporary, file)
    },
  }

  function isCurrent(entry: unknown): boolean {
    const at = isJsonObject(entry) ? Date.parse(String(entry['at'])) : Number.NaN
    return at > oldest && at <= Date.parse(now)
  }
}

/** Nothing for a file that is missing or damaged: then all addresses are asked. */
async function readEntries(file: string): Promise<JsonObject> {
  try {
    const value: unknown = JSON.parse(await readFile(file, 'utf8'))
    return isJsonObject(value) ? value : {}
  } catch (error) {
    if (error instanceof SyntaxError || isSystemError(error)) return {}
    throw error
  }
}
