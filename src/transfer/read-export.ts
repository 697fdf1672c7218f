import { constants } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { addressText } from '../content-folder/parents.ts'
import { readSite } from '../content-folder/read-site.ts'
import type { Site, SitePage } from '../content-folder/site.ts'
import { SITE_FILE } from '../content-folder/site-file.ts'
import type { Diagnostic } from '../domain/diagnostic.ts'
import { ServiceError } from '../domain/errors.ts'
import type { PushTrouble } from '../push/push-diagnostic.ts'
import { withWrittenMarkdown } from './export-files.ts'
import type { ProjectDetails, ScheduledPublish } from './exported-project.ts'
import { digestOf, MANIFEST_FILE, type Manifest, readManifest } from './manifest.ts'

/** An exported folder, read: the project as it is to be. */
export interface ReadExport {
  readonly site: Site
  readonly details: ProjectDetails
  /** Files of pages that were archived. */
  readonly archived: ReadonlySet<string>
  /** By their files. */
  readonly scheduled: ReadonlyMap<string, ScheduledPublish>
  /** What the folder says no more of what was exported. */
  readonly lost: readonly PushTrouble[]
  /** What was found in the content folder; nothing may be imported then. */
  readonly faults: readonly Diagnostic[]
}

/**
 * Read what an export wrote. What somebody has edited in the folder since counts; a page whose file was
 * edited is as the file says, whatever else was known of it.
 *
 * @throws {ServiceError} `validation_error` when the folder holds no export, or one that was not finished.
 */
export async function readExport(folder: string): Promise<ReadExport> {
  const manifest = await manifestIn(folder)
  const { site, errors: faults } = await readSite(folder)
  const texts = new Map<string, string>()
  for (const file of [SITE_FILE, ...site.pages.map(({ source }) => source)])
    texts.set(file, await textIn(folder, file))

  const read = site.pages.map((page) => exactly(page, texts.get(page.source) ?? '', manifest))
  const aside = manifest.aside.map(({ isArchived: _, scheduled: __, ...page }): SitePage => page)
  const isSiteAsIs = digestOf(texts.get(SITE_FILE) ?? '') === manifest.site.digest
  const own: Partial<Manifest['site']> = isSiteAsIs ? manifest.site : {}
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
    lost: lostFrom(manifest, texts),
    faults,
  }
}

async function manifestIn(folder: string): Promise<Manifest> {
  const text = await textIn(folder, MANIFEST_FILE)
  const manifest = text === '' ? null : readManifest(text)
  if (manifest === null)
    throw new ServiceError(
      'validation_error',
      `${folder} holds no export: ${MANIFEST_FILE} is ${text === '' ? 'missing' : 'not of this version'}. quoin push sends any other content folder.`,
    )
  if ('unfinished' in manifest)
    throw new ServiceError(
      'validation_error',
      `The export into ${folder} was not finished. Run quoin export with --out ${folder} again.`,
    )
  return manifest
}

/** Empty for a file that is not there. Symbolic links are refused. */
async function textIn(folder: string, file: string): Promise<string> {
  try {
    const flag = constants.O_RDONLY | constants.O_NOFOLLOW
    return (await readFile(join(folder, file), { flag })).toString()
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return ''
    throw error
  }
}

/** A page with what its file cannot hold, as long as the file is as it was exported. */
function exactly(page: SitePage, text: string, { pages }: Manifest): SitePage {
  const known = pages[page.source]
  if (known?.digest !== digestOf(text)) return page
  return { ...withWrittenMarkdown(page, text), ...known.values }
}

/** What somebody has made live in the folder is archived no more. */
function archivedIn({ pages, aside }: Manifest, read: readonly SitePage[]): ReadonlySet<string> {
  const drafts = read.filter(({ source, draft }) => draft && pages[source]?.isArchived === true)
  return new Set([...drafts, ...aside.filter(({ isArchived }) => isArchived)].map(({ source }) => source))
}

function scheduledIn({ pages, aside }: Manifest): ReadonlyMap<string, ScheduledPublish> {
  const all = [...Object.entries(pages), ...aside.map((page) => [page.source, page] as const)]
  return new Map(all.flatMap(([file, { scheduled }]) => (scheduled === undefined ? [] : [[file, scheduled]])))
}

function lostFrom({ site, pages }: Manifest, texts: ReadonlyMap<string, string>): readonly PushTrouble[] {
  const gone = Object.keys(pages).filter((file) => !texts.has(file))
  const known = [...Object.entries(pages), [SITE_FILE, { ...site, values: site.settings }] as const]
  const edited = known.flatMap(([file, { digest, values = {} }]) => {
    const text = texts.get(file)
    const isEdited = text !== undefined && digestOf(text) !== digest
    return isEdited && Object.keys(values).length > 0 ? [{ file, names: Object.keys(values).join(', ') }] : []
  })
  return [
    ...gone.map((file) => ({ file, message: 'It was exported, and is not in the folder any more.' })),
    ...edited.map(({ file, names }) => ({
      file,
      message: `It was edited since it was exported: ${names} is as the file says, not as it was exported.`,
    })),
  ]
}

/** Else in the order of their files. */
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
