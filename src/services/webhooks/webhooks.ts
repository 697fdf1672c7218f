import type { Repositories } from '../../db/repositories.ts'
import type { Act } from '../../domain/audit.ts'
import type { Caller } from '../../domain/caller.ts'
import { ServiceError } from '../../domain/errors.ts'
import { fieldFailure } from '../../domain/field-errors.ts'
import { prefixed, type WebhookId } from '../../domain/ids.ts'
import type { Listed, Slice } from '../../domain/paging.ts'
import {
  type Delivery,
  type DeliveryState,
  type NewEvent,
  redelivered,
  TEST_TYPE,
  type Webhook,
  type WebhookDraft,
} from '../../domain/webhook.ts'
import type { MasterKey } from '../../secrets/master-key.ts'
import { openWebhookSecret, sealWebhookSecret } from '../../secrets/webhook-secret.ts'
import { isPublicAddress } from '../../webhooks/addresses.ts'
import { formatSecret, newSecret } from '../../webhooks/sign.ts'
import { addressesOf, NOT_PUBLIC, type Resolve, type TargetRules, urlError } from '../../webhooks/target.ts'
import { accessDelivery, accessProject, accessWebhook, assertWritable } from '../access.ts'
import { recordWebhook, type WebhookAct } from '../audit/record-webhook.ts'
import type { ServiceContext } from '../context.ts'
import { withIdempotency } from '../idempotency.ts'

/** Webhooks per project. */
const MAX_WEBHOOKS = 20
/** Time during which a replaced secret also signs. */
const OVERLAP_MS = 24 * 60 * 60 * 1000
/** Secrets of a webhook that sign at a time. The bound keeps the header short. */
const MAX_SECRETS = 6

/** A webhook and its secret, `whsec_…`, which is never shown again. */
export interface WebhookWithSecret {
  readonly webhook: Webhook
  readonly secret: string
}

/** A change of a webhook; `undefined` keeps the stored value. */
export type WebhookEdit = { readonly [K in keyof WebhookDraft]?: WebhookDraft[K] | undefined }

export interface WebhookPorts extends Pick<ServiceContext, 'db' | 'accountLimits' | 'newId' | 'now'> {
  readonly masterKey: MasterKey
  readonly rules: TargetRules
  readonly resolve: Resolve
  /** Wakes the job runner. */
  readonly wake: () => void
}

export type WebhookService = ReturnType<typeof createWebhookService>

