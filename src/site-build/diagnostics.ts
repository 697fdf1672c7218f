import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { linksResolved } from '../content-folder/file-links.ts'
import { SITE_FILE } from '../content-folder/site-file.ts'
import type { PageId } from '../domain/ids.ts'
import type { Warning } from '../domain/live-page.ts'
import { pathFolder } from '../domain/route.ts'
import { type DeadLink, deadLinks, type Places } from '../publish/pipeline/dead-links.ts'
import { SEARCH_MANIFEST, SEARCH_SHARDS } from '../render/search/search-index.ts'
import { type LineFinder, lineFinder } from './line-finder.ts'
import { siteLinks } from './site-links.ts'
import { idOf } from './stable-ids.ts'
import type { BuildState } from './state/build-state.ts'
import type { BuiltPage } from './state/built-page.ts'

/** Something in the folder that a reader of the site would stumble over; it was built nevertheless. */
export interface Complaint {
  /** Relative to the content folder. */
  readonly file: string
  /** From 1; null where it is not known. */
  readonly line: number | null
  readonly message: string
}

/** What was said before, and which files were edited since. */
interface Before {
  readonly complaints: readonly Complaint[]
  readonly edited: readonly string[]
}

/**
 * What is to be said of the pages after a build, sorted by file and line.
 *
 * @param after but for its search index, which may be made meanwhile.
 * @param since null where more than what stands in some pages may have changed.
 */
export function complaintsNow(
  folder: string,
  before: BuildState,
  after: BuildState,
  since: Before | null,
): readonly Complaint[] {
  if (since === null) return complaintsOf(folder, after)
  const edited = since.edited.flatMap((source) => after.pages.get(idOf('page', source)) ?? [])
  const pages = new Set([...edited, ...askingFor(placesMoved(edited, before), after)])
  const sources = new Set([...since.edited, ...[...pages].map(({ source }) => source)])
  const others = since.complaints.filter(({ file }) => file !== SITE_FILE && !sources.has(file))
  return [...others, ...complaintsOf(folder, after, [...pages])].sort(byPlace)
}

/** Keys of the pages of which the places that links can lead to are others now. */
function placesMoved(edited: readonly BuiltPage[], { pages }: BuildState): ReadonlySet<string> {
  const isMoved = ({ facts, said: { anchors } }: BuiltPage) =>
    JSON.stringify(anchors) !== JSON.stringify(pages.get(facts.id)?.said.anchors)
  return new Set(edited.filter(isMoved).map(({ facts }) => `${pathFolder(facts.path)}index.html`))
}

function askingFor(keys: ReadonlySet<string>, { pages }: BuildState): readonly BuiltPage[] {
  if (keys.size === 0) return []
  return [...pages.values()].filter(({ placesAsked }) => placesAsked.some((key) => keys.has(key)))
}

/** What is to be said of the pages, and of what stands on all of them, sorted by file and line. */
export function complaintsOf(
  folder: string,
  state: BuildState,
  pages: readonly BuiltPage[] = [...state.pages.values()],
): readonly Complaint[] {
  const known = placesOf(state)
  // Where its links lead is for the client to say that shows it.
  const isSealed = state.site?.site.hostingMode === 'data_mode'
  const addresses = addressesOf(state)
  const files = filesOf(state)
  const complaints: Complaint[] = isSealed ? [] : [...siteComplaints(folder, state, known)]
  for (const page of pages) {
    const { warnings, links } = page.said
    const dead = isSealed ? [] : deadLinks(page.facts.path, links, known, files)
    if (dead.length + warnings.length === 0) continue
    const text = readFileSync(join(folder, page.source), 'utf8')
    const lineOf = lineFinder(page.source, linksResolved(text, page.source, addresses))
    complaints.push(
      ...warnings.map((warning) => complaintOf(page.source, warning, lineOf)),
      ...deadComplaints(page.source, dead, lineOf),
    )
  }
  return complaints.sort(byPlace)
}

/** @param warning what rendering the page of this file led to. */
export function complaintOf(file: string, { at, message, written }: Warning, lineOf: LineFinder): Complaint {
  return { file, line: at === null ? null : lineOf(at, written), message: placedMessage(at, message) }
}

/** The place as it is written in a file, where sections stand at the top and Markdown beneath it all. */
function placedMessage(at: string | null, message: string): string {
  if (at === null || at === 'markdown_content') return message
  return `${at.replace(/^config\.(?=sections\b)/, '')}: ${message}`
}

/** What the settings lead to is looked for from the top of the site. */
function siteComplaints(
  folder: string,
  state: BuildState,
  known: Lookup<Places | null>,
): readonly Complaint[] {
  const { site } = state
  const dead = site === null ? [] : deadLinks('/', siteLinks(site.settings), known, filesOf(state))
  if (dead.length === 0) return []
  const text = readFileSync(join(folder, SITE_FILE), 'utf8')
  return deadComplaints(SITE_FILE, dead, lineFinder(SITE_FILE, text))
}

function deadComplaints(file: string, dead: readonly DeadLink[], lineOf: LineFinder): readonly Complaint[] {
  return dead.map(({ link: { at, href }, message }) => ({ file, line: lineOf(at, href), message }))
}

export function byPlace(a: Complaint, b: Complaint): number {
  return a.file === b.file ? (a.line ?? 0) - (b.line ?? 0) : a.file < b.file ? -1 : 1
}

/** Keys of files, those of the search index included: it is made meanwhile. */
function filesOf({ files }: BuildState): Pick<ReadonlySet<string>, 'has'> {
  return { has: (key) => files.has(key) || key === SEARCH_MANIFEST || key.startsWith(SEARCH_SHARDS) }
}

/** What lies at each key that a link can lead to, with the places of the page behind it. */
function placesOf({ pages, files }: BuildState): Lookup<Places | null> {
  return {
    get(key) {
      const file = files.get(key)
      if (file?.owner?.kind !== 'page') return file && null
      const page = pages.get(file.owner.id as PageId)
      // What it says is read only for those who ask for a place: few links do.
      return page === undefined ? null : { includes: (place) => page.said.anchors.includes(place) }
    },
  }
}

/** Where each file of the content folder is read. */
function addressesOf({ pages, files }: BuildState): Lookup<string> {
  return {
    get(source) {
      const page = pages.get(idOf('page', source))
      if (page !== undefined) return page.facts.path
      const key = source.replace(/^static\//, '')
      return key !== source && files.has(key) ? `/${key}` : undefined
    },
  }
}

interface Lookup<Value> {
  get(key: string): Value | undefined
}
