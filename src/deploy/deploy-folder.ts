import { readFile } from 'node:fs/promises'
import { STAGES } from '../domain/artifact.ts'
import { ServiceError } from '../domain/errors.ts'
import { forEachConcurrently } from '../platform/concurrency.ts'
import { deleteAll } from '../publish/pipeline/deploy.ts'
import type { Storage } from '../storage/storage.ts'
import { type BuiltObject, digestOf, readBuilt } from './built-folder.ts'
import { type DeployPlan, type DeployUpload, planDeploy } from './deploy-plan.ts'
import { type Deployed, type DeployedFile, readDeployed, writeDeployed } from './deployed.ts'

export interface DeployRequest {
  /** The output folder of `quoin build`. */
  readonly folder: string
  /** Report the changes without making them. */
  readonly dryRun: boolean
  /** Overwrite files that no deploy stored. */
  readonly replace: boolean
  /** Upload unchanged files as well: something else may have modified the target. */
  readonly all: boolean
}

export interface DeployPorts {
  /** The target. Objects that no deploy stored are not changed. */
  readonly storage: Pick<Storage, 'put' | 'get' | 'delete' | 'list'>
  /** Unique id of this deploy. */
  readonly run: string
  /** Current time, ISO 8601 UTC. */
  readonly now: () => string
  /** Called after each upload. */
  readonly onPut: (put: number, total: number) => void
}

/**
 * Makes a target equal to a built site. Files are uploaded before those that name them, and removed last. If it is
 * aborted, each file in the target is the old or the new one, and the next deploy completes it.
 *
 * The record of deployed files is stored in the target before the first upload.
 *
 * @throws {ServiceError} `conflict` if a foreign file is in the way; nothing is changed then.
 *   Also if another deploy to the same target ran meanwhile.
 */
export async function deployFolder(request: DeployRequest, ports: DeployPorts): Promise<DeployPlan> {
  const { storage, run, now } = ports
  const built = await readBuilt(request.folder)
  const before = await readDeployed(storage)
  const there = new Set(await storage.list(''))
  const plan = planDeploy(built, before, there, { now: now(), all: request.all })
  if (!request.replace) refuseForeign(plan)
  if (request.dryRun || isDone(before, built, plan)) return plan

  await writeDeployed(storage, { run, files: { ...before.files, ...claimed(plan.uploads) } })
  await putAll(plan.uploads, ports)
  await deleteAll(plan.deletes, storage)
  await refuseAnother(ports)
  await writeDeployed(storage, { run, files: { ...plan.retired, ...written(built) } })
  return plan
}

function refuseForeign({ foreign }: DeployPlan): void {
  const [first] = foreign
  if (first === undefined) return
  const others = foreign.length === 1 ? '' : ` (and ${foreign.length - 1} more)`
  throw new ServiceError(
    'conflict',
    `${first}${others} lies in the target already, and no deploy put it there. Deploy to another place, or say --replace.`,
  )
}

/** Whether the target has all files and an up-to-date record. */
function isDone({ files }: Deployed, built: readonly BuiltObject[], plan: DeployPlan): boolean {
  const said = { ...plan.retired, ...written(built) }
  const isSaid = ([key, { goneSince }]: [string, DeployedFile]) =>
    files[key] !== undefined && files[key].goneSince === goneSince
  return (
    plan.uploads.length + plan.deletes.length === 0 &&
    Object.keys(files).length === Object.keys(said).length &&
    Object.entries(said).every(isSaid)
  )
}

function claimed(uploads: readonly DeployUpload[]): Readonly<Record<string, DeployedFile>> {
  return Object.fromEntries(uploads.map(({ key, stage }) => [key, { digest: null, stage }]))
}

function written(built: readonly BuiltObject[]): Readonly<Record<string, DeployedFile>> {
  return Object.fromEntries(built.map(({ key, digest, stage }) => [key, { digest, stage }]))
}

async function putAll(uploads: readonly DeployUpload[], { storage, onPut }: DeployPorts): Promise<void> {
  let put = 0
  for (const stage of STAGES) {
    await forEachConcurrently(
      uploads.filter((upload) => upload.stage === stage),
      async ({ key, file, digest }) => {
        const body = await readFile(file)
        if (digestOf(key, body) !== digest)
          throw new ServiceError('conflict', `${file} changed while it was deployed. Deploy again.`)
        await storage.put({ key, body })
        onPut(++put, uploads.length)
      },
    )
  }
}

async function refuseAnother({ storage, run }: DeployPorts): Promise<void> {
  if ((await readDeployed(storage)).run === run) return
  throw new ServiceError(
    'conflict',
    'Another deploy to this target ran at the same time. Deploy again when it is done.',
  )
}
