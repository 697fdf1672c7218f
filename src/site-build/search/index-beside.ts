import { renameSync } from 'node:fs'
import { join } from 'node:path'
import type { Artifact } from '../../domain/artifact.ts'
import { SEARCH_SHARDS, type SearchCut } from '../../render/search/search-index.ts'
import type { Runner } from '../../renderer/renderer.ts'
import { type Spooled, withBody } from '../../renderer/spilled-artifacts.ts'
import type { KeptText, TextPlace } from '../spill/spill-file.ts'
import type { IndexPlaces, SpoolFolder } from '../spill/spill-folder.ts'
import type { MadeIndex } from './search-index.ts'

/**
 * The search index of a large site's first build, made by a thread that renders: it notes what search finds of pages
 * between two of them, and makes the index when it would have nothing to do any more, while this one goes on.
 */
export interface IndexBeside {
  /** @param said what a page says that search finds; null where that is in memory alone. */
  note(said: KeptText | null): void
  /**
   * To be asked once.
   *
   * @returns the index of all that was noted; null where the system refuses it, and this thread has to make it.
   */
  made(): Promise<MadeIndex | null>
}

/** What the thread is asked: where all of it lies, then to note texts, in the end for the index of these. */
export type IndexAsked = IndexPlaces | Float64Array | 'index'

/** Null where it could not be made, and where nothing is to be told. */
export type IndexTold = {
  readonly artifacts: readonly (Artifact | Spooled)[]
  readonly cut: SearchCut
} | null

/** Texts that are told together. */
const TOLD_AT_ONCE = 64

/** @param runner runs to `indexInThread`, and goes when the index is made. */
export function createIndexBeside(
  { folder, texts, places }: SpoolFolder,
  { errand, dismiss }: Runner,
): IndexBeside {
  let untold: TextPlace[] = []
  /** False when not all texts lie in the file. */
  let isTold = true
  let last: Promise<IndexTold> | null = null
  last = ask(places)

  return {
    note(said) {
      if (said === null) isTold = false
      else untold.push(said)
      if (untold.length === TOLD_AT_ONCE) tell()
    },
    async made() {
      tell()
      const told = isTold ? await ask('index') : null
      dismiss()
      return told && indexIn(told)
    },
  }

  function tell(): void {
    isTold &&= texts.flush()
    if (isTold) last = ask(columnsOf(untold))
    untold = []
  }

  /** Fails where anything failed that was asked before. */
  function ask(asked: IndexAsked): Promise<IndexTold> {
    const told = Promise.all([errand(asked) as Promise<IndexTold>, last]).then(([told]) => told)
    // Whoever asks for the index hears of it.
    told.catch(() => {})
    return told
  }

  /** Only a whole index comes to lie among the pages. */
  function indexIn({ artifacts, cut }: NonNullable<IndexTold>): MadeIndex | null {
    try {
      renameSync(join(places.index, SEARCH_SHARDS), join(folder, SEARCH_SHARDS))
    } catch (error) {
      if (error instanceof Error && 'syscall' in error) return null
      throw error
    }
    return { artifacts: artifacts.map((artifact) => withBody(artifact, folder)), cut, kept: new Set() }
  }
}

/** Three numbers of each text; cheaper to be told than as many objects. */
function columnsOf(places: readonly TextPlace[]): Float64Array {
  return Float64Array.from(places.flatMap(({ start, size, isWide }) => [start, size, isWide ? 1 : 0]))
}

/** What `columnsOf` was given. */
export function placesIn(columns: Float64Array): readonly TextPlace[] {
  return Array.from({ length: columns.length / 3 }, (_, place) => ({
    start: columns[3 * place] ?? 0,
    size: columns[3 * place + 1] ?? 0,
    isWide: columns[3 * place + 2] === 1,
  }))
}
