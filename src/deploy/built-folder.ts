import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { isSharedKey, type Owner, objectHeaders, type Stage } from '../domain/artifact.ts'
import { ServiceError } from '../domain/errors.ts'
import { SITE_ICON_KEYS } from '../domain/site-icons.ts'
import { isSiteName } from '../domain/site-names.ts'
import { isSafeKey } from '../domain/storage-key.ts'
import { forEachConcurrently } from '../platform/concurrency.ts'
import { readFileBody } from '../platform/file-body.ts'
import { sha256 } from '../publish/pipeline/plan.ts'
import { readState } from '../site-build/state/build-state.ts'

/** A file of a built site, without its bytes: the upload reads them again, a part at a time. */
export interface BuiltObject {
  readonly key: string
  /** Path of the file on disk. */
  readonly file: string
  /** In bytes. */
  readonly size: number
  /** SHA-256 of its bytes, hex. */
  readonly bodyDigest: string
  /** SHA-256 over its bytes and its headers. */
  readonly digest: string
  readonly stage: Stage
}

/**
 * Lists every file of a built folder, sorted by key. Ignores names that no site has, such as `.git`.
 *
 * @throws {ServiceError} `validation_error` if the folder contains no complete built site, or a file that cannot be
 *   deployed.
 */
export async function readBuilt(folder: string): Promise<readonly BuiltObject[]> {
  const { state, uncertain, unreadable, digest } = await readState(folder, null)
  const sealed = new Set(unreadable)
  if (uncertain.length > 0)
    throw refusal(`The last build into ${folder} was interrupted. Run quoin build again.`)
  if (digest === null) throw refusal(`${folder} contains no built site. Run quoin build first.`)
  const objects: BuiltObject[] = []
  await forEachConcurrently(await keysIn(folder), async (key) => {
    const file = join(folder, key)
    const body = await readFileBody(file)
    objects.push({
      key,
      file,
      size: body.size,
      bodyDigest: body.digest,
      digest: sha256(`${body.digest} ${JSON.stringify(objectHeaders(key))}`),
      stage: sealed.has(key) ? sealedStageOf(key) : stageOf(key, state.files.get(key)?.owner ?? null),
    })
  })
  return objects.sort((a, b) => (a.key < b.key ? -1 : 1))
}

async function keysIn(folder: string, within = ''): Promise<readonly string[]> {
  const entries = await readdir(join(folder, within), { withFileTypes: true })
  const found: string[] = []
  for (const entry of entries) {
    if (!isSiteName(entry.name)) continue
    const key = within === '' ? entry.name : `${within}/${entry.name}`
    if (entry.isDirectory()) found.push(...(await keysIn(folder, key)))
    else if (!entry.isFile())
      throw refusal(`${join(folder, key)} is not a regular file. Move it out of the folder.`)
    else if (!isSafeKey(key))
      throw refusal(`${join(folder, key)} cannot be deployed under this name. Rename it.`)
    else found.push(key)
  }
  return found
}

/** The stage of the upload: an object is uploaded after every object that it references. */
function stageOf(key: string, owner: Owner | null): Stage {
  if (key === '_index.json') return 'manifest'
  switch (owner?.kind) {
    case undefined:
    case 'media':
      return 'asset'
    case 'page':
    case 'redirect':
      return 'page'
    case 'listing':
      return /\/page\/\d+\/index\.html$/.test(key) ? 'listing' : 'index'
    case 'search':
      return key.includes('/') ? 'page' : 'index'
    case 'nav':
    case 'site-redirect':
      return 'index'
    case 'site':
      return key.startsWith('_assets/') || SITE_ICON_KEYS.includes(key) ? 'asset' : 'index'
  }
}

/** Files of a build in Data Mode have no recorded owner: their keys decide. */
function sealedStageOf(key: string): Stage {
  if (isSharedKey(key)) return 'asset'
  if (key === '_index.json') return 'manifest'
  return key.startsWith('_nav/') ? 'index' : 'page'
}

function refusal(message: string): ServiceError {
  return new ServiceError('validation_error', message)
}
