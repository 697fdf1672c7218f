/** An issue of Zod, as far as messages use it. */
export interface SchemaIssue {
  readonly code: string
  readonly message: string
  readonly expected?: string
  readonly values?: readonly unknown[]
  readonly origin?: string
  readonly maximum?: number | bigint
  readonly minimum?: number | bigint
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
