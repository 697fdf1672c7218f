import type { Artifact } from '../../domain/artifact.ts'
import type { SearchEntry } from '../../domain/search-entry.ts'
import { createPostingsMaker } from '../../render/search/postings.ts'
import { searchFiles } from '../../render/search/search-index.ts'
import { createSpool, type Spooled, withBody } from '../../renderer/spilled-artifacts.ts'
import { saidIn } from '../spill/page-extract.ts'
import { createTextSpool, openTexts, type TextPlace } from '../spill/spill-file.ts'
import type { IndexPlaces } from '../spill/spill-folder.ts'
import { roomIn } from '../spill/spilled-postings.ts'
import { type IndexAsked, type IndexTold, placesIn } from './index-beside.ts'

/** What a thread does that makes the search index beside a build: what it is asked, one after the other. */
export function indexInThread(): (asked: unknown) => IndexTold {
  let maker: IndexMaker | null = null
  return (asked) => {
    try {
      return answer(asked as IndexAsked)
    } catch (error) {
      if (!(error instanceof Error && 'syscall' in error)) throw error
      // Not all is noted: there is no index then.
      maker = null
      return null
    }
  }

  function answer(asked: IndexAsked): IndexTold {
    if (asked === 'index') return maker?.made() ?? null
    if (asked instanceof Float64Array) maker?.note(placesIn(asked))
    else maker = createIndexMaker(asked)
    return null
  }
}

interface IndexMaker {
  note(said: readonly TextPlace[]): void
  /** To be asked once. */
  made(): IndexTold
}

interface NotedPage {
  readonly path: string
  readonly said: TextPlace
}

function createIndexMaker(places: IndexPlaces): IndexMaker {
  const texts = openTexts(places.texts)
  const words = createTextSpool(places.words)
  const noted = createPostingsMaker(roomIn(words))
  const spool = createSpool(places.index)
  const leave = (artifact: Artifact) => withBody(spool(artifact), places.index)
  const pages: NotedPage[] = []

  return {
    note(said) {
      for (const place of said) {
        const entry = entryAt(place)
        noted.note(entry)
        pages.push({ path: entry.path, said: place })
      }
    },
    made() {
      pages.sort((a, b) => (a.path < b.path ? -1 : 1))
      // One after the other, which need not be in memory together.
      const entries = {
        length: pages.length,
        *[Symbol.iterator]() {
          for (const { said } of pages) yield entryAt(said)
        },
      }
      const { artifacts, cut } = searchFiles(entries, noted, leave)
      texts.close()
      words.close()
      return { artifacts: artifacts.map(told), cut }
    },
  }

  function entryAt(place: TextPlace): SearchEntry {
    const { search } = saidIn(texts.read(place))
    if (search === null) throw new RangeError('A page was noted that search does not find.')
    return search
  }
}

/** What lies in a file is not read to be told. */
function told(artifact: Artifact): Artifact | Spooled {
  const { key, stage, owner, spooled } = artifact
  return spooled === undefined ? artifact : { key, stage, owner, spooled }
}
