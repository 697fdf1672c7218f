import { constants } from 'node:fs'
import { lstat, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { SITE_FILE } from '../content-folder/file-kind.ts'
import { addressText } from '../content-folder/parents.ts'
import { readSite, readSiteTexts } from '../content-folder/read-site.ts'
import { REDIRECTS_FILE, readRedirectsFile } from '../content-folder/redirects.ts'
import type { FolderRedirect, Site, SitePage } from '../content-folder/site.ts'
import type { AssetTexts } from '../domain/asset.ts'
import { type Diagnostic, diagnostic } from '../domain/diagnostic.ts'
import { ServiceError } from '../domain/errors.ts'
import { toPathList } from '../domain/redirect-path.ts'
import { mapConcurrently } from '../platform/concurrency.ts'
import { type FileBody, readFileBody } from '../platform/file-body.ts'
import { fallbackOn, hasCode, NOT_FOUND } from '../platform/fs-errors.ts'
import type { NamedFile } from '../push/media-names.ts'
import { assetFile } from './asset-places.ts'
import { withWrittenMarkdown } from './export-files.ts'
import type { ProjectDetails, ScheduledPublish } from './exported-project.ts'
import { digestOf, MANIFEST_FILE, type Manifest, readManifest } from './manifest.ts'

/** A project as read from an exported folder. */
export interface ReadExport {
  readonly site: Site
  readonly details: ProjectDetails
  /** Files of pages that were archived. */
  readonly archived: ReadonlySet<string>
  /** By file. */
  readonly scheduled: ReadonlyMap<string, ScheduledPublish>
  /** Files removed or edited since the export. Their exported values no longer apply. */
  readonly outdated: readonly Diagnostic[]
  /** Pages whose files are as they were exported, and `site.yaml` if it is. */
  readonly unedited: ReadonlySet<string>
  /** The images and files of the project that are in the folder. */
  readonly assets: readonly ReadAsset[]
  /** Assets that are missing in the folder. */
  readonly missingAssets: readonly Diagnostic[]
  /** Assets with other bytes than were exported: changed by hand, or torn when the folder was copied. */
  readonly changedAssets: readonly Diagnostic[]
  /** Errors of the content folder. With any of them, nothing can be imported. */
  readonly errors: readonly Diagnostic[]
}

/** A file of the folder that is an asset of the project. */
export interface ReadAsset extends NamedFile {
  readonly texts: AssetTexts
  readonly body: FileBody
}

/**
 * Reads an exported folder. Edits since the export win: the manifest's values for a file apply only while the file
 * is unchanged.
 *
 * @throws {ServiceError} `validation_error` when the folder holds no export or an unfinished one, and when a symbolic
 *   link is where a file of the export was.
 */
export async function readExport(
  folder: string,
  onFile: (read: number, total: number) => void = () => {},
): Promise<ReadExport> {
  const manifest = await manifestIn(folder)
  const { site, errors } = await readSite(folder, null, false)
  const texts = new Map<string, string>()
  for (const file of [SITE_FILE, ...site.pages.map(({ source }) => source)])
    texts.set(file, await textIn(folder, file))

  // Reads the pages as the export read them: links to files of the folder have no addresses of a built site.
  const exported = readSiteTexts(texts).site
  const asExported = new Map(exported.pages.map((page) => [page.source, page]))
  const read = site.pages.map((page) =>
    withManifestValues(page, asExported.get(page.source) ?? page, texts.get(page.source) ?? '', manifest),
  )
  const redirects = redirectsIn(await textIn(folder, REDIRECTS_FILE), site.pages, read)
  const aside = manifest.aside.map(({ isArchived: _, scheduled: __, ...page }): SitePage => page)
  const isSiteUnchanged = digestOf(texts.get(SITE_FILE) ?? '') === manifest.site.digest
  const own: Partial<Manifest['site']> = isSiteUnchanged ? manifest.site : {}
  const isUnedited = ({ source }: SitePage) =>
    manifest.pages[source]?.digest === digestOf(texts.get(source) ?? '')
  return {
    site: {
      ...site,
      name: own.name ?? site.name,
      settings: isSiteUnchanged ? { ...exported.settings, ...own.settings } : site.settings,
      pages: parentsFirst([...read, ...aside]),
      redirects,
    },
    details: manifest.home,
    archived: archivedIn(manifest, site.pages),
    scheduled: scheduledIn(manifest),
    outdated: outdatedFiles(manifest, texts),
    unedited: new Set([
      ...(isSiteUnchanged ? [SITE_FILE] : []),
      ...site.pages.filter(isUnedited).map(({ source }) => source),
      ...aside.map(({ source }) => source),
    ]),
    ...(await readAssets(folder, manifest.assets, onFile)),
    errors,
  }
}

async function manifestIn(folder: string): Promise<Manifest> {
  const text = await textIn(folder, MANIFEST_FILE)
  const manifest = text === '' ? null : readManifest(text)
  if (manifest === null)
    throw new ServiceError(
      'validation_error',
      `${folder} holds no export: ${MANIFEST_FILE} is ${text === '' ? 'missing' : 'damaged or of another version'}. Use quoin push for other content folders.`,
    )
  if ('unfinished' in manifest)
    throw new ServiceError(
      'validation_error',
      `The export into ${folder} is not complete. Run quoin export --out ${folder} again.`,
    )
  return manifest
}

/**
 * The redirects of `redirects.yaml`, without paths in the `redirect_from` of an edited page. Unedited pages name
 * no path of the file.
 */
function redirectsIn(
  text: string,
  folder: readonly SitePage[],
  read: readonly SitePage[],
): readonly FolderRedirect[] {
  if (text === '') return []
  const edited = folder.filter((page) => read.includes(page))
  const named = new Set(edited.flatMap(({ config }) => toPathList(config['redirect_from'])))
  const { redirects } = readRedirectsFile(text)
  return redirects.flatMap(({ from, to, line }) => (named.has(from) ? [] : [{ from, to, line }]))
}

/** Files that are hashed at once. */
const READS_AT_ONCE = 4

async function readAssets(
  folder: string,
  assets: Manifest['assets'],
  onFile: (read: number, total: number) => void,
): Promise<Pick<ReadExport, 'assets' | 'missingAssets' | 'changedAssets'>> {
  let done = 0
  const read = await mapConcurrently(assets, READS_AT_ONCE, async ({ name, place, digest, ...texts }) => {
    const source = assetFile(name, place)
    const body = await bodyIn(folder, source)
    onFile(++done, assets.length)
    return { name, source, texts, body, digest }
  })
  const refused = (source: string, message: string) => diagnostic('QN-REFUSED', source, message)
  return {
    assets: read.flatMap(({ name, source, texts, body }) =>
      body === null ? [] : [{ name, source, texts, body }],
    ),
    missingAssets: read.flatMap(({ source, name, body }) =>
      body === null ? [refused(source, `The file of the asset ${name} is missing in the folder.`)] : [],
    ),
    changedAssets: read.flatMap(({ source, body, digest }) =>
      body === null || body.digest === digest
        ? []
        : [refused(source, 'The file has other bytes than were exported: it was changed, or is damaged.')],
    ),
  }
}

/**
 * The body of a file. Null when there is no such file. @throws {ServiceError} for a symbolic link, which could lead out
 * of the folder.
 */
async function bodyIn(folder: string, file: string): Promise<FileBody | null> {
  const segments = file.split('/')
  for (let depth = 1; depth <= segments.length; depth++) {
    const path = segments.slice(0, depth).join('/')
    const stats = await fallbackOn(NOT_FOUND, lstat(join(folder, path)), null)
    if (stats === null) return null
    if (stats.isSymbolicLink())
      throw new ServiceError(
        'validation_error',
        `${path} in ${folder} is a symbolic link. Nothing was imported: replace it with the file or folder itself, or export again.`,
      )
    if (depth === segments.length) return stats.isFile() ? readFileBody(join(folder, file)) : null
  }
  return null
}

/** The text of a file. Empty when the file is missing. Refuses symbolic links. */
async function textIn(folder: string, file: string): Promise<string> {
  try {
    const flag = constants.O_RDONLY | constants.O_NOFOLLOW
    return (await readFile(join(folder, file), { flag })).toString()
  } catch (error) {
    if (hasCode(error, ['ENOENT'])) return ''
    throw error
  }
}

/** The page as it was exported, with the manifest's values, if its file is unchanged. */
function withManifestValues(
  page: SitePage,
  asExported: SitePage,
  text: string,
  { pages }: Manifest,
): SitePage {
  const known = pages[page.source]
  if (known?.digest !== digestOf(text)) return page
  return { ...withWrittenMarkdown(asExported, text), ...known.values }
}

/** Archived pages, except pages whose file no longer says `draft`. */
function archivedIn({ pages, aside }: Manifest, read: readonly SitePage[]): ReadonlySet<string> {
  const drafts = read.filter(({ source, draft }) => draft && pages[source]?.isArchived === true)
  return new Set([...drafts, ...aside.filter(({ isArchived }) => isArchived)].map(({ source }) => source))
}

function scheduledIn({ pages, aside }: Manifest): ReadonlyMap<string, ScheduledPublish> {
  const all = [...Object.entries(pages), ...aside.map((page) => [page.source, page] as const)]
  return new Map(all.flatMap(([file, { scheduled }]) => (scheduled === undefined ? [] : [[file, scheduled]])))
}

function outdatedFiles({ site, pages }: Manifest, texts: ReadonlyMap<string, string>): readonly Diagnostic[] {
  const removed = Object.keys(pages).filter((file) => !texts.has(file))
  const known = [...Object.entries(pages), [SITE_FILE, { ...site, values: site.settings }] as const]
  const edited = known.flatMap(([file, { digest, values = {} }]) => {
    const text = texts.get(file)
    const isEdited = text !== undefined && digestOf(text) !== digest
    return isEdited && Object.keys(values).length > 0 ? [{ file, names: Object.keys(values).join(', ') }] : []
  })
  return [
    ...removed.map((file) =>
      diagnostic('QN-REFUSED', file, 'The file was removed from the folder after the export.'),
    ),
    ...edited.map(({ file, names }) =>
      diagnostic(
        'QN-REFUSED',
        file,
        `The file was edited after the export, so the exported values of these fields do not apply: ${names}.`,
      ),
    ),
  ]
}

/** Parents before their children, otherwise by file. */
function parentsFirst(pages: readonly SitePage[]): readonly SitePage[] {
  const byAddress = new Map(pages.map((page) => [addressText(page), page]))
  const parentOf = ({ parent }: SitePage) =>
    parent === null ? null : (byAddress.get(addressText(parent)) ?? null)
  const depthOf = (page: SitePage) => {
    const above = new Set<SitePage>()
    for (let at = parentOf(page); at !== null && !above.has(at); at = parentOf(at)) above.add(at)
    return above.size
  }
  const placed = pages.map((page) => ({ page, depth: depthOf(page) }))
  return placed
    .toSorted((a, b) => a.depth - b.depth || (a.page.source < b.page.source ? -1 : 1))
    .map(({ page }) => page)
}
