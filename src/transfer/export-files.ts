import { isDeepStrictEqual } from 'node:util'
import { SITE_FILE } from '../content-folder/file-kind.ts'
import { MAX_FILE_BYTES, MAX_FILES } from '../content-folder/list-files.ts'
import { addressText, nearestIndex } from '../content-folder/parents.ts'
import { readSiteTexts } from '../content-folder/read-site.ts'
import { REDIRECTS_FILE } from '../content-folder/redirects.ts'
import type { Site, SitePage } from '../content-folder/site.ts'
import { type Diagnostic, diagnostic } from '../domain/diagnostic.ts'
import { ServiceError } from '../domain/errors.ts'
import { publicPath } from '../domain/route.ts'
import { DEFAULT_SETTINGS, type Settings } from '../domain/settings.ts'
import { SETTING_KEYS, settingFileName, settingsToFields } from '../fields/settings-record.ts'
import { bodyOf } from '../page-text/front-matter.ts'
import { writeYaml } from '../page-text/write-yaml.ts'
import { type AssetPlace, placeAssets } from './asset-places.ts'
import type { ExportedAsset, ExportedPage, ExportedProject } from './exported-project.ts'
import { digestOf, MANIFEST_FILE, type Manifest, type PageValues } from './manifest.ts'
import { pageText } from './page-text.ts'
import { ownSettings, siteText } from './site-text.ts'

/** A project as the files of an export. */
export interface Export {
  /** The files of the content folder, by path. */
  readonly texts: ReadonlyMap<string, string>
  /** The manifest without the assets. */
  readonly manifest: Omit<Manifest, 'format' | 'assets'>
  /** The images and files, without their bytes. */
  readonly assets: readonly PlacedAsset[]
  /** Parts of the project that the content folder does not contain. */
  readonly notes: readonly Diagnostic[]
}

export interface PlacedAsset extends ExportedAsset {
  readonly place: AssetPlace
}

/** Parts of the project that cannot be written to the content folder. */
interface Limits {
  /** Names of fields that a file cannot have, by file. */
  readonly omitted: ReadonlyMap<string, ReadonlySet<string>>
  /** The reason why a page gets no file, by its file. */
  readonly excluded: ReadonlyMap<string, string>
}

/**
 * Writes a project as a content folder without errors and a manifest for everything else. The same project gives
 * the same bytes on every service.
 *
 * @throws {ServiceError} `validation_error` when the project has more pages than a content folder may have files.
 */
export function exportFiles(project: ExportedProject): Export {
  if (project.pages.length >= MAX_FILES)
    throw new ServiceError(
      'validation_error',
      `The project has too many pages: a content folder has at most ${MAX_FILES} files.`,
    )
  let limits: Limits = { omitted: new Map(), excluded: pathConflicts(project) }
  for (;;) {
    const texts = textsOf(project, limits)
    const { site, errors: siteErrors } = readSiteTexts(withoutRedirects(texts))
    const errors =
      siteErrors.length > 0 || !texts.has(REDIRECTS_FILE) ? siteErrors : readSiteTexts(texts).errors
    const larger = [...texts].filter(([, text]) => Buffer.byteLength(text) > MAX_FILE_BYTES)
    const all = [...errors, ...larger.map(([file]) => tooLarge(file))]
    if (all.length === 0) return assembled(project, limits, texts, site)
    if (limits.excluded.has(SITE_FILE)) throw new Error(`${SITE_FILE} cannot be written: ${all[0]?.message}`)
    limits = all.reduce(narrowed, limits)
  }
}

/** The pages as they are, without the redirects that a build gives them. */
function withoutRedirects(texts: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  return new Map([...texts].filter(([file]) => file !== REDIRECTS_FILE))
}

/** Pages whose path another page has. The live page, or else the first one, keeps its file. */
function pathConflicts({ pages, settings }: ExportedProject): ReadonlyMap<string, string> {
  const owners = new Map<string, SitePage>()
  for (const { page } of pages) {
    const path = publicPath(page, settings.siteRoutes)
    const owner = owners.get(path)
    if (owner === undefined || (owner.draft && !page.draft)) owners.set(path, page)
  }
  const conflicts = pages.flatMap(({ page }) => {
    const path = publicPath(page, settings.siteRoutes)
    const owner = owners.get(path)
    return owner === page ? [] : [[page.source, `${owner?.source} has the same path, ${path}.`] as const]
  })
  return new Map(conflicts)
}

function textsOf(project: ExportedProject, { omitted, excluded }: Limits): ReadonlyMap<string, string> {
  const included = project.pages.map(({ page }) => page).filter(({ source }) => !excluded.has(source))
  const docs = new Set(included.filter(({ type }) => type === 'docs').map(addressText))
  const isDocs = (address: Parameters<typeof addressText>[0]) => docs.has(addressText(address))
  const pages = included.map((page) => {
    const isParentIncluded = page.parent === null || isDocs(page.parent)
    const names = [...(omitted.get(page.source) ?? []), ...(isParentIncluded ? [] : ['parent'])]
    const options = { impliedParent: nearestIndex(page, isDocs), omitted: new Set(names) }
    return [page.source, pageText(page, options)] as const
  })
  const lost = omitted.get(REDIRECTS_FILE) ?? new Set()
  const redirects = project.redirects.filter(([from]) => !lost.has(from))
  return new Map([
    [SITE_FILE, siteText(project, omitted.get(SITE_FILE) ?? new Set())],
    ...(redirects.length === 0 || excluded.has(REDIRECTS_FILE)
      ? []
      : [[REDIRECTS_FILE, writeYaml(Object.fromEntries(redirects))] as const]),
    ...pages,
  ])
}

