import { isDeepStrictEqual } from 'node:util'
import { MAX_FILE_BYTES, MAX_FILES } from '../content-folder/list-files.ts'
import { addressText, nearestIndex } from '../content-folder/parents.ts'
import { readSiteTexts } from '../content-folder/read-site.ts'
import type { Site, SitePage } from '../content-folder/site.ts'
import { SITE_FILE } from '../content-folder/site-file.ts'
import { type Diagnostic, diagnostic } from '../domain/diagnostic.ts'
import { ServiceError } from '../domain/errors.ts'
import { publicPath } from '../domain/route.ts'
import { DEFAULT_SETTINGS, type Settings } from '../domain/settings.ts'
import { SETTING_KEYS, settingFileName, settingsToFields } from '../fields/settings-record.ts'
import { bodyOf } from '../page-text/front-matter.ts'
import type { ExportedPage, ExportedProject } from './exported-project.ts'
import { digestOf, MANIFEST_FILE, type Manifest, manifestText, type PageValues } from './manifest.ts'
import { pageText } from './page-text.ts'
import { ownSettings, siteText } from './site-text.ts'

/** A project as files. */
export interface Export {
  /** The content folder, by path. */
  readonly texts: ReadonlyMap<string, string>
  /** What only the manifest can say. */
  readonly manifest: string
  readonly notes: readonly ExportNote[]
}

/** What whoever exports ought to know of a file. */
export interface ExportNote {
  readonly file: string
  readonly message: string
}

/** How far a content folder can hold the project. */
interface Limits {
  /** Names of fields that a file cannot hold, by file. */
  readonly omitted: ReadonlyMap<string, ReadonlySet<string>>
  /** Files of pages that it cannot hold beside the others, and why. */
  readonly excluded: ReadonlyMap<string, string>
}

/**
 * The project as a content folder without faults, and what that cannot say beside it: together they are
 * all of it. The same project gives the same bytes, on every service.
 *
 * @throws {ServiceError} `validation_error` when it has more pages than a content folder files.
 */
export function exportFiles(project: ExportedProject): Export {
  if (project.pages.length >= MAX_FILES)
    throw new ServiceError('validation_error', `A content folder has at most ${MAX_FILES} files.`)
  let holding: Limits = { omitted: new Map(), excluded: pathConflicts(project) }
  for (;;) {
    const texts = textsOf(project, holding)
    const { site, errors: faults } = readSiteTexts(texts)
    const larger = [...texts].filter(([, text]) => Buffer.byteLength(text) > MAX_FILE_BYTES)
    const all = [...faults, ...larger.map(([file]) => tooLarge(file))]
    if (all.length === 0) return assembled(project, holding, texts, site)
    if (holding.excluded.has(SITE_FILE)) throw new Error(`${SITE_FILE} cannot be written: ${all[0]?.message}`)
    holding = all.reduce(narrowed, holding)
  }
}

/** Of several pages with one path, all but the live one, or the first. */
function pathConflicts({ pages, settings }: ExportedProject): ReadonlyMap<string, string> {
  const holders = new Map<string, SitePage>()
  for (const { page } of pages) {
    const path = publicPath(page, settings.siteRoutes)
    const holder = holders.get(path)
    if (holder === undefined || (holder.draft && !page.draft)) holders.set(path, page)
  }
  const without = pages.flatMap(({ page }) => {
    const path = publicPath(page, settings.siteRoutes)
    const holder = holders.get(path)
    return holder === page ? [] : [[page.source, `${path} is the path of ${holder?.source} too.`] as const]
  })
  return new Map(without)
}

function textsOf(
  project: ExportedProject,
  { omitted, excluded: aside }: Limits,
): ReadonlyMap<string, string> {
  const held = project.pages.map(({ page }) => page).filter(({ source }) => !aside.has(source))
  const docs = new Set(held.filter(({ type }) => type === 'docs').map(addressText))
  const isDocs = (address: Parameters<typeof addressText>[0]) => docs.has(addressText(address))
  const pages = held.map((page) => {
    const isParentHeld = page.parent === null || isDocs(page.parent)
    const names = [...(omitted.get(page.source) ?? []), ...(isParentHeld ? [] : ['parent'])]
    const writing = { impliedParent: nearestIndex(page, isDocs), omitted: new Set(names) }
    return [page.source, pageText(page, writing)] as const
  })
  return new Map([[SITE_FILE, siteText(project, omitted.get(SITE_FILE) ?? new Set())], ...pages])
}

function tooLarge(file: string): Diagnostic {
  return diagnostic('QN-FILE-TOO-LARGE', file, 'It is too large for a content folder.')
}

