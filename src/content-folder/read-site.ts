import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { byPosition, type Diagnostic, diagnostic } from '../domain/diagnostic.ts'
import type { JsonObject } from '../domain/json.ts'
import { type ListFault, listFault } from '../domain/listing.ts'
import { pathFault, publicPath, type SiteRoutes } from '../domain/route.ts'
import type { Settings } from '../domain/settings.ts'
import { withSiteAuthor } from '../domain/site-author.ts'
import { STATIC_FAVICONS } from '../domain/site-icons.ts'
import { resolvedFields } from '../page-text/derive.ts'
import {
  expandReference,
  mayHoldReference,
  putReference,
  type ReferenceReading,
  readReference,
} from './api-reference.ts'
import { type AssetFiles, type AssetReference, readAssets, referredAssets, siteAssets } from './assets.ts'
import { isDataFile, readDataFiles } from './data-files.ts'
import { docsNavErrors } from './docs-nav.ts'
import { fileKind, SITE_FILE, STATIC_FOLDER } from './file-kind.ts'
import { type Addresses, addressesOf, withFileLinks } from './file-links.ts'
import { fileBytes, textUnlessGone, withPlainLineEnds } from './file-text.ts'
import { type IncludableFiles, isIncludeFile, mayIncludeOthers, withIncludes } from './includes.ts'
import { type FileList, listFiles, NO_FILES } from './list-files.ts'
import { outlineOf, type PageOutline } from './outline.ts'
import { mayBeDownload } from './page-by-content.ts'
import { type FolderTypes, type PageFile, type PageReading, readPage } from './page-file.ts'
import { extraReadmes } from './page-name.ts'
import { type PlacedFile, withParents } from './parents.ts'
import { REDIRECTS_FILE, redirectErrors, withRedirectsFile } from './redirects.ts'
import type { Site, SitePage } from './site.ts'
import { MISSING_SITE_FILE, readSiteFile } from './site-file.ts'
import { readSkills } from './skills.ts'

/**
 * Reads a content folder: `site.yaml` with the name and settings, pages as Markdown, YAML or JSON files, the unchanged
 * files of `static/`, and attachments, which are served where a page names them. The docs page
 * `docs/reference/content-folders` describes the format.
 *
 * Nothing outside the folder is read. Invalid files are reported as errors, all of them, sorted by position, and are
 * not part of the site. References to pages are checked only when each page is valid by itself.
 *
 * @param ignoredFolder a subfolder that is not content, usually the output folder.
 * @param expandsIncludes false to leave lines that include other texts as they are written.
 * @throws the file system's error if the folder or a file cannot be read.
 */
export async function readSite(
  folder: string,
  ignoredFolder: string | null = null,
  expandsIncludes = true,
): Promise<SiteReading> {
  return assembleSite(folder, listFiles(folder, ignoredFolder), {
    textOf: (path) => textUnlessGone(join(folder, path)),
    expandsIncludes,
    readPage,
    readReference,
    finishPage: (_, __, finish) => finish(),
  })
}

export interface SiteReading {
  readonly site: Site
  readonly errors: readonly Diagnostic[]
  /** Files that are left out of the site, by position. */
  readonly warnings: readonly Diagnostic[]
  /** Attachments without a reference to them. They are not part of the site. */
  readonly unused: readonly string[]
  /** References of style sheets and SVGs of the site to its files. */
  readonly references: readonly AssetReference[]
  /** One outline per page of the site. */
  readonly outlines: readonly PageOutline[]
  /** Files with values that all templates receive. */
  readonly dataFiles: readonly string[]
}

/** Reads texts as `readSite` reads files. @param texts by path in the content folder. */
export function readSiteTexts(texts: ReadonlyMap<string, string>): SiteReading {
  const extra = extraReadmes([...texts.keys()])
  const files = [...texts.keys()].filter((path) => !extra.has(path)).toSorted()
  return assembleSite(
    null,
    { ...NO_FILES, files },
    {
      textOf: (path) => withPlainLineEnds(texts.get(path) ?? ''),
      expandsIncludes: false,
      readPage,
      readReference,
      finishPage: (_, __, finish) => finish(),
    },
  )
}

/** The steps that `createSiteReader` caches. */
interface ReadingSteps {
  /** The text of a file. Null if it is not UTF-8, undefined if the file no longer exists. */
  textOf(path: string): string | null | undefined
  readonly expandsIncludes: boolean
  readPage(path: string, text: string, types: FolderTypes): PageReading
  /** @param file of the description of an API. */
  readReference(file: string, text: string): ReferenceReading
  /** @param dependencies everything besides `file` that `finish` depends on, as one string. */
  finishPage(file: PlacedFile, dependencies: string, finish: () => SitePage): SitePage
}

