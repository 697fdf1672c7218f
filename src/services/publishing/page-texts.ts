import { ServiceError } from '../../domain/errors.ts'
import type { IncludedPage } from '../../domain/live-page.ts'
import type { Page } from '../../domain/page.ts'
import type { Timers } from '../../domain/timers.ts'
import type { Variables } from '../../domain/variables.ts'
import {
  includedPaths,
  isShortText,
  isShortWhole,
  type PublishedText,
  type WholeText,
  wholeText,
} from '../../page-text/page-includes.ts'
import { isShortShown, shownTexts } from '../../page-text/page-variables.ts'
import { withDeadline } from '../../platform/with-deadline.ts'
import {
  RENDER_DEADLINE_MS,
  type Renderer,
  type RenderTurn,
  renderedTooLate,
} from '../../renderer/renderer.ts'

/** Puts the texts of pages together. Short ones are quick; others are for the renderer, in turns by account. */
export interface PageTexts {
  /** Paths of the pages that the page names. */
  paths(page: IncludingPage, path: string): Promise<readonly string[]>
  /** @param sources the published ones of them. */
  whole(page: IncludingPage, path: string, sources: readonly PublishedText[]): Promise<WholeText>
  /**
   * The page with the values of variables; null when they are too long.
   *
   * @param includes the pages whose texts are part of it.
   */
  shown(page: Page, includes: readonly IncludedPage[], variables: Variables): Promise<Page | null>
}

/** Texts for a page without content. */
export const NO_TEXTS: PageTexts = {
  paths: async () => [],
  whole: async ({ markdown }) => ({ markdown, includes: [], fault: null }),
  shown: async (page) => page,
}

export type IncludingPage = Pick<Page, 'id' | 'projectId' | 'markdown' | 'contentDigest'>

/**
 * Texts for a transaction, in which nothing may wait for a render: all other writes would. A missing text undoes the
 * transaction; it is rendered, and the transaction runs again.
 */
export interface PreparedTexts extends PageTexts {
  /** False when the transaction ran often enough: a text that is still missing then is late. */
  mayPrepare(): boolean
  /** @throws {UnavailableError} when that takes longer than `waitMs`. */
  prepare(missing: TextsMissing, waitMs: number): Promise<void>
}

export interface PageTextModes {
  /** Texts outside transactions. */
  direct(turn?: RenderTurn): PageTexts
  prepared(): PreparedTexts
}

/** Undoes a transaction. */
export class TextsMissing extends Error {
  readonly works: readonly TextWork<unknown>[]

  constructor(works: readonly TextWork<unknown>[]) {
    super('Texts of pages are to be put together first.')
    this.works = works
  }
}

interface TextWork<Result> {
  readonly key: string
  readonly isShort: boolean
  /** UTF-16 code units that it holds. */
  readonly length: number
  here(): Result
  inRenderer(turn: RenderTurn): Promise<Result>
}

type Outcome = { readonly value: unknown } | { readonly error: unknown }

/** Runs of a transaction: for paths, text and values, and for a page that was changed meanwhile. */
const MAX_RUNS = 5
/** UTF-16 code units of texts that are prepared for one transaction. Pages beyond them have their turn later. */
const MAX_PREPARED = 16 * 2 ** 20

export function createPageTexts({
  renderer,
  timers,
}: {
  readonly renderer: Renderer
  readonly timers: Timers
}): PageTextModes {
  return {
    direct: (turn = {}) =>
      createTexts(renderer, (work) => {
        const deadline = { timers, ms: RENDER_DEADLINE_MS, tooLate: renderedTooLate }
        const gone = turn.signal
        return withDeadline({ ...deadline, ...(gone !== undefined && { gone }) }, (signal) =>
          work.inRenderer({ ...turn, signal }),
        )
      }),

    prepared() {
      const done = new Map<string, Outcome>()
      let runs = 0
      return {
        ...createTexts(renderer, async <Result>(work: TextWork<Result>): Promise<Result> => {
          const outcome = done.get(work.key)
          if (outcome === undefined) throw new TextsMissing([work])
          if ('error' in outcome) throw outcome.error
          return outcome.value as Result
        }),
        mayPrepare: () => runs < MAX_RUNS,
        async prepare({ works }, ms) {
          runs += 1
          await withDeadline({ timers, ms, tooLate: renderedTooLate }, async (signal) => {
            for (const work of fitting(works)) done.set(work.key, await outcomeOf(work, { signal }))
          })
        },
      }
    },
  }
}

function createTexts(
  renderer: Renderer,
  long: <Result>(work: TextWork<Result>) => Promise<Result>,
): PageTexts {
  const result = async <Result>(work: TextWork<Result>) => (work.isShort ? work.here() : long(work))
  return {
    paths: ({ id, projectId, markdown, contentDigest }, path) =>
      result({
        key: JSON.stringify([id, contentDigest, path]),
        isShort: isShortText(markdown),
        length: markdown.length,
        here: () => includedPaths(path, markdown),
        inRenderer: (turn) => renderer.includedPaths(projectId, path, markdown, turn),
      }),
    whole({ id, projectId, markdown, contentDigest }, path, sources) {
      const input = { id, path, markdown, sources }
      return result({
        key: JSON.stringify([id, contentDigest, path, sources.map(({ page }) => [page.id, page.digest])]),
        isShort: isShortWhole(input),
        length: sources.reduce((sum, source) => sum + source.markdown.length, markdown.length),
        here: () => wholeText(input),
        inRenderer: (turn) => renderer.wholeText(projectId, input, turn),
      })
    },
    async shown(page, includes, variables) {
      const { id, projectId, contentDigest, title, description, markdown, meta, config } = page
      const texts = { title, description, markdown, meta, config }
      const shown = await result({
        key: JSON.stringify([id, contentDigest, includes.map(({ id, digest }) => [id, digest]), variables]),
        isShort: isShortShown(texts, variables),
        length: markdown.length,
        here: () => shownTexts(texts, variables),
        inRenderer: (turn) => renderer.shownTexts(projectId, texts, variables, turn),
      })
      return shown && { ...page, ...shown }
    },
  }
}

/** Returns the works that fit into memory together, at least the first. */
function fitting(works: readonly TextWork<unknown>[]): readonly TextWork<unknown>[] {
  let length = 0
  return works.filter((work, index) => {
    length += work.length
    return index === 0 || length <= MAX_PREPARED
  })
}

/** Returns an error of one page as its outcome: the other pages of the transaction continue. */
async function outcomeOf(work: TextWork<unknown>, turn: RenderTurn): Promise<Outcome> {
  try {
    return { value: await work.inRenderer(turn) }
  } catch (error) {
    if (error instanceof ServiceError && error.name === 'validation_error') return { error }
    throw error
  }
}
