import type { PageOutline } from '../content-folder/outline.ts'
import type { FolderRedirect, Site } from '../content-folder/site.ts'
import { type OriginalBody, sizeOf } from '../domain/artifact.ts'
import { byPosition, type Diagnostic } from '../domain/diagnostic.ts'
import type { PageId, ProjectId } from '../domain/ids.ts'
import type { MediaSource } from '../domain/media.ts'
import { DEFAULT_SETTINGS } from '../domain/settings.ts'
import { isSiteName } from '../domain/site-names.ts'
import type { ImageProcessor } from '../images/image-processor.ts'
import type { FileBody } from '../platform/file-body.ts'
import { mediaBodies } from '../publish/data-mode/media-bodies.ts'
import { createSealing } from '../publish/data-mode/seal.ts'
import type { Upload } from '../publish/ledger/upload.ts'
import type { Plan } from '../publish/pipeline/plan.ts'
import { iconRecipes } from '../render/page/icon-recipes.ts'
import type { Renderer, TimingRenderer } from '../renderer/renderer.ts'
import type { MasterKey } from '../secrets/master-key.ts'
import { bodySize, type FolderStorage } from '../storage/storage.ts'
import { assetClashes } from './asset-clashes.ts'
import { currentWarnings } from './diagnostics.ts'
import { type FileDates, fileDates } from './file-dates.ts'
import { withIndexes } from './full-text.ts'
import { type HeldPage, lastingAnnouncements } from './held-pages.ts'
import type { WrittenFiles } from './incremental/output-tree.ts'
import { prepareEdited } from './incremental/prepare-edited.ts'
import { NO_PICTURES, type SitePictures, sitePictures } from './pictures/site-pictures.ts'
import { siteVideos } from './pictures/site-videos.ts'
import { smallPictures } from './pictures/small-pictures.ts'
import { hasSamePicture, socialRecipes } from './pictures/social-pictures.ts'
import {
  FOLDER_KEY_ID,
  type FolderKey,
  folderContentKeys,
  type PreparedSite,
  preparedOf,
  type Releases,
  siteReleases,
} from './prepare-site.ts'
import { type ContentRequest, readContent, readEditedContent } from './read-content.ts'
import { type RecordedPage, recordingRenderer } from './recording-renderer.ts'
import { deadRedirects, withRedirects } from './redirect-files.ts'
import { type SiteFiles, siteFiles } from './site-files.ts'
import type { SiteAddress } from './site-releases.ts'
import { isOtherSkillIndex, skillIndex } from './skill-index.ts'
import { type BuildState, stateDigest, UnreadableState } from './state/build-state.ts'
import {
  type FileDigests,
  NO_DIGESTS,
  readAssetBodies,
  readFileDigests,
  removeFileDigests,
  storeFileDigests,
} from './state/file-digests.ts'
import { nextState } from './state/next-state.ts'
import {
  type FolderNotes,
  type LostState,
  type PreviousState,
  previousState,
} from './state/previous-state.ts'
import {
  isGeneratedDue,
  planStatics,
  type StaticPlan,
  unchangedStatics,
  withoutReplaced,
} from './static-files.ts'
import { changesOf, type SiteChanges, type UploadBodies, writeSite } from './write-site.ts'

export interface BuildRequest extends ContentRequest {
  /** Replaces the address in the folder; without a trailing slash. */
  readonly origin: string | null
  /** 32 bytes that seal the site in Data Mode; null builds plain files. */
  readonly contentKey: Uint8Array | null
  /** Derives images as AVIF too. Null uses the setting of `site.yaml`. */
  readonly avif?: boolean | null
  /** Publishes images unchanged: reads none, and derives nothing. */
  readonly picturesAsTheyAre?: boolean
}

export interface BuildPorts {
  readonly renderer: TimingRenderer
  /** The folder `out`; writes need not be durable, since it can be built again. */
  readonly storage: FolderStorage
  readonly masterKey: MasterKey
  /** Reads and derives images. Called only for a site with images. */
  readonly images: () => ImageProcessor
  /** Version of Quoin. Another version renders everything again. */
  readonly engine: string
  /** Current time, ISO 8601 UTC. */
  readonly now: () => string
  /** Folder in which the renderer leaves the files of pages; null if it leaves them in memory. */
  readonly spillFolder: string | null
  /** Called after each page that is rendered. */
  readonly onRendered: (rendered: number) => void
}