function deadReference({ file, line, target }: AssetReference): Diagnostic {
  const message = `${target} leads to no file of the folder.`
  return diagnostic('QN-DEADLINK', file, message, { line })
}

/** Combines files into a site. @param folder null if the texts come from no folder. */
export function assembleSite(folder: string | null, listed: FileList, steps: ReadingSteps): SiteReading {
  const { files } = listed
  const named = readAssets(listed, new Set())
  const siteText = files.includes(SITE_FILE) ? steps.textOf(SITE_FILE) : undefined
  const readOwn = ({ addresses }: AssetFiles) => readSiteFile(siteText ?? undefined, addresses)
  const first = readOwn(named)
  const { types } = first.fields
  const {
    readings: written,
    undecodable,
    downloads,
    descriptions,
    generated,
    including,
  } = readPages(listed, types, steps)
  // The downloads depend on `types`, and the files named in `site.yaml` depend on the downloads.
  const assets = downloads.size === 0 ? named : readAssets(listed, downloads)
  const own = downloads.size === 0 ? first : readOwn(assets)
  const { name, origin, editBase, avif, id, timeZone } = own.fields
  const dataFiles = files.filter((path) => isDataFile(path, types))
  const { data, errors: dataErrors } = readDataFiles(own.fields.settings.data ?? {}, dataFiles, steps.textOf)
  const settings = folderSettings(own.fields.settings, data, files)
  const routes = settings.siteRoutes ?? {}
  const readings = withIncludedTexts(written, including, types, steps, {
    files: new Set(files),
    pageAt: pagesByPath(written, routes),
    textOf: steps.textOf,
    bytesOf: (path) => (folder === null ? 0 : fileBytes(join(folder, path))),
  })

  const current = readings.filter(isValid).flatMap(({ file }) => file ?? [])
  const last = readings.filter((reading) => !isValid(reading)).flatMap(({ file }) => file ?? [])
  const { distinct: distinctPages, errors: duplicates } = withoutDuplicates(current, routes, data)
  const hasRedirects = downloads.has(REDIRECTS_FILE)
  const {
    files: fresh,
    redirects,
    errors: redirectFileErrors,
  } = hasRedirects
    ? withRedirectsFile(distinctPages, steps.textOf(REDIRECTS_FILE) ?? null, routes)
    : { files: distinctPages, redirects: [], errors: [] }
  // Last versions are listed after current ones, and give way to them without an error of their own.
  const { distinct } = withoutDuplicates([...fresh, ...last], routes, data)
  const { placed, errors: parentErrors } = withParents(distinct)
  const addresses = addressesOf(
    placed.map(({ file }) => file.page),
    assets.served,
    routes,
  )
  const dependencies = JSON.stringify([editBase, ...descriptions, ...addresses])
  const pages = placed.map((file) =>
    steps.finishPage(file, dependencies, () => {
      const from = descriptions.get(file.file.page.source)
      return finishPage(file, addresses, editBase, from)
    }),
  )
  const naming = [{ source: SITE_FILE, attachments: own.attachments }, ...pages]
  const referred = referredAssets(assets, siteAssets(assets, naming).assets, steps.textOf)
  const published = siteAssets(assets, [...naming, ...referred.naming])
  const { skills, errors: skillErrors } = readSkills(files, steps.textOf)
  const site: Site = {
    name,
    origin,
    settings,
    pages,
    assets: published.assets,
    avif,
    ...(id !== null && { folderId: id }),
    ...(timeZone !== null && { timeZone }),
    ...(skills.length > 0 && { skills }),
    ...(redirects.length > 0 && { redirects }),
  }
  const outlines = placed.map(({ file, parent }, index) =>
    outlineOf(file, parent, pages[index]?.attachments ?? []),
  )
  const included = new Set(placed.flatMap(({ file }) => file.includes ?? []))
  const served = new Set(published.assets.map(({ source }) => source))
  const unused = files.filter(
    (path) =>
      (fileKind(path) === 'attachment' || downloads.has(path)) &&
      !served.has(path) &&
      !generated.has(path) &&
      path !== REDIRECTS_FILE &&
      !isDataFile(path, types) &&
      !isIncludeFile(path) &&
      !included.has(path),
  )
  const rest = {
    site,
    outlines,
    dataFiles,
    warnings: [...listed.warnings, ...themeWarnings(unused), ...referred.dead.map(deadReference)].toSorted(
      byPosition,
    ),
    unused,
    references: referred.references,
  }

  const isMissing = siteText === undefined && !listed.errors.some(({ file }) => file === SITE_FILE)
  // A folder without site.yaml is probably not a content folder: errors about its other files would only distract.
  if (isMissing && folder !== null)
    return { ...rest, errors: [diagnostic('QN-NO-SITE-FILE', SITE_FILE, missingSiteMessage(folder))] }
  const errors = [
    ...listed.errors,
    ...[...(siteText === null ? [SITE_FILE] : []), ...undecodable].map((file) =>
      diagnostic('QN-BAD-ENCODING', file, 'The file is not UTF-8 text.'),
    ),
    ...own.errors,
    ...(own.knowsTypes ? dataErrors : []),
    ...(own.errors.length > 0 ? [] : duplicates),
    ...(own.knowsTypes ? readings : []).flatMap((reading) => reading.errors),
    ...published.errors,
    ...skillErrors,
  ]
  // A page with an error may be the one that another names.
  const isWhole = readings.every(isValid) && listed.errors.length + undecodable.length === 0
  const referenceErrors =
    own.errors.length > 0
      ? []
      : [
          ...(isWhole ? [...parentErrors, ...docsNavErrors(site, own.placeOf)] : []),
          ...(isWhole ? redirectFileErrors : []),
          ...redirectErrors(fresh, redirects, site.assets, routes),
        ]
  return { ...rest, errors: [...errors, ...referenceErrors].toSorted(byPosition) }
}

