import { listedArticles } from '../../domain/listed-articles.ts'
import type { LiveCard, SiteIdentity } from '../../domain/live-page.ts'
import type { Locale, TranslatedFacts } from '../../domain/locale.ts'
import type { Settings } from '../../domain/settings.ts'
import type { Surroundings } from '../../domain/surroundings.ts'
import {
  type LinkablePages,
  surroundingKeys,
  surroundingPaths,
  surroundingsOf,
} from '../../render/page/surroundings.ts'
import type { AtRevision, LiveState } from '../ledger/live-state.ts'
import { frontsOf } from './listings.ts'
import { mergeFacts } from './merge-facts.ts'

/** Targets of the links around the pages of a language; undefined for links as written. */
export type SurroundingsIn = (settings: Settings, locale: Locale | null) => Surroundings | undefined

/** Published and removed pages of a batch. */
export interface Overlay {
  readonly touched: ReadonlySet<string>
  readonly facts: readonly TranslatedFacts[]
  readonly cards: readonly LiveCard[]
}

export const NO_OVERLAY: Overlay = { touched: new Set(), facts: [], cards: [] }

/** Result for sites without links in their settings. */
const NO_SURROUNDINGS: SurroundingsIn = () => undefined

/**
 * Reads where the links around the pages of a site lead. Two queries for all of its languages, whatever the number of
 * pages, and none for a site in one language, or in Data Mode, whose pages show no settings.
 *
 * @param all the settings that the result is called with.
 */
export async function readSurroundings(
  { projectId, asOf }: Pick<AtRevision, 'projectId'> & Partial<AtRevision>,
  { hostingMode }: Pick<SiteIdentity, 'hostingMode'>,
  all: readonly Settings[],
  { touched, facts, cards }: Overlay,
  liveState: Pick<LiveState, 'pagesAt' | 'translations' | 'cards'>,
): Promise<SurroundingsIn> {
  const distinct = [...new Set(all)].filter((settings) => settings.locales.length > 0)
  if (distinct.length === 0 || hostingMode === 'data_mode') return NO_SURROUNDINGS
  const wanted = new Set(distinct.flatMap(surroundingPaths))
  const live = await liveState.pagesAt(projectId, [...wanted])
  const at = byPath(mergeFacts(live, touched, facts))
  const translatedAt = (path: string) => at.get(path)?.translated ?? null
  const keys = new Set(
    distinct.flatMap((settings) => surroundingKeys(surroundingPaths(settings), settings, { translatedAt })),
  )
  const sharing = await liveState.translations(projectId, [...keys])
  const pages = linkablePages(at, mergeFacts<TranslatedFacts>(sharing, touched, facts))
  const articles = cards.filter(({ type }) => type === 'article')
  const lists = [...wanted].every((path) => at.has(path))
    ? NO_CARDS
    : mergeFacts(await liveState.cards(projectId, 'article', asOf), touched, articles)
  return surroundingsIn(pages, lists)
}

/** Targets of the links around the pages of a site whose pages are all known. */
export function surroundingsAmong(
  facts: readonly TranslatedFacts[],
  cards: readonly LiveCard[],
): SurroundingsIn {
  return surroundingsIn(
    linkablePages(byPath(facts), facts),
    cards.filter(({ type }) => type === 'article'),
  )
}

/** Targets for generated documents, by the codes of the languages of the site. */
export function byLanguage(
  settings: Settings,
  surroundings: SurroundingsIn,
): { readonly surroundings?: Readonly<Record<string, Surroundings>> } {
  const entries = settings.locales.flatMap((locale) => {
    const own = surroundings(settings, locale)
    return own === undefined ? [] : [[locale.code, own] as const]
  })
  return entries.length === 0 ? {} : { surroundings: Object.fromEntries(entries) }
}

const NO_CARDS: readonly LiveCard[] = []

function surroundingsIn(pages: LinkablePages, articles: readonly LiveCard[]): SurroundingsIn {
  const known = new Map<Settings, Map<string, Surroundings | undefined>>()
  return (settings, locale) => {
    if (locale === null) return undefined
    const own = known.get(settings) ?? new Map<string, Surroundings | undefined>()
    known.set(settings, own)
    if (!own.has(locale.code)) own.set(locale.code, surroundingsOf(settings, locale, withLists(settings)))
    return own.get(locale.code)
  }

  function withLists(settings: Settings): LinkablePages {
    const fronts = new Set(frontsOf(listedArticles(articles), settings.locales))
    return { ...pages, exists: (path) => pages.exists(path) || fronts.has(path) }
  }
}

function linkablePages(
  at: ReadonlyMap<string, TranslatedFacts>,
  sharing: readonly TranslatedFacts[],
): LinkablePages {
  const first = new Map<string, string>()
  for (const { path, translated } of sharing) {
    if (translated === undefined) continue
    const name = `${translated.locale} ${translated.key}`
    const other = first.get(name)
    // Of two pages that claim to be the same one, the one with the first path counts, as for the language switch.
    if (other === undefined || path < other) first.set(name, path)
  }
  return {
    exists: (path) => at.has(path),
    translatedAt: (path) => at.get(path)?.translated ?? null,
    pageIn: (code, key) => first.get(`${code} ${key}`) ?? null,
  }
}

function byPath(facts: readonly TranslatedFacts[]): ReadonlyMap<string, TranslatedFacts> {
  return new Map(facts.map((page) => [page.path, page]))
}