/** The edits since the previous build. Nothing else has changed. */
export interface Edits {
  /** `files` lists every file of the content folder, `edited` the ones that may have changed. */
  readonly files: readonly string[]
  readonly edited: readonly string[]
  readonly notes: BuildNotes
  readonly warnings: readonly Diagnostic[]
  readonly unused: readonly string[]
  readonly held: readonly HeldPage[]
}

/** Notes of a build for the next one. Plain JSON. */
export interface BuildNotes extends FolderNotes {
  readonly media: MediaSource
  readonly outlines: readonly PageOutline[]
  /** Redirects that belong to no page. */
  readonly redirects: readonly FolderRedirect[]
}

/** With errors, nothing is built. */
export type BuildResult =
  | { readonly errors: readonly Diagnostic[] }
  | { readonly report: BuildReport; readonly left: WrittenFiles & Omit<BuildNotes, 'foreign'> }

export interface BuildReport {
  readonly pages: { readonly total: number; readonly rendered: number; readonly removed: number }
  readonly files: {
    readonly total: number
    readonly written: number
    readonly removed: number
    /** Bytes written. */
    readonly bytes: number
  }
  /** The pages that took longest to render, slowest first. */
  readonly slowest: readonly { readonly file: string; readonly ms: number }[]
  readonly warnings: readonly Diagnostic[]
  /** Files of the folder that are not part of the site, because nothing names them. */
  readonly unused: readonly string[]
  /** Articles that are left out until their date. */
  readonly held: readonly HeldPage[]
  /** Number of images without variants, because none can be decoded on this machine. */
  readonly undecoded: number
  /** Set when the state of the previous build could not be read, so that everything was built. */
  readonly lostState: {
    /** The file that could not be read. */
    readonly file: string
    /** Number of files in the output folder that no build is known to have written. They stay unchanged. */
    readonly unknown: number
  } | null
  /** If false, canonical links, sitemap and feeds have a placeholder address. */
  readonly hasAddress: boolean
}

/** A reserved name that never resolves (RFC 2606). */
const NOWHERE = 'http://site.invalid'

const SLOWEST = 5

/**
 * Builds a content folder by the publish path. Files that did not change since the previous build are not written. If
 * it is aborted, each file is the old or the new one, and the next build completes it. Only files that a build wrote
 * are ever replaced or removed.
 *
 * A state that cannot be read, as after a power cut, leads to a build of everything. Files that no record attributes to
 * a build stay. One is replaced only if its content is a prefix of the new file.
 *
 * @param since null reads the whole folder. The result is the same.
 * @param damaged keys of files in the output folder that are known to be damaged, null for any: they are written again.
 * @param recorded keys of files that the record of the previous build names, for when its state is lost.
 * @throws {ServiceError} `conflict` if a foreign file is in the way, or another build writes into the folder; nothing
 *   is written then except derived images for the next build.
 */
export async function buildSite(
  request: BuildRequest,
  ports: BuildPorts,
  since: Edits | null = null,
  damaged: readonly string[] | null = [],
  recorded: LostState['recorded'] = () => [],
): Promise<BuildResult> {
  try {
    return await buildFrom(request, ports, since, damaged, null)
  } catch (error) {
    // Before anything is written.
    if (!(error instanceof UnreadableState)) throw error
    return buildFrom(request, ports, null, [], { file: error.file, recorded })
  }
}

