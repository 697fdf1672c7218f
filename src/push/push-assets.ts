import { ApiError, type ApiErrorName } from '../client/api-error.ts'
import type { Asset } from '../client/api-types.ts'
import type { Client } from '../client/client.ts'
import { type Diagnostic, diagnostic } from '../domain/diagnostic.ts'
import { mapConcurrently } from '../platform/concurrency.ts'
import type { FileBody } from '../platform/file-body.ts'
import type { NamedFile } from './media-names.ts'
import { mayOverwrite, type Overwrite } from './overwrite.ts'
import { NOT_CREATED } from './project.ts'
import type { Progress } from './publish-pages.ts'
import type { PushedState } from './pushed-state.ts'

/** The files of a content folder. */
export interface FolderFiles {
  /** @param source relative to the folder. @throws the system's error if the file cannot be read. */
  read(source: string): Promise<FileBody>
}

/** The result of pushing the files that a site names. Files are named by their paths in the folder. */
export interface AssetsOutcome {
  readonly sent: readonly string[]
  readonly unchanged: number
  readonly conflicts: readonly Diagnostic[]
  /** Messages of the server about files that it refused, by file. */
  readonly refused: ReadonlyMap<string, string>
  /** The number of images that the server could not decode. They get no smaller ones. */
  readonly undecoded: number
  /** Ids of images whose smaller ones are still being derived, in the order of their uploads. */
  readonly processing: readonly string[]
  /** Files whose assets were replaced on the server alone, and stay. */
  readonly kept: readonly string[]
  /** Files whose bytes the server has already. Only their paths were recorded. */
  readonly adopted: readonly string[]
}

interface AssetPushPorts {
  readonly api: Client
  readonly project: string
  /** The identity of the folder; null when the server is not told what it pushed. */
  readonly folder: string | null
  readonly files: FolderFiles
  /** Replace the content of assets that was changed on the server. */
  readonly overwrite: Overwrite
  readonly dryRun: boolean
  /** Pages are published after the smaller images of all images are derived, including images of earlier pushes. */
  readonly awaitsVariants: boolean
  readonly onFile: Progress
}

/** Half of the concurrent uploads that a service accepts of one account, so that others of the account have room. */
const UPLOADS_AT_ONCE = 4
/** Errors that concern one file. The other files are still sent. */
const ONE_FILE_ERRORS: readonly ApiErrorName[] = ['validation_error', 'payload_too_large', 'forbidden']

/**
 * Uploads the files whose bytes the project does not have, each under its name. Does not replace what others uploaded
 * or replaced since the last push. An interrupted push continues with the next one.
 *
 * @throws {ApiError} for an error that does not concern one file alone.
 */
