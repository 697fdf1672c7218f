import type { ReserveBytes } from '../../domain/caller.ts'
import type { DeliveryId, Id, IdPrefix, ProjectId, WebhookId } from '../../domain/ids.ts'
import type { Listed, Slice } from '../../domain/paging.ts'
import type { Delivery, DeliveryState, NewEvent, Sending, Webhook } from '../../domain/webhook.ts'
import type { SealedSecret } from './secrets.ts'

/** Webhooks and their deliveries. */
export interface WebhookRepository {
  insert(webhook: Webhook, secret: SealedSecret): Promise<void>
  find(projectId: ProjectId, id: WebhookId): Promise<Webhook | null>
  /** Oldest first. */
  list(projectId: ProjectId): Promise<readonly Webhook[]>
  /** Replaces the stored webhook except its secrets. */
  update(webhook: Webhook): Promise<void>
  /** Deletes the webhook with its deliveries. */
  delete(id: WebhookId): Promise<void>
  /** The current secret, then earlier ones that still sign. */
  secrets(id: WebhookId, now: string): Promise<readonly SealedSecret[]>
  /**
   * Sets a new secret. The current one becomes the previous one and signs as well until `previousUntil`; those before it
   * sign as long as they would have.
   */
  replaceSecret(id: WebhookId, secret: SealedSecret, previousUntil: string, now: string): Promise<void>

  /**
   * Enqueues deliveries of these events to the project's webhooks that subscribe to them. Call it inside the
   * transaction of the events. Reads one small row per webhook.
   */
  enqueueEvents(projectId: ProjectId, events: readonly NewEvent[], ports: EventPorts): Promise<void>
  /** Enqueues a delivery to one webhook, whether it subscribes to the event or not. */
  enqueueTo(webhook: Webhook, event: NewEvent, ports: EventPorts): Promise<Delivery>
  /** Enqueues a delivery again that may have ended. */
  enqueueAgain(webhook: Webhook, delivery: Delivery, ports: EventPorts): Promise<void>
  /** The delivery with its current webhook; null when one of them, or the project, was deleted. */
  findSending(id: DeliveryId): Promise<Sending | null>
  /** Ends the window of a batch that is about to be sent: later events go into another batch. As `findSending` after that. */
  closeBatch(id: DeliveryId): Promise<Sending | null>
  /** Makes a pending delivery due now. The caller reschedules its job. */
  makeDue(id: DeliveryId, now: string): Promise<void>
  /** Records an attempt. False when the delivery was attempted or ended elsewhere since `previous` was read. */
  recordTry(previous: Sending, next: Sending): Promise<boolean>
  findDelivery(webhookId: WebhookId, id: DeliveryId): Promise<Delivery | null>
  /**
   * Newest first. Stops before the bytes of the deliveries exceed `MAX_LIST_BYTES`.
   *
   * @param reserve called before they are read.
   */
  deliveries(
    webhookId: WebhookId,
    filter: Slice & { readonly state: DeliveryState | null },
    reserve?: ReserveBytes,
  ): Promise<Listed<Delivery>>

  /** Secrets that another master key seals, at most `limit`. */
  findSecretsSealedByOther(masterKeyId: string, limit: number): Promise<readonly WebhookSecret[]>
  /** Replaces a sealed secret, unless it was replaced since. */
  resealSecret(current: WebhookSecret, resealed: SealedSecret): Promise<void>

  /**
   * Deletes deliveries that ended more than 30 days ago, deliveries beyond the newest 10,000 of a webhook, and expired
   * secrets; a bounded number of rows per call. Disables webhooks with more than 50,000 pending deliveries.
   *
   * @returns whether more rows may have to be deleted.
   */
  prune(now: string): Promise<boolean>
}

/** Clock and ids for enqueueing events. */
export interface EventPorts {
  readonly newId: <K extends IdPrefix>() => Id<K>
  /** Current time, ISO 8601 UTC. */
  readonly now: string
}

export interface WebhookSecret extends SealedSecret {
  readonly webhookId: WebhookId
}
