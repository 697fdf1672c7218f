import { z } from 'zod'
import type { Caller } from '../domain/caller.ts'
import { readId } from '../domain/ids.ts'
import type { JsonObject, JsonValue } from '../domain/json.ts'
import { assertPermitted } from '../services/access.ts'
import {
  type ChangedDataMode,
  DATA_MODE_ACTIONS,
  type DataModeAction,
} from '../services/publishing/data-mode.ts'
import { parseBody } from './parse.ts'

/* Bodies of legacy operations that exist without `/v1` too: clients may drop only the prefix. */

export const PageRef = z.object({ pageId: z.string().meta({ examples: ['page_k3v9q2m7x4tz8wpa'] }) })

/**
 * Reads the page to publish or unpublish from `pageId` or `page_id`.
 *
 * @throws {ServiceError} `missing_required_field` or `validation_error`.
 */
export function readPageRef(caller: Caller, { pageId = null, page_id: alias = null }: JsonObject): string {
  const ref = pageId ?? alias
  // Without an id no record can be looked up, so the permission is checked before the fields.
  if (typeof ref !== 'string') assertPermitted(caller, ['publish'])
  const clash = pageId !== null && alias !== null && bare(pageId) !== bare(alias)
  const faults = clash
    ? [{ path: 'page_id', message: 'is the same field as pageId, but has another value.' }]
    : []
  return parseBody(PageRef, { pageId: ref }, { also: () => faults }).pageId
}

function bare(ref: JsonValue): JsonValue {
  return typeof ref === 'string' ? (readId('page', ref) ?? ref) : ref
}

export const ChangeDataMode = z.object({
  action: z.enum(DATA_MODE_ACTIONS, `must be ${DATA_MODE_ACTIONS.join(', ')}.`),
})

/** @throws {ServiceError} `missing_required_field` or `validation_error`. */
export function readDataModeAction(body: JsonObject): DataModeAction {
  return parseBody(ChangeDataMode, body).action
}

export function presentDataModeAction({ contentKey }: ChangedDataMode) {
  return contentKey === null ? { enabled: false } : { enabled: true, contentKey }
}
