import { z } from 'zod'
import type { ErrorName, ServiceError } from '../domain/errors.ts'
import { fieldFailure, MAX_REPORTED } from '../domain/field-errors.ts'
import type { InvalidField } from '../domain/invalid-field.ts'
import { codeOf, fieldName, plainReason } from '../domain/invalid-field.ts'
import type { JsonObject } from '../domain/json.ts'
import { nulError } from '../domain/nul-characters.ts'

/** Rules for a body that its schema cannot express. */
export interface BodyRules {
  /** Ignored fields, so that clients can send a resource back as they read it. */
  readonly readOnly?: readonly string[]
  /** Finds errors that depend on several fields or on stored values. */
  readonly also?: (body: JsonObject) => readonly InvalidField[]
}

/**
 * Validates a request body; a strict schema refuses unknown fields. Reports all errors at once, each with the path of
 * its field.
 *
 * @throws {ServiceError} `missing_required_field` when a required field is absent or null, else `validation_error`.
 */
export function parseBody<Shape extends z.ZodRawShape>(
  schema: z.ZodObject<Shape>,
  body: JsonObject,
  { readOnly = [], also = () => [] }: BodyRules = {},
): z.output<typeof schema> {
  const writable = Object.fromEntries(Object.entries(body).filter(([name]) => !readOnly.includes(name)))
  const result = safeParse(schema, writable)
  const missing = missingFrom(schema, writable)
  const wrong = (result.error?.issues ?? []).filter(({ path }) => !missing.includes(String(path[0])))
  const faults = [...missing.map(requiredError), ...wrong.flatMap(toErrors), ...also(body).map(just)]
  if (result.success && faults.length === 0) return result.data
  throw failure(missing.length > 0 ? 'missing_required_field' : 'validation_error', faults)
}

/**
 * Validates query parameters; unknown ones are ignored. Reports all errors at once.
 *
 * @throws {ServiceError} `missing_required_field` when a required one is absent, else `invalid_request`
 *   when one is wrong, contains U+0000 or is given twice.
 */
export function parseQuery<Shape extends z.ZodRawShape>(
  schema: z.ZodObject<Shape>,
  query: URLSearchParams,
): z.output<typeof schema> {
  const names = Object.keys(schema.shape)
  const given = Object.fromEntries(names.map((name) => [name, query.get(name) ?? undefined]))
  const result = schema.safeParse(given)
  const missing = missingFrom(schema, given)
  const repeated = names.filter((name) => query.getAll(name).length > 1)
  const withNul = names.filter((name) => query.get(name)?.includes('\0'))
  const named = [...missing, ...repeated, ...withNul]
  const wrong = (result.error?.issues ?? []).filter(({ path }) => !named.includes(String(path[0])))
  const faults = [
    ...missing.map(requiredError),
    ...repeated.map((path) => just({ path, message: 'given more than once.', code: 'given_twice' })),
    ...withNul.map((name) => just(nulError(name))),
    ...wrong.flatMap(toErrors),
  ]
  if (result.success && faults.length === 0) return result.data
  throw failure(missing.length > 0 ? 'missing_required_field' : 'invalid_request', faults)
}

/**
 * Zod compares the `length` property of any value, and throws a TypeError when it cannot be converted to a number, e.g.
 * for `{ "length": { "toString": 0 } }`.
 *
 * @throws {ServiceError} `validation_error` naming the fields.
 */
function safeParse<Shape extends z.ZodRawShape>(schema: z.ZodObject<Shape>, body: JsonObject) {
  try {
    return schema.safeParse(body)
  } catch (error) {
    const unreadable = error instanceof TypeError ? unreadableFields(schema, body) : []
    if (unreadable.length === 0) throw error
    const faults = unreadable.map((path) => just({ path, message: UNREADABLE, code: 'wrong_type' }))
    throw failure('validation_error', faults, error)
  }
}

const UNREADABLE = 'must be a string or an array, not an object.'

/** The fields whose validation throws. */
function unreadableFields(schema: z.ZodObject, body: JsonObject): readonly string[] {
  const fields = Object.entries<z.core.$ZodType>(schema.shape)
  return fields.filter(([name, field]) => throwsOn(field, body[name])).map(([name]) => name)
}

function throwsOn(field: z.core.$ZodType, value: unknown): boolean {
  try {
    z.safeParse(field, value)
    return false
  } catch {
    return true
  }
}

/** The fields a schema requires that are absent or null. */
function missingFrom(schema: z.ZodObject, given: Readonly<Record<string, unknown>>): readonly string[] {
  const required = Object.entries<z.core.$ZodType>(schema.shape).filter(
    ([, field]) => !z.safeParse(field, undefined).success,
  )
  return required.map(([name]) => name).filter((name) => (given[name] ?? null) === null)
}

/** Creates an error when it is reported: most errors of hostile input never are. */
type Fault = () => InvalidField

function just(error: InvalidField): Fault {
  return () => error
}

function requiredError(path: string): Fault {
  return just({ path, message: 'required.', code: 'required' })
}

function failure(name: ErrorName, faults: readonly Fault[], cause?: unknown): ServiceError {
  const first = faults.slice(0, MAX_REPORTED).map((fault) => fault())
  return fieldFailure(name, first, { total: faults.length, cause })
}

type Issue = z.core.$ZodIssue

function toErrors(issue: Issue): readonly Fault[] {
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => () => ({
      path: fieldName([...issue.path, key]),
      message: 'unknown field.',
      code: 'unknown_field',
    }))
  if (issue.code === 'invalid_union') return closestErrors(issue)
  return [toError(issue)]
}

/** Returns the errors of the closest alternative of a union: they explain the mistake best. */
function closestErrors(issue: z.core.$ZodIssueInvalidUnion): readonly Fault[] {
  const [closest] = [...issue.errors].sort(
    (a, b) => Number(hasOtherType(a)) - Number(hasOtherType(b)) || a.length - b.length,
  )
  if (closest === undefined) return [toError(issue)]
  return closest.flatMap((inner) => toErrors({ ...inner, path: [...issue.path, ...inner.path] }))
}

/** True when the value has another type than the alternative expects. */
function hasOtherType(issues: readonly Issue[]): boolean {
  return issues.some(
    ({ code, path }) => path.length === 0 && (code === 'invalid_type' || code === 'invalid_value'),
  )
}

function toError(issue: Issue): Fault {
  return () => ({ path: fieldName(issue.path), message: plainReason(issue), code: codeOf(issue) })
}
