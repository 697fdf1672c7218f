import type { Context } from 'koa'
import { ServiceError } from '../../domain/errors.ts'
import { fieldFailure } from '../../domain/field-errors.ts'
import { nulError } from '../../domain/nul-characters.ts'
import type { ApiState } from '../../http/api.ts'
import { hasBody, readBytes } from '../../http/read-json.ts'
import { costOfBytes } from '../../http/request-cost.ts'

/** Fields of a form. The largest ones are tables and sections, with a field for each value of each row. */
const MAX_FIELDS = 5_000

/** The fields of a form that a browser sent. */
export interface Form {
  /** The first value of this name; empty when there is none. */
  get(name: string): string
  all(name: string): readonly string[]
  has(name: string): boolean
  /** Every name with its first value. */
  entries(): readonly (readonly [string, string])[]
}

/**
 * Reads the body of a form. Lines end with LF, as in what the API is sent.
 *
 * @throws {ServiceError} `payload_too_large` over 5 MiB; `invalid_request` for another content type or
 *   too many fields; `validation_error` for U+0000.
 */
export async function readForm(ctx: Context): Promise<Form> {
  if (!hasBody(ctx)) return toForm(new URLSearchParams())
  if (ctx.is('application/x-www-form-urlencoded') === false)
    throw new ServiceError('invalid_request', 'A form must be sent as application/x-www-form-urlencoded.')
  const bytes = await readBytes(ctx)
  const { charge = async () => {} } = ctx.state as ApiState
  await charge(costOfBytes(bytes.byteLength))
  const fields = new URLSearchParams(bytes.toString())
  if (fields.size > MAX_FIELDS)
    throw new ServiceError('invalid_request', `The form has more than ${MAX_FIELDS} fields.`)
  const withNul = [...fields].find(([, value]) => value.includes('\0'))
  if (withNul !== undefined) throw fieldFailure('validation_error', [nulError(withNul[0])])
  return toForm(fields)
}

export function toForm(fields: URLSearchParams): Form {
  const value = (text: string) => text.replaceAll('\r\n', '\n')
  return {
    get: (name) => value(fields.get(name) ?? ''),
    all: (name) => fields.getAll(name).map(value),
    has: (name) => fields.has(name),
    entries: () => [...new Set(fields.keys())].map((name) => [name, value(fields.get(name) ?? '')] as const),
  }
}
