import type { Repositories } from '../../db/repositories.ts'
import { type Act, type Actor, changedFields } from '../../domain/audit.ts'
import type { Webhook } from '../../domain/webhook.ts'
import type { ServiceContext } from '../context.ts'
import { recordAct } from './record-act.ts'

/** A change of a webhook: null before it was created, and after it was deleted. */
export interface WebhookAct {
  readonly act: Act
  readonly before: Webhook | null
  readonly after: Webhook | null
}

/** Records a change of a webhook. */
export async function recordWebhook(
  repositories: Pick<Repositories, 'audit'>,
  ports: Pick<ServiceContext, 'newId' | 'now'>,
  actor: Actor,
  { act, before, after }: WebhookAct,
): Promise<void> {
  const webhook = after ?? before
  if (webhook === null) throw new RangeError('A change of a webhook has a webhook before or after it.')
  await recordAct(repositories, ports, actor, {
    act,
    of: { projectId: webhook.projectId },
    target: webhook.id,
    before: before && { version: before.version },
    after: after && { version: after.version },
    fields: before === null || after === null ? [] : changedFields(before, settable(after)),
  })
}

/** The fields of a webhook that users set. */
function settable({ url, events, description, active, coalesceSeconds }: Webhook) {
  return { url, events, description, active, coalesceSeconds }
}
