import type { Artifact } from '../domain/artifact.ts'
import type { SearchEntry } from '../domain/search-entry.ts'
import type { TimedPage } from './renderer.ts'

/**
 * A rendered page as it goes from one thread to another, and as thousands of them lie beside each other:
 * its bytes in one piece, which changes hands without being copied, and its words in another.
 */
export interface PackedPage extends Omit<TimedPage, 'artifacts' | 'search'> {
  readonly artifacts: readonly PackedArtifact[]
  /** Of all artifacts, in their order. */
  readonly bytes: ArrayBuffer
  readonly search: PackedEntry | null
}

interface PackedArtifact extends Omit<Artifact, 'body'> {
  readonly size: number
}

interface PackedEntry extends Omit<SearchEntry, 'words' | 'places'> {
  /** With spaces between them; a word has none. */
  readonly words: string
  readonly places: Uint16Array
}

export function packPage({ artifacts, search, ...rest }: TimedPage): PackedPage {
  const bytes = new Uint8Array(artifacts.reduce((sum, { body }) => sum + body.byteLength, 0))
  let length = 0
  const packed = artifacts.map(({ body, ...artifact }) => {
    bytes.set(body, length)
    length += body.byteLength
    return { ...artifact, size: body.byteLength }
  })
  return { ...rest, artifacts: packed, bytes: bytes.buffer, search: search && packEntry(search) }
}

export function unpackPage({ artifacts, bytes, search, ...rest }: PackedPage): TimedPage {
  let length = 0
  const unpacked = artifacts.map(({ size, ...artifact }) => {
    const body = Buffer.from(bytes, length, size)
    length += size
    return { ...artifact, body }
  })
  return { ...rest, artifacts: unpacked, search: search && unpackEntry(search) }
}

function packEntry({ words, places, ...shown }: SearchEntry): PackedEntry {
  const row = new Uint16Array(places.length)
  for (let at = 0; at < row.length; at += 1) row[at] = places[at] ?? 0
  return { ...shown, words: words.join(' '), places: row }
}

/** Its words are counted out whenever they are asked for: hundreds of strings a page, until then one. */
function unpackEntry({ words, places, ...shown }: PackedEntry): SearchEntry {
  return {
    ...shown,
    get words() {
      return words === '' ? [] : words.split(' ')
    },
    get places() {
      return [...places]
    },
  }
}
