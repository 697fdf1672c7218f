import { ServiceError, UnavailableError } from '../../domain/errors.ts'
import { fieldFailure } from '../../domain/field-errors.ts'
import { NAME_RULE, readMediaName } from '../../domain/media-name.ts'
import { detectType } from '../../domain/media-type.ts'
import { param } from '../../http/api.ts'
import { readUploadTexts } from '../../http/asset-schemas.ts'
import { isForm, type ReceivedUpload, readUpload } from '../../http/read-upload.ts'
import { announcedBytes, drainRefused } from '../../http/receive-upload.ts'
import type { UploadTurn } from '../../services/media/asset-uploads.ts'
import { answerJson, wantsJson } from '../frame/json-answer.ts'
import { attempt, problemOf } from '../frame/problem.ts'
import type { DashboardContext, DashboardRouter, ViewPorts } from '../ports.ts'
import { assetPath, createAssetView, createMediaList, ofAssetsProject } from './media.ts'
import { projectRef } from './projects.ts'

/** Longest wait for a turn, as for uploads through the API. */
const TURN_MS = 10_000
/** Memory of an upload: chunks on their way to the disk. */
const BUFFERED_BYTES = 256 * 1024

/** The upload of a file by a form, whose body is read here and nowhere before. */
export function uploadViews(router: DashboardRouter, ports: ViewPorts): void {
  const { frame, assetUploads, mediaLimits, uploadTurns } = ports
  const { words } = frame
  const { show } = createMediaList(ports)
  const showAsset = createAssetView(ports)

  router.post('/projects/:project/media', (ctx) =>
    drainRefused(ctx, () =>
      attempt(
        () => upload(ctx),
        (error) => (wantsJson(ctx) ? answerJson(ctx, error, words) : show(ctx, problemOf(error, words))),
      ),
    ),
  )

  // Other bytes for a file of the library.
  router.post('/projects/:project/media/:asset/replace', ofAssetsProject(ports), (ctx) =>
    drainRefused(ctx, () =>
      attempt(
        async () => {
          const { caller } = ctx.state
          const ref = param(ctx.params, 'asset')
          await receive(
            ctx,
            await assetUploads.admitContent(caller, ref, announcedBytes(ctx)),
            async ({ file }) => {
              const { asset } = await assetUploads.replaceContent(caller, ref, file, () => {})
              frame.goTo(ctx, assetPath(asset), 'fileReplaced')
            },
          )
        },
        (error) => showAsset(ctx, { error }),
      ),
    ),
  )

  async function upload(ctx: DashboardContext): Promise<void> {
    const { caller } = ctx.state
    const ref = projectRef(ctx)
    const turn = await assetUploads.admit(caller, ref, { name: null, bytes: announcedBytes(ctx) })
    await receive(ctx, turn, async ({ file, fileName, fields }) => {
      const texts = readUploadTexts(new Map([...fields].filter(([name]) => name === 'alt')))
      const { asset, isNew } = await assetUploads.upload(caller, ref, {
        ...texts,
        name: readName(fileName),
        file,
      })
      if (wantsJson(ctx)) ctx.body = { name: asset.name }
      else frame.goTo(ctx, assetPath(asset), isNew ? 'fileUploaded' : 'fileKnown')
    })
  }

  /** Reads the form in the turn of its account, and hands its file over until it is stored. */
  async function receive(
    ctx: DashboardContext,
    turn: UploadTurn,
    store: (arrived: ReceivedUpload) => Promise<void>,
  ): Promise<void> {
    if (!isForm(ctx)) throw new ServiceError('invalid_request', 'A file must be sent as multipart/form-data.')
    ctx.state.held.receiving(BUFFERED_BYTES)
    const late = AbortSignal.timeout(TURN_MS)
    await uploadTurns(turn, () => read(ctx, store), late).catch((error) => {
      throw error === late.reason
        ? new UnavailableError('Other uploads of this account run already.', 5)
        : error
    })
  }

  async function read(
    ctx: DashboardContext,
    store: (arrived: ReceivedUpload) => Promise<void>,
  ): Promise<void> {
    const limitOf = (head: Buffer) =>
      detectType(head, '').kind === 'image' ? mediaLimits.image : mediaLimits.file
    await receiveFile(ctx, ports, limitOf, store)
  }
}

/**
 * Reads the file of a form, and hands it over while it exists.
 *
 * @param largest bytes that a file with this head may have.
 */
export async function receiveFile(
  ctx: DashboardContext,
  { frame, incoming, sessions }: Pick<ViewPorts, 'frame' | 'incoming' | 'sessions'>,
  largest: (head: Buffer) => number,
  store: (arrived: ReceivedUpload) => Promise<void>,
): Promise<void> {
  const arrived = await readUpload(ctx, incoming, largest)
  try {
    // A file can arrive so slowly that its session has ended meanwhile.
    const found = await sessions.authenticate(ctx.state.sessionToken ?? '')
    if (found === null) throw new ServiceError('unauthorized', frame.words.fault.expired)
    await store(arrived)
  } finally {
    await incoming.remove(arrived.file)
  }
}

/** The name of a file from a user's disk, with hyphens in place of characters that the library forbids. */
function readName(fileName: string | null): string {
  const given = fileName ?? ''
  const name =
    readMediaName(given) ??
    readMediaName(
      given
        .replaceAll(/[^\p{L}\p{M}\p{N}\-_.@+ ]+/gu, '-')
        .replace(/^[. ]+/, '')
        .trim(),
    )
  if (name !== null) return name
  throw fieldFailure('validation_error', [{ path: 'file', message: `${NAME_RULE}.`, code: 'wrong_format' }])
}