async function buildFrom(
  request: BuildRequest,
  ports: BuildPorts,
  since: Edits | null,
  damaged: readonly string[] | null,
  lost: LostState | null,
): Promise<BuildResult> {
  const { renderer, recorded: seen, spilledCount } = recordingRenderer(ports)
  const now = ports.now()
  const datesOf = fileDates(request.folder)
  const made = await decide({ ...ports, renderer, now, datesOf, request, damaged, lost, seen }, since)
  if ('errors' in made) return made

  const { before, published, plan, projectId, statics, removed } = made
  const { contentKey, out } = request
  // Before the site is written: writing removes shards of the previous state, which are read lazily.
  const ofPages = currentWarnings(request.folder, before.state, published, made.since)
  // Without changes to pages the search index is unchanged; in Data Mode there is none.
  const isSame = contentKey !== null || (before.isWhole && !made.isOther)
  const indexed = isSame
    ? { after: published, uploads: [] }
    : withIndexes(before.state, published, plan.uploads, { out, now })
  const whole = withUploads(plan, indexed.uploads)
  // Readers of a site in Data Mode resolve paths themselves.
  const { after, uploads, copies } =
    contentKey === null
      ? withRedirects(made.redirects, before.state, indexed.after, whole.uploads, {
          out,
          bodies: made.bodies,
          now,
        })
      : { after: indexed.after, uploads: [], copies: [] }
  const changes = changesOf(
    before,
    after,
    { plan: withUploads(whole, uploads), projectId },
    { ...statics, copies: [...statics.copies, ...copies] },
  )
  const dead = contentKey === null ? deadRedirects(made.redirects, after) : []
  const warnings = [...ofPages, ...made.warnings, ...dead].sort(byPosition)
  const uploadBodies = await bodiesOf(made, { ...ports, contentKey })
  await writeSite(
    out,
    { changes, before, after },
    { ...ports, contentKey, ...uploadBodies, spilledCount: spilledCount() },
  )
  if (contentKey !== null) await removeFileDigests(out)
  else if (made.digests !== null) await storeFileDigests(out, made.digests)
  const hasAddress = (request.origin ?? made.origin) !== null
  return {
    report: {
      ...reportOf({ after, changes, seen, removed }),
      warnings,
      unused: made.unused,
      held: made.held,
      undecoded: made.undecoded,
      lostState: lost === null ? null : { file: lost.file, unknown: unknownFiles(before, after) },
      hasAddress,
    },
    left: {
      own: after.files,
      foreign: [...before.foreign],
      touched: made.since === null ? null : keysOf(changes),
      state: stateDigest(out),
      outlines: made.outlines,
      media: made.media,
      redirects: made.redirects,
    },
  }
}

/** Number of existing files that no build is known to have written. */
function unknownFiles({ foreign }: PreviousState, { files }: BuildState): number {
  const isOfSite = (key: string) => key.split('/').every(isSiteName)
  return [...foreign].filter((key) => !files.has(key) && isOfSite(key)).length
}

/** A decided site with its next state, without the search index. */
interface PublishedSite
  extends Omit<DecidedSite, 'prepared'>,
    Omit<PreparedSite, 'commit' | 'sources' | 'entries'> {
  readonly published: BuildState
  /** True if any page was added, changed or removed. */
  readonly isOther: boolean
}

/** A separate function, so that the inputs of the pages can be garbage collected before the rest. */
async function decide(
  ports: DecidePorts & { readonly seen: ReadonlyMap<PageId, RecordedPage> },
  since: Edits | null,
): Promise<PublishedSite | { readonly errors: readonly Diagnostic[] }> {
  const { request, engine, seen, now } = ports
  const left = since && (await previousState(request.out, request.contentKey, ports, since.notes))
  const known = left?.isUnchanged ? left : null
  const made =
    (since && known && (await decideEdited(since, known, ports))) ?? (await decideWhole(known, ports))
  if ('errors' in made) return made
  const { prepared: whole, ...rest } = made
  const prepared = { ...whole, plan: withoutReplaced(whole.plan, made.statics) }
  const { plan, commit, projectId, removed } = prepared
  const published = nextState(made.before.state, prepared, {
    engine,
    statics: made.statics,
    recorded: seen,
    now,
  })
  return { ...rest, plan, projectId, removed, published, isOther: commit !== null }
}

/** All decisions about a site, before anything is written. */
interface DecidedSite extends Pick<Site, 'origin'> {
  readonly before: PreviousState
  readonly prepared: PreparedSite
  readonly statics: StaticPlan
  /** All images of the site. */
  readonly media: MediaSource
  /** Redirects that belong to no page. */
  readonly redirects: readonly FolderRedirect[]
  /** The files that no page renders, by key; none if none of them has changed. */
  readonly bodies: ReadonlyMap<string, FileBody>
  /** In Data Mode the files that pages may show, by digest. */
  readonly originals: SiteFiles['originals']
  readonly undecoded: number
  /** Outlines of all pages, including drafts. */
  readonly outlines: readonly PageOutline[]
  /** Warnings about the files of the folder, apart from those of rendering. */
  readonly warnings: readonly Diagnostic[]
  /** Digests of the files of all assets; null if none was looked at. */
  readonly digests: FileDigests | null
  /** The edits since the previous build; null if the whole folder was read. */
  readonly since: Edits | null
  readonly unused: readonly string[]
  readonly held: readonly HeldPage[]
}

