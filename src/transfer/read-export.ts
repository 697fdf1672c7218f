import { constants } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { SITE_FILE } from '../content-folder/file-kind.ts'
import { addressText } from '../content-folder/parents.ts'
import { readSite } from '../content-folder/read-site.ts'
import type { Site, SitePage } from '../content-folder/site.ts'
import { type Diagnostic, diagnostic } from '../domain/diagnostic.ts'
import { ServiceError } from '../domain/errors.ts'
import { hasCode } from '../platform/fs-errors.ts'
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
  /** Files that were removed or edited since the export, so that exported values no longer apply. */
  readonly outdated: readonly Diagnostic[]
  /** Errors of the content folder. With any of them, nothing can be imported. */
  readonly errors: readonly Diagnostic[]
}

/**
 * Reads an exported folder. Edits since the export win: the manifest's values for a file apply only while the file
 * is unchanged.
 *
 * @throws {ServiceError} `validation_error` when the folder holds no export or an unfinished one.
 */
export async function readExport(folder: string): Promise<ReadExport> {
  const manifest = await manifestIn(folder)
  const { site, errors } = await readSite(folder)
  const texts = new Map<string, string>()
  for (const file of [SITE_FILE, ...site.pages.map(({ source }) => source)])
    texts.set(file, await textIn(folder, file))

  const read = site.pages.map((page) => withManifestValues(page, texts.get(page.source) ?? '', manifest))
  const aside = manifest.aside.map(({ isArchived: _, scheduled: __, ...page }): SitePage => page)
  const isSiteUnchanged = digestOf(texts.get(SITE_FILE) ?? '') === manifest.site.digest
  const own: Partial<Manifest['site']> = isSiteUnchanged ? manifest.site : {}
  return {
    site: {
      ...site,
      name: own.name ?? site.name,
      settings: { ...site.settings, ...own.settings },
      pages: parentsFirst([...read, ...aside]),
    },
    details: manifest.home,
    archived: archivedIn(manifest, site.pages),
    scheduled: scheduledIn(manifest),
    outdated: outdatedFiles(manifest, texts),
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

/** Adds the manifest's values to a page whose file is unchanged. */
function withManifestValues(page: SitePage, text: string, { pages }: Manifest): SitePage {
  const known = pages[page.source]
  if (known?.digest !== digestOf(text)) return page
  return { ...withWrittenMarkdown(page, text), ...known.values }
}

/** Archived pages, except those whose file no longer says `draft`. */
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