/**
 * The settings of a site, extended by other files of its folder: the values for templates, and `static/favicon.svg` or
 * its like as the icon of a site without another.
 */
export function folderSettings(
  settings: Partial<Settings>,
  data: JsonObject,
  files: readonly string[],
): Partial<Settings> {
  const favicon =
    settings.faviconUrl === undefined
      ? STATIC_FAVICONS.find((name) => files.includes(`${STATIC_FOLDER}${name}`))
      : undefined
  return {
    ...settings,
    ...(Object.keys(data).length > 0 && { data }),
    ...(favicon !== undefined && { faviconUrl: `/${favicon}` }),
  }
}

/** Reads pages one at a time: the texts of all pages may not fit into memory together. */
function readPages({ files, large }: FileList, types: FolderTypes, steps: ReadingSteps) {
  const { textOf, readPage, expandsIncludes } = steps
  const readings: PageReading[] = []
  const undecodable: string[] = []
  const downloads = new Set<string>()
  /** Indexes of the pages that may include other texts. */
  const including = new Map<number, IncludingPage>()
  const written = new Set(files)
  /** The description of each generated page. */
  const descriptions = new Map<string, string>()
  for (const path of files) {
    if (fileKind(path) !== 'page' || isDataFile(path, types) || isIncludeFile(path)) continue
    const text = large.has(path) ? null : textOf(path)
    if (text === undefined) continue
    const reference =
      text !== null && mayHoldReference(path, text)
        ? expandReference(path, text, textOf, steps.readReference)
        : null
    const own = text === null ? null : readPage(path, reference?.text ?? text, types)
    const errors = reference?.errors ?? []
    const reading = own === null || errors.length === 0 ? own : { ...own, errors: [...own.errors, ...errors] }
    for (const [page, text] of reference?.pages ?? []) {
      // A file that an author wrote replaces the page.
      if (written.has(page)) continue
      if (reference?.from) descriptions.set(page, reference.from)
      readings.push(readPage(page, text, types))
    }
    if (reading === null ? mayBeDownload(path) : !reading.isPage) downloads.add(path)
    else if (reading === null) undecodable.push(path)
    else {
      const marked = reference?.marked ?? text
      if (expandsIncludes && typeof marked === 'string' && mayIncludeOthers(path, marked))
        including.set(readings.length, { path, text: marked, reference: reference?.index ?? null })
      readings.push(reading)
    }
  }
  const generated = new Set(descriptions.values())
  for (const file of generated) if (fileKind(file) === 'page') downloads.add(file)
  return {
    readings: readings.map((reading) => asPage(reading, generated)),
    undecodable,
    downloads,
    descriptions,
    generated,
    including,
  }
}

/** A description of an API is no page, also where it looks like a broken one. */
function asPage(reading: PageReading, descriptions: ReadonlySet<string>): PageReading {
  const isOf = ({ code, file }: Diagnostic) => code !== 'QN-BAD-OPENAPI' && descriptions.has(file)
  return reading.errors.some(isOf) ? { file: null, errors: [], isPage: false } : reading
}

interface IncludingPage {
  readonly path: string
  /** With a sign where the reference of an API belongs. */
  readonly text: string
  /** The reference, which includes nothing; null for none. */
  readonly reference: string | null
}

