import type { LostSecrets } from '../../db/repositories/secrets.ts'
import type { Database } from '../../db/repositories.ts'
import { OPERATOR } from '../../domain/audit.ts'
import { newContentKey } from '../../secrets/content-key.ts'
import type { MasterKey } from '../../secrets/master-key.ts'
import { sealWebhookSecret } from '../../secrets/webhook-secret.ts'
import { newSecret } from '../../webhooks/sign.ts'
import { recordAct } from '../audit/record-act.ts'
import type { ServiceContext } from '../context.ts'

/**
 * Replaces every secret that the master key does not open. Safe to interrupt and to run again.
 *
 * @returns what was replaced. The owners of these projects have to regenerate their content keys, and the secrets of
 *   their webhooks.
 */
export async function replaceLostSecrets(
  db: Database,
  masterKey: MasterKey,
  ports: Pick<ServiceContext, 'newId' | 'now'>,
): Promise<readonly LostSecrets[]> {
  const lost = await db.read.lostSecrets.find(masterKey.ids)
  for (const projectId of new Set(lost.map((one) => one.projectId)))
    await db.write(async (repositories) => {
      await repositories.lostSecrets.replace(projectId, masterKey.ids, {
        contentKey: (version) => newContentKey(masterKey, projectId, version),
        webhookSecret: (id) => sealWebhookSecret(masterKey, id, newSecret()),
      })
      await recordAct(repositories, ports, OPERATOR, {
        act: 'project.replace_secrets',
        of: { projectId },
        target: projectId,
      })
    })
  return lost
}
