import { expect } from 'vitest'
import type { Answer } from './service.ts'

/** The status of each error name. */
const STATUS = {
  missing_api_key: 401,
  unauthorized: 401,
  invalid_api_key: 403,
  forbidden: 403,
  project_scope_violation: 403,
  not_found: 404,
  method_not_allowed: 405,
  not_published: 409,
  already_enabled: 409,
  not_enabled: 409,
  validation_error: 422,
  invalid_request: 422,
  missing_required_field: 422,
  conflict: 400,
  precondition_failed: 412,
  payload_too_large: 413,
} as const

export type Refusal = keyof typeof STATUS

/**
 * Expects the flat error body and nothing else, with the status of its name.
 *
 * @param mentions a text that the message must contain, e.g. the path of a field.
 */
export function expectRefusal(answer: Answer, name: Refusal, ...mentions: readonly string[]): void {
  const { status, body } = answer
  expect({ status, body }).toEqual({
    status: STATUS[name],
    body: { statusCode: STATUS[name], name, message: expect.stringMatching(/\S/) },
  })
  for (const mention of mentions) expect(body.message).toContain(mention)
}