/** What is faulty is left out of the file; a page that is so as a whole, of the folder. */
function narrowed({ omitted, excluded: aside }: Limits, { file, line, field, message }: Diagnostic): Limits {
  const before = omitted.get(file) ?? new Set()
  const names = field === null ? (line === null ? [] : LARGE_FIELDS) : [/^[^.[]*/.exec(field)?.[0] ?? field]
  const after = new Set([...before, ...(file === SITE_FILE && field === null ? SITE_FIELDS : names)])
  if (after.size > before.size) return { omitted: new Map([...omitted, [file, after]]), excluded: aside }
  return { omitted, excluded: new Map([...aside, [file, message]]) }
}

/** Left out where the YAML as a whole is refused. */
const LARGE_FIELDS = ['config', 'sections', 'fields']
const SITE_FIELDS = SETTING_KEYS.map(settingFileName)

function assembled(
  project: ExportedProject,
  { excluded: aside }: Limits,
  texts: ReadonlyMap<string, string>,
  site: Site,
): Export {
  const textOf = (file: string) => texts.get(file) ?? ''
  const read = new Map(site.pages.map((page) => [page.source, page]))
  const pages: Record<string, Manifest['pages'][string]> = {}
  const apart: Manifest['aside'][number][] = []
  const notes: ExportNote[] = [...projectNotes(project)]
  for (const exported of project.pages) {
    const { page, isArchived, scheduled } = exported
    const state = { ...(isArchived && { isArchived }), ...(scheduled !== null && { scheduled }) }
    const found = read.get(page.source)
    if (found === undefined) {
      apart.push({ ...page, ...state })
      notes.push({ file: page.source, message: `It has no file: ${aside.get(page.source)}` })
    } else {
      const values = changedValues(page, withWrittenMarkdown(found, textOf(page.source)))
      pages[page.source] = {
        digest: digestOf(textOf(page.source)),
        ...state,
        ...(Object.keys(values).length > 0 && { values }),
      }
      notes.push(...pageNotes(exported, Object.keys(values)))
    }
  }
  const settings = settingsDifference(project.settings, site.settings)
  const missing = Object.keys(settingsToFields('file', settings))
  if (missing.length > 0) notes.unshift({ file: SITE_FILE, message: onlyInManifest(missing) })
  const manifest = {
    home: project.details,
    site: {
      digest: digestOf(textOf(SITE_FILE)),
      ...(site.name !== project.name && { name: project.name }),
      ...(missing.length > 0 && { settings }),
    },
    pages,
    aside: apart,
  }
  return { texts, manifest: manifestText(manifest), notes }
}

/** A page with its Markdown to the letter, which readers of content folders mend a little. */
export function withWrittenMarkdown(page: SitePage, text: string): SitePage {
  return page.source.endsWith('.md') ? { ...page, markdown: bodyOf(text) } : page
}

/** What a page says that was not read from its file. */
function changedValues(page: SitePage, read: SitePage): Partial<PageValues> {
  const { source: _, draft: __, ...values } = page
  const names = Object.keys(values) as readonly (keyof PageValues)[]
  return Object.fromEntries(
    names.filter((name) => !isDeepStrictEqual(values[name], read[name])).map((name) => [name, values[name]]),
  )
}

function settingsDifference(settings: Settings, read: Partial<Settings>): Partial<Settings> {
  const all: Settings = { ...DEFAULT_SETTINGS, ...read }
  const own = Object.entries(ownSettings(settings))
  return Object.fromEntries(
    own.filter(([key, value]) => !isDeepStrictEqual(value, all[key as keyof Settings])),
  )
}

function projectNotes({ details, isSuspended }: ExportedProject): readonly ExportNote[] {
  const isSealed = details.hosting.mode === 'data_mode'
  return [
    ...(isSealed ? [{ file: SITE_FILE, message: DATA_MODE_NOTE }] : []),
    ...(isSuspended
      ? [{ file: SITE_FILE, message: 'The project is suspended; what is imported is not.' }]
      : []),
  ]
}

const DATA_MODE_NOTE =
  'The project is in Data Mode: whoever reads this folder reads its pages, and quoin build shows them unless it is told --data-mode.'

function pageNotes({ page, isEdited }: ExportedPage, missing: readonly string[]): readonly ExportNote[] {
  const file = page.source
  return [
    ...(missing.length > 0 ? [{ file, message: onlyInManifest(missing) }] : []),
    ...(isEdited
      ? [
          {
            file,
            message: 'It was edited since it was published; the edits come along, what is live does not.',
          },
        ]
      : []),
  ]
}

function onlyInManifest(names: readonly string[]): string {
  return `A content folder cannot hold its ${names.join(', ')}: kept in ${MANIFEST_FILE}, for quoin import alone.`
}