function tooLarge(file: string): Diagnostic {
  return diagnostic('QN-FILE-TOO-LARGE', file, 'The file is too large for a content folder.')
}

/** Leaves out the field of an error. When that is not enough, leaves out the page. */
function narrowed({ omitted, excluded }: Limits, { file, line, field, message }: Diagnostic): Limits {
  const previous = omitted.get(file) ?? new Set()
  if (file === REDIRECTS_FILE && field !== null)
    return { omitted: new Map([...omitted, [file, new Set([...previous, field])]]), excluded }
  const names = field === null ? (line === null ? [] : LARGE_FIELDS) : [/^[^.[]*/.exec(field)?.[0] ?? field]
  const next = new Set([...previous, ...(file === SITE_FILE && field === null ? SITE_FIELDS : names)])
  if (next.size > previous.size) return { omitted: new Map([...omitted, [file, next]]), excluded }
  return { omitted, excluded: new Map([...excluded, [file, message]]) }
}

/** Fields to leave out when the whole YAML is refused. */
const LARGE_FIELDS = ['config', 'sections', 'fields']
const SITE_FIELDS = SETTING_KEYS.map(settingFileName)

function assembled(
  project: ExportedProject,
  { omitted, excluded }: Limits,
  texts: ReadonlyMap<string, string>,
  site: Site,
): Export {
  const textOf = (file: string) => texts.get(file) ?? ''
  const read = new Map(site.pages.map((page) => [page.source, page]))
  const pages: Record<string, Manifest['pages'][string]> = {}
  const withoutFile: Manifest['aside'][number][] = []
  const notes: Diagnostic[] = [...projectNotes(project), ...redirectNotes(omitted.get(REDIRECTS_FILE))]
  for (const exported of project.pages) {
    const { page, isArchived, scheduled } = exported
    const state = { ...(isArchived && { isArchived }), ...(scheduled !== null && { scheduled }) }
    const found = read.get(page.source)
    if (found === undefined) {
      withoutFile.push({ ...page, ...state })
      notes.push(
        diagnostic('QN-NOT-EXPORTED', page.source, `The page has no file. ${excluded.get(page.source)}`),
      )
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
  if (missing.length > 0) notes.unshift(diagnostic('QN-NOT-EXPORTED', SITE_FILE, onlyInManifest(missing)))
  const manifest = {
    home: project.details,
    site: {
      digest: digestOf(textOf(SITE_FILE)),
      ...(site.name !== project.name && { name: project.name }),
      ...(missing.length > 0 && { settings }),
    },
    pages,
    aside: withoutFile,
    ...(texts.has(REDIRECTS_FILE) && { redirects: { digest: digestOf(textOf(REDIRECTS_FILE)) } }),
  }
  return { texts, manifest, assets: placedAssets(project), notes }
}

function placedAssets(project: ExportedProject): readonly PlacedAsset[] {
  const names = project.assets.map(({ name }) => name)
  const places = placeAssets(project, names)
  return project.assets.map((asset) => ({ ...asset, place: places.get(asset.name) ?? 'aside' }))
}

/** A page with the exact Markdown of its file. Reading a content folder normalizes it. */
export function withWrittenMarkdown(page: SitePage, text: string): SitePage {
  return page.source.endsWith('.md') ? { ...page, markdown: bodyOf(text) } : page
}

/** The values of a page with another value in its file. */
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

function projectNotes({ details, isSuspended }: ExportedProject): readonly Diagnostic[] {
  const messages = [
    ...(details.hosting.mode === 'data_mode' ? [DATA_MODE_NOTE] : []),
    ...(isSuspended ? ['The project is suspended. An imported project is not.'] : []),
  ]
  return messages.map((message) => diagnostic('QN-NOT-EXPORTED', SITE_FILE, message))
}

/** Notes on redirects that are left out: a page or a file has their path, so that they do not work. */
function redirectNotes(omitted: ReadonlySet<string> = new Set()): readonly Diagnostic[] {
  return [...omitted].map((from) =>
    diagnostic(
      'QN-NOT-EXPORTED',
      REDIRECTS_FILE,
      `Something else is at ${from}, so its redirect is left out.`,
    ),
  )
}

const DATA_MODE_NOTE =
  'The project is in Data Mode, but this folder is not encrypted. Build it with quoin build --data-mode.'

function pageNotes({ page, isEdited }: ExportedPage, missing: readonly string[]): readonly Diagnostic[] {
  const messages = [
    ...(missing.length > 0 ? [onlyInManifest(missing)] : []),
    ...(isEdited
      ? ['The page was edited since it was published. The edits are exported, the live version is not.']
      : []),
  ]
  return messages.map((message) => diagnostic('QN-NOT-EXPORTED', page.source, message))
}

function onlyInManifest(names: readonly string[]): string {
  return `A content folder cannot hold these fields: ${names.join(', ')}. They are in ${MANIFEST_FILE}, which only quoin import reads.`
}
