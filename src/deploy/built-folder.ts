import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Owner, objectHeaders, type Stage } from '../domain/artifact.ts'
import { ServiceError } from '../domain/errors.ts'
import { isSafeKey } from '../domain/storage-key.ts'
import { forEachConcurrently } from '../platform/concurrency.ts'
import { sha256 } from '../publish/pipeline/plan.ts'
import { readState } from '../site-build/state/build-state.ts'

/** A file of a built site. It is read again for the upload, so that not all files are in memory at once. */
export interface BuiltObject {
  readonly key: string
  /** The file itself. */
  readonly file: string
  /** In bytes. */
  readonly size: number
  /** SHA-256 over its bytes and headers. */
  readonly digest: string
  readonly stage: Stage
}

/**
 * Reads every file of an output folder, sorted by key. Names that start with a dot are skipped.
 *
 * @throws {ServiceError} `validation_error` if it is not an output folder, or its last build was aborted.
 */
export async function readBuilt(folder: string): Promise<readonly BuiltObject[]> {
  const { state, uncertain: doubtful, digest } = await readState(folder, null)
  if (doubtful.length > 0)
    throw refusal(`The last build into ${folder} was broken off. Run quoin build again.`)
  if (digest === null)
    throw refusal(`${folder} is no folder that a site was built into. Run quoin build first.`)
  const objects: BuiltObject[] = []
  await forEachConcurrently(await keysIn(folder), async (key) => {
    const file = join(folder, key)
    const body = await readFile(file)
    objects.push({
      key,
      file,
      size: body.byteLength,
      digest: digestOf(key, body),
      stage: stageOf(key, state.files.get(key)?.owner ?? null),
    })
  })
  return objects.sort((a, b) => (a.key < b.key ? -1 : 1))
}

/** SHA-256 that changes with the bytes and with the headers. */
export function digestOf(key: string, body: Uint8Array): string {
  return sha256(`${sha256(body)} ${JSON.stringify(objectHeaders(key))}`)
}

async function keysIn(folder: string, within = ''): Promise<readonly string[]> {
  const entries = await readdir(join(folder, within), { withFileTypes: true })
  const found: string[] = []
  for (const entry of entries) {
    if (entry.name.startsWith('.')) continue
    const key = within === '' ? entry.name : `${within}/${entry.name}`
    if (entry.isDirectory()) found.push(...(await keysIn(folder, key)))
    else if (!entry.isFile()) throw refusal(`${join(folder, key)} is no regular file; move it away.`)
    else if (!isSafeKey(key)) throw refusal(`${join(folder, key)} has a name that cannot be deployed.`)
    else found.push(key)
  }
  return found
}

/** The upload stage: a file is uploaded after those that it names. */
function stageOf(key: string, owner: Owner | null): Stage {
  if (key === '_index.json') return 'manifest'
  // The owners of files are not readable in Data Mode, so the key decides.
  if (key.startsWith('_nav/')) return 'index'
  switch (owner?.kind) {
    case undefined:
      return 'asset'
    case 'page':
    case 'redirect':
      return 'page'
    case 'listing':
      return /\/page\/\d+\/index\.html$/.test(key) ? 'listing' : 'index'
    case 'search':
      return key.includes('/') ? 'page' : 'index'
    case 'nav':
      return 'index'
    case 'site':
      return key.startsWith('_assets/') ? 'asset' : 'index'
  }
}

function refusal(message: string): ServiceError {
  return new ServiceError('validation_error', message)
}