export function createWebhookService({
  db,
  accountLimits,
  newId,
  now,
  masterKey,
  rules,
  resolve,
  wake,
}: WebhookPorts) {
  return {
    /** Returns why a URL cannot be a target; null when it can. Does not resolve its host. */
    urlFault: (url: string): string | null => urlError(url, rules),

    /**
     * @param readDraft reads the body; called once the project is known to be the caller's.
     * @throws {ServiceError} `validation_error` when its URL is not an allowed target, `conflict` when the
     *   project has too many webhooks.
     */
    async create(caller: Caller, project: string, readDraft: () => WebhookDraft): Promise<WebhookWithSecret> {
      const { project: known } = await accessProject(db.read, caller, project, ['settings'])
      assertWritable(known)
      const draft = readDraft()
      await assertTarget(draft.url)
      return db.write(async (repositories) => {
        const { project: home } = await accessProject(repositories, caller, project, ['settings'])
        assertWritable(home)
        const id = await withIdempotency(repositories, caller, now(), async () => {
          await assertBelowLimit(repositories, home.id)
          const webhook = newWebhook(draft, newId<'whk'>(), home.id, now())
          await repositories.webhooks.insert(webhook, sealWebhookSecret(masterKey, webhook.id, newSecret()))
          await accountLimits.assertWithin(repositories, webhook, ['webhooks'])
          await record(repositories, caller, 'webhook.create', { before: null, after: webhook })
          return webhook.id
        })
        const { webhook } = await accessWebhook(repositories, caller, project, id, ['settings'])
        return { webhook, secret: await secretOf(repositories, webhook) }
      })
    },

    /** All webhooks of a project, oldest first. */
    async list(caller: Caller, project: string): Promise<readonly Webhook[]> {
      const { project: home } = await accessProject(db.read, caller, project, ['webhooks'])
      return db.read.webhooks.list(home.id)
    },

    async get(caller: Caller, project: string, ref: string): Promise<Webhook> {
      return (await accessWebhook(db.read, caller, project, ref, ['webhooks'])).webhook
    },

    /**
     * Changes a webhook. Switching it on again clears its failures.
     *
     * @param readEdit reads the body, knowing the webhook; called once it is known to be the caller's.
     * @throws {ServiceError} as `create`.
     */
    async update(
      caller: Caller,
      project: string,
      ref: string,
      readEdit: (webhook: Webhook) => WebhookEdit,
    ): Promise<Webhook> {
      const before = await writable(db.read, caller, project, ref)
      const { url } = readEdit(before)
      if (url !== undefined && url !== before.url) await assertTarget(url)
      return db.write(async (repositories) => {
        const webhook = await writable(repositories, caller, project, ref)
        const next = applyEdit(webhook, readEdit(webhook))
        await repositories.webhooks.update(next)
        await record(repositories, caller, 'webhook.update', { before: webhook, after: next })
        return next
      })
    },

    /** @param check validates the rest of the request, inside the transaction of the deletion. */
    async remove(
      caller: Caller,
      project: string,
      ref: string,
      check: (webhook: Webhook) => void,
    ): Promise<WebhookId> {
      return db.write(async (repositories) => {
        const webhook = await writable(repositories, caller, project, ref)
        check(webhook)
        await repositories.webhooks.delete(webhook.id)
        await record(repositories, caller, 'webhook.delete', { before: webhook, after: null })
        return webhook.id
      })
    },

    /**
     * Replaces the secret. The one before also signs for a day, whatever is replaced meanwhile.
     *
     * @throws {ServiceError} `conflict` when too many sign already.
     */
    async rotateSecret(
      caller: Caller,
      project: string,
      ref: string,
      check: () => void,
    ): Promise<WebhookWithSecret> {
      return db.write(async (repositories) => {
        const before = await writable(repositories, caller, project, ref)
        const { id } = before
        check()
        await withIdempotency(repositories, caller, now(), async () => {
          const until = new Date(Date.parse(now()) + OVERLAP_MS).toISOString()
          if ((await repositories.webhooks.secrets(id, now())).length >= MAX_SECRETS)
            throw new ServiceError(
              'conflict',
              `A webhook has at most ${MAX_SECRETS} secrets that sign. The oldest one ends within a day.`,
            )
          const sealed = sealWebhookSecret(masterKey, id, newSecret())
          await repositories.webhooks.replaceSecret(id, sealed, until, now())
          await record(repositories, caller, 'webhook.rotate_secret', { before, after: before })
          return id
        })
        const webhook = await writable(repositories, caller, project, ref)
        return { webhook, secret: await secretOf(repositories, webhook) }
      })
    },

    /** Sends a test event. */
    async test(caller: Caller, project: string, ref: string, check: () => void): Promise<Delivery> {
      const delivery = await db.write(async (repositories) => {
        const webhook = await writable(repositories, caller, project, ref)
        check()
        assertActive(webhook)
        const id = await withIdempotency(repositories, caller, now(), async () => {
          const moment = now()
          const delivery = await repositories.webhooks.enqueueTo(webhook, testEvent(webhook, moment), {
            newId,
            now: moment,
          })
          await record(repositories, caller, 'webhook.test', { before: webhook, after: webhook })
          return delivery.id
        })
        return accessDelivery(repositories, webhook, id)
      })
      wake()
      return delivery
    },

    /** Deliveries of a webhook, newest first. */
    async deliveries(
      caller: Caller,
      project: string,
      ref: string,
      filter: Slice & { readonly state: DeliveryState | null },
    ): Promise<Listed<Delivery>> {
      const { webhook } = await accessWebhook(db.read, caller, project, ref, ['webhooks'])
      return db.read.webhooks.deliveries(webhook.id, filter, caller.reserve)
    },

    async delivery(caller: Caller, project: string, ref: string, delivery: string): Promise<Delivery> {
      const { webhook } = await accessWebhook(db.read, caller, project, ref, ['webhooks'])
      return accessDelivery(db.read, webhook, delivery)
    },

    /**
     * Sends a finished delivery again, with the same id and the whole retry schedule.
     *
     * @throws {ServiceError} `conflict` while the delivery is pending, or its webhook is off.
     */
    async redeliver(
      caller: Caller,
      project: string,
      ref: string,
      delivery: string,
      check: () => void,
    ): Promise<Delivery> {
      const again = await db.write(async (repositories) => {
        const webhook = await writable(repositories, caller, project, ref)
        const found = await accessDelivery(repositories, webhook, delivery)
        check()
        assertActive(webhook)
        const id = await withIdempotency(repositories, caller, now(), async () => {
          if (found.state === 'pending') throw new ServiceError('conflict', 'The delivery is still pending.')
          const moment = now()
          await repositories.webhooks.enqueueAgain(webhook, redelivered(found, moment), {
            newId,
            now: moment,
          })
          await record(repositories, caller, 'webhook.redeliver', { before: webhook, after: webhook })
          return found.id
        })
        return accessDelivery(repositories, webhook, id)
      })
      wake()
      return again
    },
  }

  function record(
    repositories: Repositories,
    caller: Caller,
    act: Act,
    change: Pick<WebhookAct, 'before' | 'after'>,
  ): Promise<void> {
    return recordWebhook(repositories, { newId, now }, caller, { ...change, act })
  }

  async function writable(
    repositories: Repositories,
    caller: Caller,
    project: string,
    ref: string,
  ): Promise<Webhook> {
    const { webhook, home } = await accessWebhook(repositories, caller, project, ref, ['settings'])
    assertWritable(home)
    return webhook
  }

  /**
   * A host that does not resolve yet is allowed.
   *
   * @throws {ServiceError} `validation_error` when the host resolves to an address that is not public.
   */
  async function assertTarget(url: string): Promise<void> {
    const addresses = await addressesOf(new URL(url), resolve)
    if (!rules.allowPrivate && !addresses.every(isPublicAddress))
      throw fieldFailure('validation_error', [{ path: 'url', message: NOT_PUBLIC, code: 'not_allowed' }])
  }

  async function secretOf({ webhooks }: Repositories, { id }: Webhook): Promise<string> {
    const [newest] = await webhooks.secrets(id, now())
    if (newest === undefined) throw new Error(`Webhook ${id} has no secret.`)
    return formatSecret(openWebhookSecret(masterKey, id, newest))
  }
}

