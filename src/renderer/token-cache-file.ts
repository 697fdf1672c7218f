import { createHash } from 'node:crypto'
import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { dependencyVersion } from '../platform/package-paths.ts'
import { type HighlightOptions, UNLIMITED_HIGHLIGHTING } from '../render/markdown/highlight/highlighter.ts'
import { decodeTokens, encodeTokens, type TokenCache } from '../render/markdown/highlight/token-cache.ts'
import { KIND_THEME } from '../render/markdown/highlight/token-kinds.ts'

/** Increased when the tokens of the same code change for another reason than the grammars and kinds. */
const REVISION = 1
/** Size of the file, the tokens of some 50 MB of code. The next process starts it again. */
const MAX_BYTES = 16 * 1024 * 1024
/** Enough bytes of a digest that no two blocks of code have the same. */
const KEY_BYTES = 16

/** Highlighting without limits, with the cache of a folder; null for none. */
export function cachedHighlighting(folder: string | null): HighlightOptions {
  return { ...UNLIMITED_HIGHLIGHTING, cache: folder === null ? null : openTokenCache(folder) }
}

/**
 * Opens the cache of a folder. Several processes may use one: each reads the file when it first looks for a block, and
 * appends the tokens that it did not find. Entries that are cut off, because a process was killed, are ignored.
 *
 * Where the folder cannot be read or written, the cache is empty: tokens can be found again at any time.
 *
 * @param folder created when the first tokens are added; only this cache may use it.
 */
export function openTokenCache(folder: string): TokenCache {
  const name = fileName()
  const file = join(folder, name)
  let entries: Map<string, string> | null = null
  let isWritable = true
  let bytes = 0

  return {
    find(code, grammar) {
      entries ??= readEntries()
      const encoded = entries.get(keyOf(code, grammar))
      return encoded === undefined ? null : decodeTokens(encoded, code)
    },
    add(code, grammar, lines) {
      if (!isWritable) return
      entries ??= readEntries()
      const key = keyOf(code, grammar)
      const encoded = encodeTokens(lines)
      entries.set(key, encoded)
      // The line break comes first: the previous entry may be cut off.
      const line = `\n${key} ${encoded}`
      bytes += line.length
      isWritable = succeeds(() => appendFileSync(file, line)) && bytes < MAX_BYTES
    },
  }

  function readEntries(): Map<string, string> {
    let text = ''
    const isRead = succeeds(() => {
      text = readFileSync(file, 'latin1')
    })
    if (!isRead || text.length >= MAX_BYTES) {
      isWritable = succeeds(emptyFolder)
      return new Map()
    }
    bytes = text.length
    const lines = text.split('\n').map((line) => line.split(' '))
    return new Map(lines.filter((entry): entry is [string, string] => entry.length === 2))
  }

  /** Removes what is too large or of another version. */
  function emptyFolder(): void {
    mkdirSync(folder, { recursive: true })
    for (const old of readdirSync(folder)) rmSync(join(folder, old), { force: true })
  }
}

function succeeds(act: () => void): boolean {
  try {
    act()
    return true
  } catch {
    return false
  }
}

/** Tokens depend on the grammars, which come with Shiki, and on the scopes of each kind. */
function fileName(): string {
  return digestOf(JSON.stringify([REVISION, dependencyVersion('@shikijs/langs'), KIND_THEME]))
}

function keyOf(code: string, grammar: string): string {
  return digestOf(`${grammar}\n${code}`)
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest().subarray(0, KEY_BYTES).toString('base64url')
}
