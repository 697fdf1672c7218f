import { isDeepStrictEqual } from 'node:util'
import type { Asset } from '../client/api-types.ts'
import type { Client } from '../client/client.ts'
import { type AssetTexts, NO_TEXTS, textsOf } from '../domain/asset.ts'
import { type Diagnostic, diagnostic } from '../domain/diagnostic.ts'
import { ServiceError } from '../domain/errors.ts'
import type { FileBody } from '../platform/file-body.ts'
import type { NamedFile } from '../push/media-names.ts'
import { NOT_CREATED } from '../push/project.ts'
import type { Progress } from '../push/publish-pages.ts'
import { type AssetsOutcome, listAssets, pushAssets } from '../push/push-assets.ts'

/** A file to import, with its texts where an export has them. */
export interface AssetToImport extends NamedFile {
  readonly texts?: AssetTexts
  readonly body: FileBody
}

/** The result of importing images and files, which are named by their paths in the folder. */
export interface ImportedAssets extends Omit<AssetsOutcome, 'kept' | 'adopted'> {
  /** Files whose texts were set. */
  readonly described: readonly string[]
}

interface AssetImportPorts {
  readonly api: Client
  readonly project: string
  readonly overwrite: boolean
  readonly dryRun: boolean
  readonly onFile: Progress
}

/**
 * Uploads the files that the project lacks under their names, then sets their texts. What is the same on the server is
 * left alone, so an interrupted import continues with the next one.
 *
 * @throws {ServiceError} `forbidden` when the account has no room for all of them. Nothing was sent then.
 */
export async function importAssets(
  files: readonly AssetToImport[],
  ports: AssetImportPorts,
): Promise<ImportedAssets> {
  const { api, project } = ports
  const stored = files.length === 0 ? new Map<string, Asset>() : await listAssets(api, project)
  await assertRoom(files, stored, api)
  const bodies = new Map(files.map(({ source, body }) => [source, body]))
  const read = async (source: string) => {
    const body = bodies.get(source)
    if (body === undefined) throw new Error(`${source} is no file of the import.`)
    return body
  }
  const {
    kept: _,
    adopted: __,
    ...outcome
  } = await pushAssets(files, new Map(), {
    ...ports,
    folder: null,
    awaitsVariants: false,
    files: { read },
  })
  const withProblems = new Set([...outcome.conflicts.map(({ file }) => file), ...outcome.refused.keys()])
  const described = await importTexts(
    files.filter(({ source }) => !withProblems.has(source)),
    ports,
  )
  return {
    ...outcome,
    described: described.set,
    conflicts: [...outcome.conflicts, ...described.conflicts],
  }
}

/** Refuses an import that would end in the middle of the files. Files with the same bytes need room once. */
async function assertRoom(
  files: readonly AssetToImport[],
  stored: ReadonlyMap<string, Asset>,
  api: Client,
): Promise<void> {
  const digests = new Set([...stored.values()].map(({ digest }) => digest))
  const lacking = new Map(
    files
      .filter(({ name, body }) => !stored.has(name) && !digests.has(body.digest))
      .map(({ body }) => [body.digest, body.size]),
  )
  const needed = [...lacking.values()].reduce((sum, bytes) => sum + bytes, 0)
  if (needed === 0) return
  const { media_bytes: media } = (await api.users.usage()).account
  if (media.allowed === null || media.used + needed <= media.allowed) return
  throw new ServiceError(
    'forbidden',
    `The files need ${megabytes(needed)}, and the account may store ${megabytes(Math.max(0, media.allowed - media.used))} more (media_bytes: ${megabytes(media.allowed)}). Nothing was imported: ask the operator for a higher limit, or delete assets that are no longer used.`,
  )
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`
}

/** Sets texts of assets. Other texts on the server are conflicts, unless they are empty as those of a new asset. */
async function importTexts(
  files: readonly AssetToImport[],
  { api, project, overwrite, dryRun }: AssetImportPorts,
): Promise<{ readonly set: readonly string[]; readonly conflicts: readonly Diagnostic[] }> {
  const wanted = files.flatMap(({ name, source, texts }) =>
    texts === undefined || isDeepStrictEqual(texts, NO_TEXTS) ? [] : [{ name, source, texts }],
  )
  if (wanted.length === 0 || project === NOT_CREATED) return { set: wanted.map(sourceOf), conflicts: [] }
  const stored = await listAssets(api, project)
  const set: string[] = []
  const conflicts: Diagnostic[] = []
  for (const { name, source, texts } of wanted) {
    const asset = stored.get(name)
    const current = textsOf(asset ?? NO_TEXTS)
    if (isDeepStrictEqual(texts, current)) continue
    if (!overwrite && !isDeepStrictEqual(current, NO_TEXTS)) {
      const message = `The asset ${name} has other texts on the server (${Object.keys(NO_TEXTS).join(', ')}). Replace them with --force.`
      conflicts.push(diagnostic('QN-CONFLICT', source, message))
      continue
    }
    if (asset !== undefined && !dryRun) await api.assets.update(asset.id, texts)
    set.push(source)
  }
  return { set, conflicts }
}

function sourceOf({ source }: { readonly source: string }): string {
  return source
}