async function assertBelowLimit({ webhooks }: Repositories, projectId: Webhook['projectId']): Promise<void> {
  if ((await webhooks.list(projectId)).length >= MAX_WEBHOOKS)
    throw new ServiceError('conflict', `A project has at most ${MAX_WEBHOOKS} webhooks.`)
}

function assertActive({ active }: Webhook): void {
  if (!active) throw new ServiceError('conflict', 'The webhook is switched off; set active to true first.')
}

function newWebhook(
  draft: WebhookDraft,
  id: WebhookId,
  projectId: Webhook['projectId'],
  createdAt: string,
): Webhook {
  return { ...draft, id, projectId, failingSince: null, offReason: null, createdAt, version: 1 }
}

function applyEdit(webhook: Webhook, edit: WebhookEdit): Webhook {
  const given = Object.fromEntries(Object.entries(edit).filter(([, value]) => value !== undefined))
  const next: Webhook = { ...webhook, ...given, version: webhook.version + 1 }
  const isAnew = edit.active === true && !webhook.active
  return isAnew ? { ...next, failingSince: null, offReason: null } : next
}

function testEvent({ id, projectId }: Webhook, timestamp: string): NewEvent {
  const data = { project_id: prefixed('proj', projectId), webhook_id: prefixed('whk', id) }
  return { type: TEST_TYPE, timestamp, data }
}
