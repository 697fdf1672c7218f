import { type DeployRequest, deployFolder } from '../deploy/deploy-folder.ts'
import type { DeployPlan } from '../deploy/deploy-plan.ts'
import { systemTime } from '../platform/clock.ts'
import { randomId } from '../services/new-id.ts'
import type { StorageTarget } from '../storage/storage-url.ts'
import { openStorage } from './storage.ts'

/** Deploys to a bucket or a folder, after checking that it can be written. */
export async function deploy(
  request: DeployRequest,
  target: StorageTarget,
  onPut: (uploaded: number, total: number) => void,
): Promise<DeployPlan> {
  const storage = await openStorage(target)
  if (!request.dryRun) await storage.check()
  return deployFolder(request, { storage, run: randomId(), now: systemTime, onPut })
}
