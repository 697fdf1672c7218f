import type { ProjectId } from './ids.ts'
import { normalForm } from './normal-form.ts'
import { decodedPath, pathFolder } from './route.ts'

/* Counting of visits: what is counted, of whom, and how much of it at most. */

/** A program that reads pages, or a person. */
export type Visitor = 'person' | 'agent'

/** The event that a row counts: reads of a page, requests of an address without one, or searches without a result. */
export type VisitKind = 'page' | 'missing' | 'search'

/** Reads of one path, or searches for one term, on one day. */
export interface VisitCount {
  readonly projectId: ProjectId
  /** UTC, `2026-11-28`. */
  readonly day: string
  readonly kind: VisitKind
  /** A path or a term. Empty for all beyond the limit of a day. */
  readonly name: string
  readonly people: number
  readonly agents: number
}

/** Names that a project has on one day; the others share one row. Sums stay exact. */
export const MAX_NAMES_OF_DAY: Readonly<Record<VisitKind, number>> = {
  page: 2_000,
  missing: 200,
  search: 200,
}

/** Days that counts are stored. */
export const VISIT_DAYS = 400
/** A term that was searched less often may be about a person: it is not shown, and deleted after `RARE_TERM_DAYS`. */
export const SHOWN_SEARCHES = 3
export const RARE_TERM_DAYS = 30

/** A path that is longer, in UTF-16 code units, shares the row of the others. */
const MAX_PATH = 500
const MAX_TERM = 64

/** The path of a site where its pages report a read. */
export const VISITS_PATH = '/_visits'

const PAGE_FILE = /\/index\.(html|md)$/
const LLMS_FILE = /\/llms(-full)?\.txt$/

/**
 * The path that a visit counts for: a page and its Markdown have one. Null for paths that no page has.
 *
 * @param sitePath percent-encoded, with a leading slash.
 */
export function visitedPath(sitePath: string): string | null {
  const path = normalForm(decodedPath(sitePath) ?? '').toWellFormed()
  if (!path.startsWith('/') || path.startsWith('/_') || path.includes('\0')) return null
  const page = path.replace(PAGE_FILE, '').replace(/\/$/, '')
  if (page.length > MAX_PATH) return ''
  return page === '' ? '/' : page
}

/** Reports whether an agent that requests this file reads content: a page, its Markdown, or a text for models. */
export function isReading(sitePath: string): boolean {
  return sitePath.endsWith('/') || PAGE_FILE.test(sitePath) || LLMS_FILE.test(sitePath)
}

/** The key of the object that a path counts as a page for. */
export function visitedKey(path: string): string {
  return LLMS_FILE.test(path) ? path.slice(1) : `${pathFolder(path)}index.html`
}

/** A mail address, or digits as of a telephone or a card. */
const PERSONAL = /@|(?:\d[\s./-]?){6}/

/** A search term as it is counted; null when it is empty or seems to be about a person. */
export function searchedTerm(text: string): string | null {
  const term = normalForm(text.toWellFormed())
    .replace(/[\s\p{C}]+/gu, ' ')
    .trim()
    .toLowerCase()
  if (term === '' || PERSONAL.test(term)) return null
  return [...term].slice(0, MAX_TERM).join('').trim()
}

/**
 * Words in the names of programs; most have one. Programs that claim to be a browser count as people only if they run
 * the script of a page.
 */
const AGENT_WORDS = [
  // GPTBot, ClaudeBot, Googlebot, bingbot, Applebot, PerplexityBot. Cubot is a telephone.
  '(?<!cu)bot',
  'crawler',
  'spider',
  // ChatGPT-User, Claude-User, Perplexity-User, MistralAI-User
  '-user\\b',
  // meta-externalagent, meta-externalfetcher, facebookexternalhit
  'external(?:agent|fetcher|hit)',
  'googleother',
  'headless',
  'lighthouse',
  'curl/',
  'wget/',
  'python',
  'axios/',
  'go-http-client',
]
const AGENT = new RegExp(AGENT_WORDS.join('|'), 'i')
/** Maximum of a header, which may have 16 KB. */
const MAX_AGENT = 500

export function isAgent(userAgent: string): boolean {
  return AGENT.test(userAgent.slice(0, MAX_AGENT))
}