export async function pushAssets(
  named: readonly NamedFile[],
  pushed: PushedState['assets'],
  ports: AssetPushPorts,
): Promise<AssetsOutcome> {
  const { api, project, folder, files, overwrite, dryRun, awaitsVariants } = ports
  const sent: string[] = []
  const kept: string[] = []
  const adopted: string[] = []
  const conflicts: Diagnostic[] = []
  const refused = new Map<string, string>()
  const processing: string[] = []
  let undecoded = 0
  // Only files that were not pushed before may be under the names of others.
  let listing: Promise<ReadonlyMap<string, Asset>> | null = null
  const listed = () => {
    listing ??= listAssets(api, project)
    return listing
  }
  let done = 0
  const errors: unknown[] = []
  await mapConcurrently(named, UPLOADS_AT_ONCE, async (file) => {
    if (errors.length > 0) return
    await push(file).catch((error) => errors.push(error))
    ports.onFile(++done, named.length)
  })
  if (errors.length > 0) throw errors[0]
  const unchanged = named.length - sent.length - kept.length - conflicts.length - refused.size
  return {
    sent: sent.sort(),
    unchanged,
    kept: kept.sort(),
    adopted: adopted.sort(),
    conflicts,
    refused,
    undecoded,
    processing,
  }

  function note(asset: Asset): void {
    if (asset.status === 'processing') processing.push(asset.id)
    else if (isUndecoded(asset)) undecoded += 1
  }

  async function record(path: string, id: string, isNew: boolean): Promise<void> {
    if (folder === null || dryRun) return
    const created = isNew ? { created: true } : {}
    await api.assets.update(id, { source: { folder, path, ...created } })
  }

  async function push({ source, name }: NamedFile): Promise<void> {
    const { digest, open } = await files.read(source)
    const before = pushed.get(source)
    if (before !== undefined && before.digest === digest && before.current === digest) {
      const asset = awaitsVariants ? (await listed()).get(name) : undefined
      if (asset !== undefined) note(asset)
      return
    }
    if (before !== undefined && before.digest === digest && !mayOverwrite(overwrite, source)) {
      kept.push(source)
      return
    }
    const asset = (await listed()).get(name)
    if (asset !== undefined && (asset.digest === digest || (await storesAs(api, asset, digest)))) {
      note(asset)
      if (folder === null) return
      adopted.push(source)
      await record(source, asset.id, before?.created === true)
      return
    }
    const isOurs = asset === undefined || before?.digest === asset.digest
    if (!isOurs && !mayOverwrite(overwrite, source)) {
      conflicts.push(diagnostic('QN-CONFLICT', source, conflictOf(asset, source, before !== undefined)))
      return
    }
    try {
      if (!dryRun) {
        const answer =
          asset === undefined
            ? await api.assets.upload(project, { name, content: open })
            : await replace(asset, open)
        if (answer === null) {
          conflicts.push(diagnostic('QN-CONFLICT', source, UPLOADED_MEANWHILE))
          return
        }
        note(answer)
        await record(source, answer.id, asset === undefined || before?.created === true)
      }
      sent.push(source)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      if (error.name === 'conflict' || error.name === 'precondition_failed')
        conflicts.push(diagnostic('QN-CONFLICT', source, UPLOADED_MEANWHILE))
      else if (ONE_FILE_ERRORS.includes(error.name)) refused.set(source, error.message)
      else throw error
    }
  }

  /** Replaces the content of an asset. Null when it was replaced on the server since it was listed. */
  async function replace({ id, digest }: Asset, content: FileBody['open']): Promise<Asset | null> {
    const { headers, body } = await api.send('GET /assets/{id}', { path: { id } })
    if (body.data.digest !== digest) return null
    const ifMatch = headers.get('ETag')
    return api.assets.replace(id, content, ifMatch === null ? {} : { ifMatch })
  }
}

/** Every image that was decoded has a blurred preview. An SVG needs no smaller ones. */
function isUndecoded({ kind, content_type, thumbhash }: Asset): boolean {
  return kind === 'image' && thumbhash === null && content_type !== 'image/svg+xml'
}

const UPLOADED_MEANWHILE =
  'Another file of this name was uploaded to the server during this push. Push again.'

function conflictOf({ id, url }: Asset, source: string, isPushed: boolean): string {
  const what = isPushed
    ? `The asset ${id} was replaced on the server since the last push.`
    : `Another asset with other bytes is at ${url} on the server (${id}). No push of this folder uploaded it.`
  return `${what} Replace it with --force ${source}.`
}

/** Reports whether the bytes equal the stored image of the server, without metadata: an export has them. */
async function storesAs(api: Client, { id, kind }: Asset, digest: string): Promise<boolean> {
  if (kind !== 'image') return false
  const content = await api.assets.content(id, { unless: digest })
  await content?.body.cancel()
  return content === null
}

/** The assets of a project, by name. */
export async function listAssets(api: Client, project: string): Promise<ReadonlyMap<string, Asset>> {
  if (project === NOT_CREATED) return new Map()
  const listed = new Map<string, Asset>()
  for await (const asset of api.assets.list(project, { limit: 100, sort: 'created_at' }))
    listed.set(asset.name, asset)
  return listed
}
