import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Home } from '../../db/repositories/projects.ts'
import type { SettingsFields } from '../../db/repositories/settings.ts'
import { ASSET_PREFIX, objectHeaders } from '../../domain/artifact.ts'
import { SERVICE } from '../../domain/audit.ts'
import { inLocale } from '../../domain/by-locale.ts'
import type { Caller, Credential, ReserveBytes } from '../../domain/caller.ts'
import { ServiceError } from '../../domain/errors.ts'
import { fieldFailure } from '../../domain/field-errors.ts'
import { prefixed, readId } from '../../domain/ids.ts'
import { type Snapshot, snapshotPath } from '../../domain/live-page.ts'
import { localeOf, translationsOf } from '../../domain/locale.ts'
import { isPicture, MEDIA_PREFIX } from '../../domain/media.ts'
import { neighboursOf } from '../../domain/neighbours.ts'
import { applyEdit, isEmptyEdit, type Page } from '../../domain/page.ts'
import type { Right } from '../../domain/roles.ts'
import type { Settings } from '../../domain/settings.ts'
import type { Timers } from '../../domain/timers.ts'
import { switchPaths } from '../../domain/version.ts'
import { derive, resolvedFields } from '../../page-text/derive.ts'
import { withDeadline } from '../../platform/with-deadline.ts'
import type { LiveState } from '../../publish/ledger/live-state.ts'
import { existingPaths } from '../../publish/pipeline/existing-paths.ts'
import { mergeFacts } from '../../publish/pipeline/merge-facts.ts'
import { factsOf } from '../../publish/pipeline/page-keys.ts'
import { NO_OVERLAY, readSurroundings } from '../../publish/pipeline/surroundings.ts'
import type { FairLimit } from '../../platform/fair-limit.ts'
import type { PublishedMedia } from '../../publish/ports.ts'
import { docsContext, docsTrees } from '../../render/docs/docs-nav.ts'
import { queriesOf } from '../../render/listing/collections.ts'
import { liveCard } from '../../render/listing/live-card.ts'
import { RENDER_DEADLINE_MS, renderedTooLate } from '../../renderer/renderer.ts'
import {
  openOriginal,
  openPreview,
  type PreviewGrant,
  signOriginal,
  signPreview,
} from '../../secrets/preview-token.ts'
import type { OpenObject } from '../../storage/storage.ts'
import { accessPage, assertWritable, isLiveKey, type PageInProject } from '../access.ts'
import { callerOfSession } from '../accounts/session-caller.ts'
import { recordAct } from '../audit/record-act.ts'
import type { ServiceContext } from '../context.ts'
import type { AssetDetails } from '../media/asset-details.ts'
import { collectionsNow } from '../publishing/collections.ts'
import { readReleased, readSnapshot } from '../publishing/snapshots.ts'
import type { ShownFields } from './pages.ts'
import type { PageChange } from './write-page.ts'

/** URL prefix of the style and script of previews. */
const PREVIEW_FILES = '/render/'

/** Rights to create a link: it shares drafts with people who have no key. */
const LINK_NEEDS: readonly Right[] = ['share']

/** Files of a preview are readable for at least an hour. They keep their names meanwhile, for browsers' caches. */
const FILE_MS = 60 * 60 * 1000
const FILE_CACHE = `private, max-age=${FILE_MS / 1000}`

/** A preview is not stored, so it has no key. */
const NO_FILE = ''

/** Assets are cached because browsers request them right after the preview that names them. In bytes. */
const CACHED_ASSETS = 32 * 1024 * 1024

export type PreviewService = ReturnType<typeof createPreviewService>

export interface PreviewPorts extends ServiceContext {
  readonly timers: Timers
  readonly liveState: LiveState
  /** Signs preview links. */
  readonly signingKey: Uint8Array
  readonly publishedMedia: Pick<PublishedMedia, 'open'>
  /** Turns of accounts. A preview reads and puts together what its page shows before it is rendered. */
  readonly turns: FairLimit
  /** Base URL of the API for clients, without a trailing slash. */
  readonly baseUrl: string
}

export interface PreviewLink {
  readonly url: string
  readonly token: string
  readonly expiresAt: string
}