interface DecidePorts extends Omit<BuildPorts, 'now' | 'renderer'> {
  readonly renderer: Renderer
  /** Keys of files in the output folder that are damaged; null for any. */
  readonly damaged: readonly string[] | null
  /** Set when the state of the previous build cannot be read. */
  readonly lost: LostState | null
  readonly request: BuildRequest
  readonly now: string
  readonly datesOf: (source: string) => FileDates
}

/** @param known the previous state, if already read. */
async function decideWhole(
  known: PreviousState | null,
  ports: DecidePorts,
): Promise<DecidedSite | { readonly errors: readonly Diagnostic[] }> {
  const read = await releasesOfAll(known, ports)
  if ('errors' in read) return read
  const { before, releases, assets, place, bodies, derived, ...rest } = read
  const prepared = await preparedOf(releases, { ...ports, ...place })
  if ('errors' in prepared) return prepared
  const clashes = assetClashes(assets, prepared, before.state)
  if (clashes.length > 0) return { errors: clashes }
  const statics = planStatics(bodies, derived, before.state)
  const files = new Map([...bodies, ...derived.map((file) => [file.key, file] as const)])
  return { before, prepared, statics, ...rest, bodies: files, since: null }
}

/** A site that was read, with the pages to render. */
interface SiteToBuild
  extends Omit<DecidedSite, 'prepared' | 'statics' | 'since' | 'bodies'>,
    Pick<SiteFiles, 'assets' | 'bodies' | 'derived'> {
  readonly releases: Releases
  readonly place: SitePlace
}

interface SitePlace extends SiteAddress, Pick<FolderKey, 'contentKey'> {}

/** Reads the folder. A separate function, so that its inputs can be garbage collected while pages are rendered. */
async function releasesOfAll(
  given: PreviousState | null,
  ports: DecidePorts,
): Promise<SiteToBuild | { readonly errors: readonly Diagnostic[] }> {
  const { request } = ports
  const { site, errors, outlines, warnings, unused, references, held } = await readContent(
    request,
    ports.renderer,
    ports.now,
  )
  if (errors.length > 0) return { errors }
  const found =
    given ?? (await previousState(request.out, request.contentKey, ports, null, ports.damaged, ports.lost))
  const { origin, assets } = site
  const place = placeOf(site, request)
  const { folder, out, contentKey } = request
  // In Data Mode none are stored: they would reveal names and sizes.
  const known = contentKey === null ? readFileDigests(out) : NO_DIGESTS
  const now = Date.parse(ports.now)
  const { bodies, digests } = await readAssetBodies(assets, { folder, known, now })
  const pictures = await picturesOf(site, bodies, ports)
  const files = siteFiles(site, references, bodies, pictures, contentKey)
  // In Data Mode files are sealed, so that no agent could read a skill.
  const index = contentKey === null ? skillIndex(site.skills ?? [], bodies) : []
  const isDue = isGeneratedDue(assets, found.state) || isOtherSkillIndex(index, bodies, found.state)
  const before = isDue ? { ...found, isWhole: false } : found
  const releases = await siteReleases({ ...site, media: files.media }, before, { ...ports, ...place })
  return {
    before: { ...before, state: releases.ordered },
    releases,
    ...files,
    derived: [...files.derived, ...index],
    digests,
    place,
    outlines,
    origin,
    redirects: site.redirects ?? [],
    undecoded: pictures.undecoded,
    warnings: [...warnings, ...pictures.warnings, ...files.warnings],
    unused: [...unused, ...files.unnamed],
    held: [...held, ...lastingAnnouncements(site.settings)],
  }
}

async function picturesOf(
  site: Site,
  bodies: ReadonlyMap<string, FileBody>,
  {
    request: { contentKey, picturesAsTheyAre = false, avif = null, folder, out },
    images,
    renderer,
  }: DecidePorts,
): Promise<SitePictures> {
  const videos = await siteVideos(site.assets, bodies, folder)
  if (picturesAsTheyAre) return { ...NO_PICTURES, media: videos }
  const small = await smallPictures(site.assets, bodies, folder)
  // Sealed pages have neither images for link previews nor icons.
  const isSealed = contentKey !== null
  const pictures = await sitePictures(
    site.assets,
    bodies,
    {
      pages: isSealed ? [] : site.pages,
      recipes: socialRecipes(site, site.pages.length, renderer),
      icons: (media) => (isSealed ? [] : iconRecipes({ ...DEFAULT_SETTINGS, ...site.settings }, media)),
      small: small.media,
    },
    { folder, out, formats: (avif ?? site.avif) ? ['webp', 'avif'] : ['webp'], images, contentKey },
  )
  return {
    ...pictures,
    media: { ...pictures.media, ...small.media, ...videos },
    files: [...small.files, ...pictures.files],
    warnings: [...small.warnings, ...pictures.warnings],
  }
}

