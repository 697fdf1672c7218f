/** Kinds of errors in a field, for programs. The codes are part of the API and never change their meaning. */
export const FIELD_ERROR_CODES = {
  required: 'The field is absent or null.',
  unknown_field: 'The resource has no field of this name.',
  wrong_type: 'The value has another JSON type.',
  not_allowed: 'The value is not one of those that the field can have.',
  wrong_length: 'The text or list is too short or too long.',
  out_of_range: 'The number or date is too small or too large.',
  wrong_format: 'The text has another form: it is no URL, date, id, slug or the like.',
  given_twice: 'The parameter, or an entry of the list, was given more than once.',
  contradictory: 'Two names of one field have different values.',
  cannot_change: 'The field has another value, which cannot change.',
  taken: 'Another record has the value, or it is reserved.',
  invalid: 'Another rule; the message says which.',
} as const

export type FieldErrorCode = keyof typeof FIELD_ERROR_CODES

/** An invalid field of a request, with its path, e.g. `config.sections[2].type`; empty for the body itself. */
export interface InvalidField {
  readonly path: string
  /** Ends a sentence that begins with the field. */
  readonly message: string
  /** `invalid` by default. */
  readonly code?: FieldErrorCode
}

/** An issue of Zod, as far as messages use it. */
export interface SchemaIssue {
  readonly code: string
  readonly message: string
  readonly expected?: string
  readonly values?: readonly unknown[]
  readonly origin?: string
  readonly maximum?: number | bigint
  readonly minimum?: number | bigint
  /** Parameters of a rule of our own: `code` is the kind of rule. */
  readonly params?: { readonly code?: FieldErrorCode } | undefined
}

/** The code of a rule's errors, for `refine`. */
export function ruleOf(code: FieldErrorCode): { readonly params: { readonly code: FieldErrorCode } } {
  return { params: { code } }
}

/** Returns the kind of error of an issue. */
export function codeOf({ code, origin, params }: SchemaIssue): FieldErrorCode {
  if (code === 'custom') return params?.code ?? 'invalid'
  if (code === 'invalid_type') return 'wrong_type'
  if (code === 'invalid_value') return 'not_allowed'
  if (code === 'invalid_format' || code === 'not_multiple_of') return 'wrong_format'
  if (code !== 'too_big' && code !== 'too_small') return 'invalid'
  return origin === 'array' || origin === 'string' ? 'wrong_length' : 'out_of_range'
}

/** `nav_links[2].href` */
export function fieldName(path: readonly PropertyKey[]): string {
  return path
    .map((step, index) =>
      typeof step === 'number' ? `[${step}]` : `${index === 0 ? '' : '.'}${String(step)}`,
    )
    .join('')
}

/**
 * The end of a sentence that begins with the field. Messages of a schema are used as they are, and default messages of
 * Zod are replaced.
 */
export function plainReason(issue: SchemaIssue): string {
  const text = /^(Invalid|Too) /.test(issue.message) ? replacementFor(issue) : issue.message
  return text.endsWith('.') ? text : `${text}.`
}

function replacementFor({ code, expected = '', values = [], origin, maximum, minimum }: SchemaIssue): string {
  const verb = origin === 'array' ? 'have' : 'be'
  if (code === 'invalid_type') return `must be ${KINDS[expected] ?? expected}`
  if (code === 'invalid_value') return `must be one of ${values.join(', ')}`
  if (code === 'too_big') return `must ${verb} at most ${maximum}`
  if (code === 'too_small') return `must ${verb} at least ${minimum}`
  return 'is not valid'
}

const KINDS: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
}
