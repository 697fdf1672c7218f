import type { PostingsRoom, PostingsRow } from '../../render/search/postings.ts'
import type { KeptBytes, TextSpool } from './spill-file.ts'

/** Each takes four bytes; a site of two thousand pages has so many. */
const HITS_AT_ONCE = 1_000_000

/** Rows of words in a file, and as little of them in memory as that allows. */
export function roomIn(spool: TextSpool): PostingsRoom {
  return { keep: keepIn(spool), hitsAtOnce: HITS_AT_ONCE }
}

function keepIn(spool: TextSpool): PostingsRoom['keep'] {
  /** Of the row at hand, whose memory would be given back late. */
  let bytes = new Uint8Array(0)
  return (row) => {
    const { length } = row.ids
    const size = ROW_BYTES * length
    if (bytes.length < size) bytes = new Uint8Array(2 * size)
    const at = rowIn(bytes.buffer, length)
    at.ids.set(row.ids)
    at.places.set(row.places)
    const kept = spool.putBytes(bytes.subarray(0, size))
    return kept === null ? () => row : readingOf(kept, length)
  }

  /** Not there: whatever a function is made beside stays in memory with it. */
  function readingOf(kept: KeptBytes, words: number): () => PostingsRow {
    return () => {
      kept.file.readBytes(kept, bytes)
      return rowIn(bytes.buffer, words)
    }
  }
}

/** Of each word an id, then of each a place. */
const ROW_BYTES = Uint32Array.BYTES_PER_ELEMENT + Uint16Array.BYTES_PER_ELEMENT

function rowIn(bytes: ArrayBuffer, words: number): PostingsRow {
  return {
    ids: new Uint32Array(bytes, 0, words),
    places: new Uint16Array(bytes, words * Uint32Array.BYTES_PER_ELEMENT, words),
  }
}