/** Reads pages with includes again: the included texts are known only now. */
function withIncludedTexts(
  readings: readonly PageReading[],
  including: ReadonlyMap<number, IncludingPage>,
  types: FolderTypes,
  { readPage }: ReadingSteps,
  folder: IncludableFiles,
): readonly PageReading[] {
  if (including.size === 0) return readings
  return readings.map((reading, index) => {
    const page = including.get(index)
    if (page === undefined || !isValid(reading)) return reading
    const { text: expanded, included, errors } = withIncludes(page.path, page.text, folder)
    if (errors.length > 0) return { ...reading, errors }
    const text = page.reference === null ? expanded : putReference(expanded, page.reference)
    const whole = expanded === page.text ? reading : readPage(page.path, text, types)
    const { file } = whole
    return file === null || included.length === 0
      ? whole
      : { ...whole, file: { ...file, includes: included } }
  })
}

function pagesByPath(readings: readonly PageReading[], routes: SiteRoutes): IncludableFiles['pageAt'] {
  let sources: ReadonlyMap<string, string> | null = null
  return (path) => {
    sources ??= new Map(
      readings.flatMap(({ file }) =>
        file === null ? [] : [[publicPath(file.page, routes), file.page.source] as const],
      ),
    )
    return sources.get(path)
  }
}

function isValid({ errors }: PageReading): boolean {
  return errors.length === 0
}

function finishPage(
  { file, parent }: PlacedFile,
  addresses: Addresses,
  editBase: string | null,
  generatedFrom: string | undefined,
): SitePage {
  const from = generatedFrom === undefined ? {} : { generatedFrom }
  return withEditLink({ ...withFileLinks({ ...file.page, parent }, addresses), ...from }, editBase)
}

/** A theme without its `theme.json` is only a folder with files that nothing names. */
function themeWarnings(unused: readonly string[]): readonly Diagnostic[] {
  return unused
    .filter((file) => file.startsWith('themes/'))
    .map((file) => diagnostic('QN-UNKNOWN-FILE', file, NOT_A_THEME))
}

function missingSiteMessage(folder: string): string {
  const source = OTHER_GENERATORS.find(({ files }) => files.some((file) => existsSync(join(folder, file))))
  const advice =
    source === undefined
      ? 'Create one with quoin init, or convert a folder of Markdown with quoin convert.'
      : `The folder looks like a ${source.name} site: quoin convert turns it into a content folder.`
  return `${MISSING_SITE_FILE} ${advice}`
}

const OTHER_GENERATORS: readonly { readonly name: string; readonly files: readonly string[] }[] = [
  { name: 'VitePress', files: ['.vitepress', 'docs/.vitepress'] },
  { name: 'Hugo', files: ['hugo.toml', 'hugo.yaml', 'hugo.json', 'config.toml', 'config/_default'] },
  { name: 'Jekyll', files: ['_config.yml', '_config.yaml'] },
  {
    name: 'Eleventy',
    files: ['.eleventy.js', ...['js', 'mjs', 'cjs', 'ts'].map((ending) => `eleventy.config.${ending}`)],
  },
]

const NOT_A_THEME = 'The file is not used: a theme is a folder in themes/ that holds a theme.json.'

/** The first of several files with the same path stays; the others are errors, and so are paths that are too long. */
function withoutDuplicates(files: readonly PageFile[], routes: SiteRoutes, data: JsonObject) {
  const sources = new Map<string, string>()
  const distinct: PageFile[] = []
  const errors: Diagnostic[] = []
  for (const file of files) {
    const { source } = file.page
    const path = publicPath(file.page, routes)
    const first = sources.get(path)
    const fault = pathFault(path)
    const ofList = fault === null ? listFaultOf(file, routes, data) : null
    if (fault !== null) {
      errors.push(diagnostic('QN-BAD-ADDRESS', source, fault))
    } else if (ofList !== null) {
      errors.push(diagnostic('QN-BAD-ADDRESS', source, ofList.message, { field: ofList.field }))
    } else if (first === undefined) {
      sources.set(path, source)
      distinct.push(file)
    } else {
      errors.push(diagnostic('QN-DUPLICATE-PATH', source, `${path} is already the path of ${first}.`))
    }
  }
  return { distinct, errors }
}

/** Pages of other types have no lists of their tags and authors. */
function listFaultOf({ page }: PageFile, siteRoutes: SiteRoutes, data: JsonObject): ListFault | null {
  if (page.type !== 'article') return null
  const fields = withSiteAuthor(resolvedFields({ ...page, firstPublishedAt: null }), data)
  return listFault({ page, fields, settings: { siteRoutes } })
}

/** Adds a link to the file of an article or docs page, unless the page has its own `edit_url`. */
export function withEditLink(page: SitePage, base: string | null): SitePage {
  const isProse = page.type === 'article' || page.type === 'docs'
  if (base === null || !isProse || page.config['edit_url'] !== undefined) return page
  const file = (page.generatedFrom ?? page.source).split('/').map(encodeURIComponent).join('/')
  return { ...page, config: { ...page.config, edit_url: `${base.replace(/\/$/, '')}/${file}` } }
}
