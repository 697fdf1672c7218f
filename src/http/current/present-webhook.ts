import { prefixed } from '../../domain/ids.ts'
import type { Delivery, Webhook } from '../../domain/webhook.ts'
import type { WebhookWithSecret } from '../../services/webhooks/webhooks.ts'

export function presentWebhook(webhook: Webhook) {
  return {
    id: prefixed('whk', webhook.id),
    url: webhook.url,
    events: webhook.events,
    description: webhook.description,
    active: webhook.active,
    coalesce_seconds: webhook.coalesceSeconds,
    failing_since: webhook.failingSince,
    off_reason: webhook.offReason,
    created_at: webhook.createdAt,
  }
}

export function presentWebhookWithSecret({ webhook, secret }: WebhookWithSecret) {
  return { ...presentWebhook(webhook), secret }
}

export function presentDelivery(delivery: Delivery) {
  return {
    id: prefixed('dlv', delivery.id),
    event_id: prefixed('evt', delivery.messageId),
    type: delivery.type,
    status: delivery.state,
    attempts: delivery.attempts,
    next_attempt_at: delivery.nextAt,
    body: JSON.parse(delivery.body),
    tries: delivery.tries.map(({ at, ms, status, answer, error }) => ({
      at,
      duration_ms: ms,
      status,
      answer,
      error,
    })),
    created_at: delivery.createdAt,
    finished_at: delivery.finishedAt,
  }
}
