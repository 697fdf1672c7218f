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
  /** What `quoin build` wrote. */
  readonly folder: string
  /** Tell what would be done, and touch nothing. */
  readonly dryRun: boolean
  /** Put a file also where another lies that no deploy put there. */
  readonly replace: boolean
  /** Put every file, also one that lies there as far as deploys know: somebody else may have altered it. */
  readonly all: boolean
}

export interface DeployPorts {
  /** The target; nobody else's objects there are touched. */
  readonly storage: Pick<Storage, 'put' | 'get' | 'delete' | 'list'>
  /** Names this deploy; another one each time. */
  readonly run: string
  /** Current time, ISO 8601 UTC. */
  readonly now: () => string
  /** Called after each file that is put. */
  readonly onPut: (put: number, total: number) => void
}

/**
 * Bring a target up to a built site: what a file names is put before it, and what is gone goes last.
 * Broken off at any moment, each file there is the old or the new one, and the next deploy completes it.
 *
 * What deploys have put is written down in the target before the first of it is put.
 *
 * @throws {ServiceError} `conflict` when somebody else's file is in the way, and nothing is touched then;
 *   or when another deploy to the same target ran meanwhile.
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

/** Whether the target has all, and says so. */
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
