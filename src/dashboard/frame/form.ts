import type { Context } from 'koa'
import { ServiceError } from '../../domain/errors.ts'
import { fieldFailure } from '../../domain/field-errors.ts'
import { nulError } from '../../domain/nul-characters.ts'
import type { ApiState } from '../../http/api.ts'
import { hasBody, readBytes } from '../../http/read-json.ts'
import { costOfBytes } from '../../http/request-cost.ts'
import { decodeFormFields, type FormFields } from './form-fields.ts'

/** Fields of a form. The largest ones are tables and sections, with a field for each value of each row. */
export const MAX_FIELDS = 5_000
/** Texts of a page are at most as long in the API, too. */
const MAX_BYTES = 5 * 1024 * 1024

/** The fields of a form that a browser sent. */
export interface Form {
  /** The first value of this name; empty when there is none. */
  get(name: string): string
  all(name: string): readonly string[]
  has(name: string): boolean
  /** Every name with its first value. */
  entries(): readonly (readonly [string, string])[]
}

/** The form of a request without fields. */
export const EMPTY_FORM = toForm([])

/**
 * Reads the body of a form. Lines end with LF, as in requests to the API.
 *
 * @param limit in bytes; 5 MiB by default.
 * @throws {ServiceError} `payload_too_large` over the limit; `invalid_request` for another content type or
 *   too many fields; `validation_error` for U+0000.
 */
export async function readForm(ctx: Context, limit = MAX_BYTES): Promise<Form> {
  if (!hasBody(ctx)) return EMPTY_FORM
  if (ctx.is('application/x-www-form-urlencoded') === false)
    throw new ServiceError('invalid_request', 'A form must be sent as application/x-www-form-urlencoded.')
  const bytes = await readBytes(ctx, limit)
  const { charge = async () => {} } = ctx.state as ApiState
  await charge(costOfBytes(bytes.byteLength))
  const fields = decodeFormFields(bytes, MAX_FIELDS)
  if (fields === null)
    throw new ServiceError('invalid_request', `The form has more than ${MAX_FIELDS} fields.`)
  const withNul = fields.find(([, value]) => value.includes('\0'))
  if (withNul !== undefined) throw fieldFailure('validation_error', [nulError(withNul[0])])
  return toForm(fields)
}

function toForm(fields: FormFields): Form {
  const values = new Map<string, string[]>()
  for (const [name, value] of fields) {
    const text = value.replaceAll('\r\n', '\n')
    const others = values.get(name)
    if (others === undefined) values.set(name, [text])
    else others.push(text)
  }
  return {
    get: (name) => values.get(name)?.[0] ?? '',
    all: (name) => values.get(name) ?? [],
    has: (name) => values.has(name),
    entries: () => [...values].map(([name, [first = '']]) => [name, first] as const),
  }
}