export function createPreviewService(ports: PreviewPorts) {
  const {
    db,
    renderer,
    pageTexts,
    liveState,
    addresses,
    now,
    timers,
    signingKey,
    publishedMedia,
    turns,
    baseUrl,
  } = ports
  const assets = new LRUCache<string, Buffer>({
    maxSize: CACHED_ASSETS,
    sizeCalculation: (asset, key) => asset.length + key.length,
  })

  return {
    /**
     * Renders the page as it is now, draft or not, as HTML.
     *
     * @param theme replaces the theme of the page; null keeps it.
     * @param gone aborted when the client no longer waits.
     * @throws {ServiceError} `invalid_request` for an unknown theme; `service_unavailable` when the page could not be
     *   rendered in time.
     */
    async preview(caller: Caller, ref: string, theme: string | null, gone: AbortSignal): Promise<string> {
      return render(await accessPage(db.read, caller, ref, ['read']), theme, gone)
    },

    /**
     * Renders the page with an edit that is not stored, as `preview` does.
     *
     * @param readChange as for `update` of pages; its status has no effect.
     */
    async previewEdit(
      caller: Caller,
      ref: string,
      readChange: (page: Page, shown: ShownFields, home: Home) => PageChange,
      gone: AbortSignal,
    ): Promise<string> {
      const { page, home } = await accessPage(db.read, caller, ref, ['write'])
      const shown = {
        now: resolvedFields(page),
        withContent: (content: Parameters<ShownFields['withContent']>[0]) =>
          resolvedFields({ ...page, ...content }),
      }
      const { edit } = readChange(page, shown, home)
      const edited = isEmptyEdit(edit) ? page : applyEdit(page, edit, { now: now(), derive })
      return render({ page: edited, home }, null, gone)
    },

    /**
     * Renders the page with settings that are not stored, as `preview` does.
     *
     * @param readFields reads them, knowing the stored ones.
     * @throws {ServiceError} as `preview`; `not_found` unless the page is of the project.
     */
    async previewSettings(
      caller: Caller,
      { project, page: pageRef }: { readonly project: string; readonly page: string },
      readFields: (current: Settings) => SettingsFields,
      gone: AbortSignal,
    ): Promise<string> {
      const { page, home } = await accessPage(db.read, caller, pageRef, ['settings'])
      if (home.project.id !== readId('proj', project))
        throw new ServiceError('not_found', 'The project has no such page.')
      return render({ page, home }, null, gone, readFields)
    },

    /**
     * Renders the texts of an earlier release of the page as `preview` does, in the current settings and theme.
     *
     * @throws {ServiceError} `not_found` when the page has no such release.
     */
    async previewRelease(caller: Caller, ref: string, release: string, gone: AbortSignal): Promise<string> {
      const { page, home } = await accessPage(db.read, caller, ref, ['read'])
      const released = await readReleased(db.read, page, release)
      return render({ page: released.page, home }, null, gone)
    },

    /**
     * Renders the page as `preview` does, for the bearer of a signed link. The link has the rights of the API key or
     * session that created it, as they are now.
     *
     * @throws {ServiceError} `forbidden` when the signature is wrong, the link has expired or is for another page, or
     *   its API key or session has ended; `not_found` when the page is deleted or its project suspended.
     */
    async previewByToken(
      token: string,
      ref: string,
      theme: string | null,
      gone: AbortSignal,
      reserve: ReserveBytes,
    ): Promise<string> {
      const grant = openPreview(token, signingKey)
      if (grant === null || grant.pageId !== readId('page', ref) || (await hasEnded(token, grant)))
        throw invalidLink()
      const issuer = await findIssuer(grant.issuer)
      if (issuer === null) throw invalidLink()
      const found = await accessPage(db.read, { ...issuer, reserve }, grant.pageId, LINK_NEEDS).catch(
        (error) => {
          // The bearer of the link learns nothing of rights that its creator has lost.
          throw error instanceof ServiceError && error.name === 'forbidden' ? invalidLink() : error
        },
      )
      if (found.home.project.status === 'suspended')
        throw new ServiceError('not_found', 'The project of this preview link is suspended.')
      return render(found, theme, gone)
    },

    /**
     * A link that shows a preview of the page without an API key, rendered when the link is opened. It ends with the
     * key or session that created it; a session that is merely idle has not ended.
     */
    async createLink(caller: Caller, ref: string, readSeconds: () => number): Promise<PreviewLink> {
      const ends = await endOf(caller.via)
      return db.write(async (repositories) => {
        const { page, home } = await accessPage(repositories, caller, ref, LINK_NEEDS)
        if (home.project.status === 'suspended') assertWritable(home.project)
        const wanted = new Date(Date.parse(now()) + readSeconds() * 1000).toISOString()
        const expiresAt = ends !== null && ends < wanted ? ends : wanted
        const token = signPreview({ pageId: page.id, issuer: caller.via, expiresAt }, signingKey)
        await recordAct(repositories, ports, caller, {
          act: 'preview.create',
          of: { projectId: home.project.id },
          target: page.id,
          after: { digest: digestOf(token) },
        })
        return { url: `${baseUrl}/render/${prefixed('page', page.id)}?token=${token}`, token, expiresAt }
      })
    },

    /**
     * The path of an image of an asset for its owner's eyes, of the smallest variant that has this width; null for an
     * asset that is no image. The path is the permission to read it, for an hour or two.
     */
    pictureHref({ asset, variants }: AssetDetails, minWidth: number): string | null {
      if (asset.image === null) return null
      const [small] = variants
        .filter(({ format, width }) => format === 'webp' && width >= minWidth)
        .sort((a, b) => a.width - b.width)
      const { digest, format } = small ?? { digest: asset.digest, format: asset.image.format }
      const grant = { projectId: asset.projectId, digest, extension: format, expiresAt: fileEnd() }
      return `${PREVIEW_FILES}${ASSET_PREFIX}${signOriginal(grant, signingKey)}`
    },

    /** Opens an image or file of a preview, which may not be public; null for a name of no preview, or an old one. */
    async original(file: string): Promise<OpenObject | null> {
      const grant = openOriginal(file, signingKey, now())
      const original = grant === null ? null : await publishedMedia.open(grant.projectId, grant.digest)
      if (original === null) return null
      const { contentType } = objectHeaders(MEDIA_PREFIX + file)
      return { ...original, headers: { contentType, cacheControl: FILE_CACHE } }
    },

    /** An asset of a recent preview, the same buffer at each call; null when it is not cached. */
    asset(key: string): Buffer | null {
      return assets.get(key) ?? null
    },
  }

  /** Reports whether a link has expired, now or when it was opened before: the clock may have been set back since. */
  async function hasEnded(token: string, { pageId, expiresAt }: PreviewGrant): Promise<boolean> {
    const digest = digestOf(token)
    if (await db.read.expiredPreviews.has(digest)) return true
    if (now() < expiresAt) return false
    await db.write(async (repositories) => {
      const isFirst = await repositories.expiredPreviews.add(digest, expiresAt)
      const found = isFirst ? await repositories.pages.find(pageId) : null
      if (found === null) return
      await recordAct(repositories, ports, SERVICE, {
        act: 'preview.end',
        of: { projectId: found.page.projectId },
        target: pageId,
        before: { digest },
      })
    })
    return true
  }

  /** The rights of a link; null when what created it is not live any more. */
  async function findIssuer(issuer: Credential): Promise<Caller | null> {
    const time = now()
    if (issuer.kind === 'key') {
      const found = await db.read.keys.findCaller(issuer.id, time)
      return found !== null && isLiveKey(found, time) ? found.caller : null
    }
    const found = await db.read.sessions.find(issuer.id)
    return found !== null && time < found.session.expiresAt ? callerOfSession(db.read, found, time) : null
  }

  /** Returns the latest end of the key or session; null for a key without an end. */
  async function endOf(via: Credential): Promise<string | null> {
    if (via.kind === 'key') return (await db.read.keys.find(via.id))?.expiresAt ?? null
    return (await db.read.sessions.find(via.id))?.session.expiresAt ?? now()
  }

  /** Renders in the turn of the project's owner, not of the viewer. */
  function render(
    found: PageInProject,
    theme: string | null,
    gone: AbortSignal,
    readFields?: (current: Settings) => SettingsFields,
  ): Promise<string> {
    const { id: project, userId: account } = found.home.project
    const deadline = { timers, ms: RENDER_DEADLINE_MS, tooLate: renderedTooLate, gone }
    return withDeadline(deadline, (signal) =>
      turns({ account, project }, () => rendered(found, theme, signal, readFields), signal),
    )
  }

  async function rendered(
    { page, home }: PageInProject,
    theme: string | null,
    signal: AbortSignal,
    readFields: (current: Settings) => SettingsFields = () => ({}),
  ): Promise<string> {
    if (theme !== null && !renderer.themes.includes(theme)) {
      const message = `must be one of ${renderer.themes.join(', ')}.`
      throw fieldFailure('invalid_request', [{ path: 'theme', message, code: 'not_allowed' }])
    }
    // A preview is no visit.
    const unseen = (stored: Settings) => ({ ...readFields(stored), visits: 'none' as const })
    const how = { texts: pageTexts.direct({ signal }), isStrict: false }
    const snapshot = await readSnapshot(db.read, page, home, { addresses, now }, how, unseen)
    const shown = withReadableMedia(snapshot)
    const written = theme === null ? shown : { ...shown, ...withTheme(shown.page, shown.settings, theme) }
    const path = snapshotPath(written)
    const locale = localeOf({ ...written, path })
    const tried = inLocale(written, locale)
    const fields = { ...tried.fields, publishDate: tried.fields.publishDate ?? now() }
    const docs = page.type === 'docs' ? docsContext(await treesWith(written), path) : null
    const collections = await collectionsNow(page.projectId, queriesOf(tried), page.id, liveState)
    const neighbours =
      page.type === 'article'
        ? neighboursOf(
            await liveState.cards(page.projectId, 'article'),
            liveCard(tried, path, fields.publishDate),
          )
        : null
    const facts = factsOf(tried)
    const key = facts.translated?.key
    const translations =
      key === undefined
        ? []
        : translationsOf(facts, await liveState.translations(page.projectId, [key]), tried.settings.locales)
    const targets = switchPaths(path, locale, tried.settings)
    const existing = await existingPaths(page.projectId, targets, liveState)
    const reached = targets.filter((target) => existing.has(target))
    const surroundings = await readSurroundings(
      { projectId: page.projectId },
      tried.site,
      [written.settings],
      NO_OVERLAY,
      liveState,
    )
    const around = surroundings(written.settings, locale)
    const context = {
      docs,
      collections,
      neighbours,
      translations,
      switchPaths: reached,
      ...(around !== undefined && { surroundings: around }),
    }
    const live = { ...tried, fields, path, file: NO_FILE, context }
    const prefixes = { pages: `/public/${prefixed('proj', page.projectId)}/`, files: PREVIEW_FILES }
    const { html, assets: named } = await renderer.preview(live, prefixes, { signal })
    for (const asset of named) assets.set(asset.key, bufferOf(asset.body))
    return html
  }

  /** Browsers that show the preview have no key, so the names of its files are the permission to read them. */
  function withReadableMedia(snapshot: Snapshot): Snapshot {
    const { media, page } = snapshot
    if (media === undefined) return snapshot
    const expiresAt = fileEnd()
    const readable = <File extends { readonly key: string }>(file: File, digest: string): File => {
      const extension = file.key.slice(file.key.lastIndexOf('.') + 1)
      const grant = { projectId: page.projectId, digest, extension, expiresAt }
      return { ...file, key: ASSET_PREFIX + signOriginal(grant, signingKey) }
    }
    const files = Object.entries(media).map(([path, file]) => {
      const original = readable(file, file.digest)
      if (!isPicture(original)) return [path, original]
      const variants = original.variants.map((variant) =>
        variant.stored === undefined ? variant : readable(variant, variant.stored.digest),
      )
      return [path, { ...original, variants }]
    })
    return { ...snapshot, media: Object.fromEntries(files) }
  }

  function fileEnd(): string {
    return new Date((Math.ceil(Date.parse(now()) / FILE_MS) + 1) * FILE_MS).toISOString()
  }

  /** The live navigation, with this page in its current state. */
  async function treesWith(snapshot: Snapshot) {
    const { id, projectId } = snapshot.page
    const live = await liveState.facts(projectId, 'docs')
    return docsTrees(mergeFacts(live, new Set([id]), [factsOf(snapshot)]), snapshot.settings)
  }
}

/** Identifies a link in the audit log and among expired links, without giving access. */
function digestOf(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

function invalidLink(): ServiceError {
  return new ServiceError(
    'forbidden',
    'This preview link is invalid, has expired, or its API key or session has ended.',
  )
}

/** Views the same bytes, without a copy. */
function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength)
}

function withTheme(page: Page, settings: Settings, theme: string): { page: Page; settings: Settings } {
  const { theme: _, ...config } = page.config
  return { page: { ...page, config }, settings: { ...settings, theme } }
}