/** Decides the site from the edited files alone. Returns null if the edits affect other files. */
async function decideEdited(
  since: Edits,
  before: PreviousState,
  ports: DecidePorts,
): Promise<DecidedSite | { readonly errors: readonly Diagnostic[] } | null> {
  const { request } = ports
  const read = await readEditedContent(request, since, ports.renderer, ports.now)
  const { media } = since.notes
  const site = read && { ...read, media }
  if (site !== null && !request.picturesAsTheyAre) {
    const recipes = socialRecipes(site, since.notes.outlines.length, ports.renderer)
    // Another title needs another image.
    if (!site.pages.every((page) => hasSamePicture(page, media, recipes))) return null
  }
  const prepared =
    site && (await prepareEdited(site, before, { ...ports, ...placeOf(site, request), out: request.out }))
  if (site === null || prepared === null) return null
  if ('errors' in prepared) return prepared
  if ('shownBy' in prepared)
    return decideEdited({ ...since, edited: [...since.edited, ...prepared.shownBy] }, before, ports)
  const statics = unchangedStatics(before.state)
  const { unused, held, notes } = since
  const { outlines, redirects } = notes
  const bodies = new Map()
  // Otherwise the whole folder is read.
  const undecoded = 0
  const { origin, warnings } = site
  const found = { media, redirects, bodies, originals: new Map() }
  const rest = { ...found, undecoded, outlines, origin, warnings, unused, held }
  return { before, prepared, statics, ...rest, digests: null, since }
}

function placeOf({ origin, skills }: Pick<Site, 'origin' | 'skills'>, request: BuildRequest): SitePlace {
  return {
    origin: request.origin ?? origin ?? NOWHERE,
    keyId: request.contentKey === null ? null : FOLDER_KEY_ID,
    contentKey: request.contentKey,
    skills,
  }
}

function keysOf({ plan, copies, removals: gone }: SiteChanges): readonly string[] {
  return [...plan.uploads.map(({ artifact }) => artifact), ...copies, ...gone].map(({ key }) => key)
}

/** The bodies of uploads: in plain, or sealed in Data Mode. */
async function bodiesOf(
  { projectId, originals }: Pick<PublishedSite, 'projectId' | 'originals'>,
  key: FolderKey,
): Promise<UploadBodies> {
  if (key.contentKey === null) return { encode: ({ artifact }) => artifact.body }
  const contentKeys = folderContentKeys(projectId, key)
  const sealing = await createSealing(projectId, {
    storedArtifacts: { contentKeys: async () => contentKeys },
    masterKey: key.masterKey,
  })
  const body = (digest: string) => {
    const original = originals.get(digest)
    if (original === undefined) throw new Error(`No file of the site has the digest ${digest}.`)
    return original
  }
  const publishedMedia = { body: (_: ProjectId, { digest }: OriginalBody) => body(digest) }
  return { encode: sealing.encodeUpload, mediaBody: mediaBodies(projectId, { sealing, publishedMedia }) }
}

function withUploads(plan: Plan, more: readonly Upload[]): Plan {
  return { ...plan, uploads: [...plan.uploads, ...more] }
}

interface Built {
  readonly after: BuildState
  readonly changes: SiteChanges
  readonly seen: ReadonlyMap<PageId, RecordedPage>
  readonly removed: number
}

function reportOf({
  after,
  changes,
  seen,
  removed,
}: Built): Omit<BuildReport, 'hasAddress' | 'warnings' | 'unused' | 'held' | 'undecoded' | 'lostState'> {
  const { plan, copies, removals: gone } = changes
  const sizes = [
    ...plan.uploads.map(({ artifact }) => sizeOf(artifact)),
    ...copies.map(({ body }) => bodySize(body)),
  ]
  const times = [...seen].map(([id, { ms }]) => ({ file: after.pages.get(id)?.source ?? '', ms }))
  return {
    pages: { total: after.pages.size, rendered: seen.size, removed },
    files: {
      total: after.files.size,
      written: sizes.length,
      removed: gone.length,
      bytes: sizes.reduce((sum, size) => sum + size, 0),
    },
    slowest: times.sort((a, b) => b.ms - a.ms).slice(0, SLOWEST),
  }
}
