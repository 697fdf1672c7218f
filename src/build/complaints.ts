import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { deadLinks } from '../publish/dead-links.ts'
import { linksResolved } from '../site/file-links.ts'
import type { BuildState } from './build-state.ts'
import { lineFinder } from './line-finder.ts'

/** Something in the folder that a reader of the site would stumble over; it was built nevertheless. */
export interface Complaint {
  /** Relative to the content folder. */
  readonly file: string
  /** From 1; null where it is not known. */
  readonly line: number | null
  readonly message: string
}

/** What is to be said of the pages as they were built, sorted by file and line. */
export async function complaintsOf(folder: string, state: BuildState): Promise<readonly Complaint[]> {
  const known = placesOf(state)
  // Where its links lead is for the client to say that shows it.
  const isSealed = state.site?.site.hostingMode === 'data_mode'
  const addresses = new Map([
    ...Object.keys(state.files).map((key) => [`static/${key}`, `/${key}`] as const),
    ...Object.values(state.pages).map(({ source, facts }) => [source, facts.path] as const),
  ])
  const files = new Set(Object.keys(state.files))
  const complaints: Complaint[] = []
  for (const page of Object.values(state.pages)) {
    const dead = isSealed ? [] : deadLinks(page.facts.path, page.links, known, files)
    if (dead.length + page.warnings.length === 0) continue
    const text = await readFile(join(folder, page.source), 'utf8')
    const lineOf = lineFinder(page.source, linksResolved(text, page.source, addresses))
    complaints.push(
      ...page.warnings.map(({ at, message, written }) => ({
        file: page.source,
        line: at === null ? null : lineOf(at, written),
        // As it is written in a file, where sections stand at the top.
        message: at === null ? message : `${at.replace(/^config\.(?=sections\b)/, '')}: ${message}`,
      })),
      ...dead.map(({ link: { at, href }, message }) => ({
        file: page.source,
        line: lineOf(at, href),
        message,
      })),
    )
  }
  return complaints.sort((a, b) =>
    a.file === b.file ? (a.line ?? 0) - (b.line ?? 0) : a.file < b.file ? -1 : 1,
  )
}

/** What lies at each key that a link can lead to, with the places of the page behind it. */
function placesOf({ pages, files }: BuildState): ReadonlyMap<string, readonly string[] | null> {
  const known = new Map<string, readonly string[] | null>(Object.keys(files).map((key) => [key, null]))
  for (const { facts, anchors } of Object.values(pages))
    known.set(facts.path === '/' ? 'index.html' : `${facts.path.slice(1)}/index.html`, anchors)
  return known
}
