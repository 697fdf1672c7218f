import { readFile } from 'node:fs/promises'
import { STAGES } from '../domain/artifact.ts'
import { ServiceError } from '../domain/errors.ts'
import { forEachConcurrently } from '../platform/concurrency.ts'
import { openFile, readFileBody } from '../platform/file-body.ts'
import { deleteAll } from '../publish/pipeline/deploy.ts'
import { sha256 } from '../publish/pipeline/plan.ts'
import type { Storage } from '../storage/storage.ts'
import { type BuiltObject, readBuilt } from './built-folder.ts'
import { type DeployPlan, type DeployUpload, planDeploy } from './deploy-plan.ts'
import { type DeployedFile, type DeployRecord, readDeployRecord, writeDeployRecord } from './deploy-record.ts'

export interface DeployRequest {
  /** Output folder of `quoin build`. */
  readonly folder: string
  /** Only return the plan. Writes nothing. */
  readonly dryRun: boolean
  /** Replace files in the target that no deploy uploaded. */
  readonly replace: boolean
  /** Upload every file, changed or not. Repairs files that another program changed in the target. */
  readonly all: boolean
}

export interface DeployPorts {
  /** The target. Objects that no deploy uploaded are not changed. */
  readonly storage: Pick<Storage, 'put' | 'get' | 'delete' | 'list'>
  /** Id of this deploy. Different for each one. */
  readonly run: string
  /** Current time, ISO 8601 UTC. */
  readonly now: () => string
  /** Called after each uploaded file. */
  readonly onPut: (uploaded: number, total: number) => void
}

/**
 * Uploads the changed files of a built site to a target. Uploads a file after the files it references, and removes
 * deleted files last. After an interruption each file in the target is the old or the new one, and the next deploy
 * completes the site.
 *
 * The target stores a record of the files that deploys uploaded. It lists a file before the file is uploaded.
 *
 * @throws {ServiceError} `conflict` if a file in the target was not uploaded by a deploy (nothing is changed then), or
 *   if another deploy to the same target ran at the same time.
 */
export async function deployFolder(request: DeployRequest, ports: DeployPorts): Promise<DeployPlan> {
  const { storage, run, now } = ports
  const built = await readBuilt(request.folder)
  const previous = await readDeployRecord(storage)
  const existing = new Set(await storage.list(''))
  const plan = planDeploy(built, previous, existing, { now: now(), all: request.all })
  if (!request.replace) refuseForeign(plan)
  if (request.dryRun || isUpToDate(previous, built, plan)) return plan

  await writeDeployRecord(storage, { run, files: { ...previous.files, ...claimed(plan.uploads) } })
  await putAll(plan.uploads, ports)
  await deleteAll(plan.deletes, storage)
  await refuseConcurrentDeploy(ports)
  await writeDeployRecord(storage, { run, files: { ...plan.retired, ...written(built) } })
  return plan
}

function refuseForeign({ foreign }: DeployPlan): void {
  const [first] = foreign
  if (first === undefined) return
  const others = foreign.length === 1 ? '' : ` (and ${foreign.length - 1} more)`
  throw new ServiceError(
    'conflict',
    `${first}${others} already exists in the target, and no deploy uploaded it. Deploy to another target, or use --replace.`,
  )
}

/** True if the target has all files and its record lists them. */
function isUpToDate({ files }: DeployRecord, built: readonly BuiltObject[], plan: DeployPlan): boolean {
  const expected = { ...plan.retired, ...written(built) }
  const isRecorded = ([key, { goneSince }]: [string, DeployedFile]) =>
    files[key] !== undefined && files[key].goneSince === goneSince
  return (
    plan.uploads.length + plan.deletes.length === 0 &&
    Object.keys(files).length === Object.keys(expected).length &&
    Object.entries(expected).every(isRecorded)
  )
}

function claimed(uploads: readonly DeployUpload[]): Readonly<Record<string, DeployedFile>> {
  return Object.fromEntries(uploads.map(({ key, stage }) => [key, { digest: null, stage }]))
}

function written(built: readonly BuiltObject[]): Readonly<Record<string, DeployedFile>> {
  return Object.fromEntries(built.map(({ key, digest, stage }) => [key, { digest, stage }]))
}

async function putAll(uploads: readonly DeployUpload[], { storage, onPut }: DeployPorts): Promise<void> {
  let uploaded = 0
  for (const stage of STAGES) {
    await forEachConcurrently(
      uploads.filter((upload) => upload.stage === stage),
      async (upload) => {
        await put(upload, storage)
        onPut(++uploaded, uploads.length)
      },
    )
  }
}

/** Up to this size files are read into memory, which is faster than a stream. */
const SMALL_BYTES = 1024 * 1024

/** Uploads exactly the bytes of the plan. */
async function put(upload: DeployUpload, storage: Pick<Storage, 'put'>): Promise<void> {
  const { key, file, size, bodyDigest } = upload
  if (size <= SMALL_BYTES) {
    const body = await readFile(file)
    if (sha256(body) !== bodyDigest) throw changed(upload)
    return storage.put({ key, body })
  }
  try {
    await storage.put({ key, body: { size, digest: bodyDigest, open: () => openFile(file) } })
  } catch (error) {
    // The store rejects a stream of other bytes.
    const now = await readFileBody(file).catch(() => null)
    throw now === null || now.digest === bodyDigest ? error : changed(upload)
  }
}

function changed({ file }: DeployUpload): ServiceError {
  return new ServiceError('conflict', `${file} changed during the deploy. Deploy again.`)
}

async function refuseConcurrentDeploy({ storage, run }: DeployPorts): Promise<void> {
  if ((await readDeployRecord(storage)).run === run) return
  throw new ServiceError(
    'conflict',
    'Another deploy to this target ran at the same time. Deploy again after it has ended.',
  )
}
