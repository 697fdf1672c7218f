import type { Context } from 'koa'
import type { ApiState } from '../api.ts'
import { isMcpPath } from '../mcp/mcp-path.ts'
import { isLegacyPath } from './deprecation.ts'
import type { ErrorBody, FieldErrorBody } from './error-body.ts'
import { PROBLEM_TYPE, prefersProblem, problemOf } from './problem-details.ts'

/** The preference of clients that want each invalid field by itself (RFC 7240). */
export const ERROR_FIELDS = 'errors=fields'

/**
 * Answers an error: as problem details if the client names them, and with its fields if the client prefers that. Other
 * clients get exactly the specified body. On the legacy surface, whose shapes never change, it has no fields.
 */
export function answerError(
  ctx: Context,
  body: ErrorBody,
  errors: readonly FieldErrorBody[],
  baseUrl: string,
): void {
  ctx.status = body.statusCode
  ctx.vary('Accept')
  if (prefersProblem(ctx.get('accept')) && !isMcpPath(ctx.path)) {
    ctx.body = problemOf(body, errors, { baseUrl, requestId: (ctx.state as ApiState).requestId })
    ctx.type = PROBLEM_TYPE
    return
  }
  ctx.body = body
  if (isLegacyPath(ctx.path)) return
  ctx.vary('Prefer')
  if (!prefersFields(ctx.get('prefer'))) return
  ctx.set('Preference-Applied', ERROR_FIELDS)
  ctx.body = { ...body, errors }
}

/** Preferences beyond this length are ignored: they would cost too much to read. */
const MAX_LENGTH = 1_000

/** Reports whether `errors=fields` is among the preferences. Of several values for one preference, the first counts. */
function prefersFields(header: string): boolean {
  if (header.length > MAX_LENGTH) return false
  const preferences = header.match(/(?:[^,"]|"(?:[^"\\]|\\.)*")+/g) ?? []
  const wanted = preferences.flatMap((preference) => {
    const [, quoted, bare] = /^\s*errors\s*=\s*(?:"([^"]*)"|([^\s;"]+))\s*(?:;|$)/i.exec(preference) ?? []
    return quoted ?? bare ?? []
  })
  return wanted[0] === 'fields'
}
