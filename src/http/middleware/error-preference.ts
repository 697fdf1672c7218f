import type { Context } from 'koa'
import type { InvalidField } from '../../domain/invalid-field.ts'
import { isLegacyPath } from './deprecation.ts'

/** The preference of clients that want each invalid field by itself (RFC 7240). */
export const ERROR_FIELDS = 'errors=fields'

/** An invalid field as the API shows it. */
export interface FieldErrorBody {
  readonly field: string
  readonly code: string
  readonly message: string
}

export function presentFields(fields: readonly InvalidField[]): readonly FieldErrorBody[] {
  return fields.map(({ path, code = 'invalid', message }) => ({ field: path, code, message }))
}

/**
 * Answers an error, with its fields if the client prefers that. Other clients get exactly the specified body, and so do
 * all clients of the legacy surface, whose shapes never change.
 */
export function answerError<Body extends { readonly statusCode: number }>(
  ctx: Context,
  body: Body,
  errors: readonly FieldErrorBody[],
): void {
  ctx.status = body.statusCode
  ctx.body = body
  if (isLegacyPath(ctx.path)) return
  ctx.vary('Prefer')
  if (!prefersFields(ctx.get('prefer'))) return
  ctx.set('Preference-Applied', ERROR_FIELDS)
  ctx.body = { ...body, errors }
}

/** Preferences beyond this length are ignored: they would cost too much to read. */
const MAX_LENGTH = 1_000

/** Whether `errors=fields` is among the preferences. Of several values for one preference, the first counts. */
function prefersFields(header: string): boolean {
  if (header.length > MAX_LENGTH) return false
  const preferences = header.match(/(?:[^,"]|"(?:[^"\\]|\\.)*")+/g) ?? []
  const wanted = preferences.flatMap((preference) => {
    const [, quoted, bare] = /^\s*errors\s*=\s*(?:"([^"]*)"|([^\s;"]+))\s*(?:;|$)/i.exec(preference) ?? []
    return quoted ?? bare ?? []
  })
  return wanted[0] === 'fields'
}
