import { z } from 'zod'
import { fieldFailure } from '../../domain/field-errors.ts'
import { isJsonObject, type JsonValue } from '../../domain/json.ts'
import type { Words } from '../words/en.ts'
import type { Form } from './form.ts'

export type ControlKind =
  | 'line'
  | 'text'
  /** One line that is shown as several where it is long. */
  | 'title'
  | 'markdown'
  | 'code'
  | 'colour'
  | 'json'
  | 'names'
  | 'lines'
  | 'number'
  | 'choice'
  | 'password'
  | 'email'
  | 'moment'
  | 'date'

/** A field of a form as its template draws it. */
export interface Control {
  readonly id: string
  readonly name: string
  readonly label: string
  readonly hint: string | null
  readonly kind: ControlKind
  readonly value: string
  readonly fault: string | null
  readonly isRequired: boolean
  /** In UTF-16 code units, as browsers count; null for none. */
  readonly maxLength: number | null
  readonly options: readonly { readonly value: string; readonly label: string }[]
  readonly autocomplete: string | null
}

/** Description of a field, from which its control is created. */
export interface FieldShape {
  readonly name: string
  readonly schema: z.ZodType
  /** Kind of the control, if the schema does not determine it. */
  readonly kind?: ControlKind
  readonly options?: readonly string[]
}

/** Texts longer than this get several lines. */
const LINE_LENGTH = 200

export function plainControl(
  given: Pick<Control, 'name' | 'label'> & Partial<Omit<Control, 'name' | 'label'>>,
): Control {
  return {
    id: `field-${given.name.replaceAll(/[^\w-]/g, '-')}`,
    hint: null,
    kind: 'line',
    value: '',
    fault: null,
    isRequired: false,
    maxLength: null,
    options: [],
    autocomplete: null,
    ...given,
  }
}

/** The password of the signed-in user, required to change a method of sign-in. */
export function currentPassword({ account }: Words): Control {
  return plainControl({
    name: 'current_password',
    label: account.current,
    kind: 'password',
    isRequired: true,
    autocomplete: 'current-password',
  })
}

/** The controls of a new password. */
export function newPassword({ setUp }: Words): readonly Control[] {
  const shape = { kind: 'password', isRequired: true, autocomplete: 'new-password' } as const
  return [
    plainControl({ name: 'password', label: setUp.password, hint: setUp.hint, ...shape }),
    plainControl({ name: 'again', label: setUp.again, ...shape }),
  ]
}

/** Reads the chosen password. @throws {ServiceError} `validation_error` when the two entries differ. */
export function readNewPassword(form: Form, { setUp }: Words): string {
  const password = form.get('password')
  if (password !== form.get('again'))
    throw fieldFailure('validation_error', [{ path: 'again', message: setUp.different }])
  return password
}

/** The control of a field, from its schema. A field that the catalogue does not know has the name of the API. */
export function controlOf({ name, schema, ...given }: FieldShape, value: unknown, words: Words): Control {
  const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Record<string, unknown>
  const choices = given.options ?? (Array.isArray(json['enum']) ? json['enum'].map(String) : [])
  const kind = given.kind ?? kindOf(json, choices)
  const known = words.fields[name]
  const options = choices.map((choice) => ({ value: choice, label: words.choices[choice] ?? choice }))
  return plainControl({
    name,
    label: known?.label ?? name,
    hint: known === undefined ? null : (known.hint ?? null),
    kind,
    value: shown(kind, value),
    maxLength: kind === 'line' && typeof json['maxLength'] === 'number' ? json['maxLength'] * 2 : null,
    options,
  })
}

function kindOf(json: Record<string, unknown>, choices: readonly string[]): ControlKind {
  if (choices.length > 0) return 'choice'
  const type = json['type'] ?? alternativeTo(json)
  if (type === 'integer' || type === 'number') return 'number'
  if (type === 'string') {
    const length = json['maxLength']
    return typeof length === 'number' && length > LINE_LENGTH && length < 2048 ? 'text' : 'line'
  }
  return 'json'
}

/** The type of a value that may be null, too. */
function alternativeTo({ anyOf }: Record<string, unknown>): unknown {
  const types = Array.isArray(anyOf) ? anyOf.map((one) => (isJsonObject(one) ? one['type'] : undefined)) : []
  const others = types.filter((type) => type !== 'null')
  return others.length === 1 ? others[0] : undefined
}

function shown(kind: ControlKind, value: unknown): string {
  if (value === null || value === undefined) return ''
  if (kind === 'names') return (value as readonly string[]).join(', ')
  if (kind === 'lines') return (value as readonly string[]).join('\n')
  if (kind !== 'json') return String(value)
  const isEmpty = isJsonObject(value)
    ? Object.keys(value).length === 0
    : Array.isArray(value) && value.length === 0
  return isEmpty ? '' : JSON.stringify(value, null, 2)
}

/** The controls with the entered values. */
export function typed(controls: readonly Control[], form: Form): readonly Control[] {
  return controls.map((control) =>
    form.has(control.name) ? { ...control, value: form.get(control.name) } : control,
  )
}

/**
 * The value of a control as the API takes it.
 *
 * @param empty the value of an empty control.
 * @throws {ServiceError} `validation_error` for malformed JSON.
 */
export function readValue(
  { kind, name }: Pick<Control, 'kind' | 'name'>,
  text: string,
  empty: JsonValue,
): JsonValue {
  if (text.trim() === '') return kind === 'markdown' ? text : empty
  if (kind === 'number') return /^-?\d{1,15}$/.test(text.trim()) ? Number(text) : text
  if (kind === 'names' || kind === 'lines')
    return text
      .split(kind === 'names' ? ',' : '\n')
      .map((each) => each.trim())
      .filter((each) => each !== '')
  if (kind === 'title') return onOneLine(text)
  if (kind !== 'json') return text
  try {
    return JSON.parse(text) as JsonValue
  } catch (cause) {
    const message = cause instanceof SyntaxError ? cause.message : ''
    throw fieldFailure('validation_error', [{ path: name, message: `must be JSON. ${message}` }], { cause })
  }
}

/** A title of several lines as one. A pattern that took the white space around breaks would need quadratic time. */
function onOneLine(title: string): string {
  if (!/[\r\n]/.test(title)) return title
  const lines = title.split(/[\r\n]+/).map((line) => line.trim())
  return lines.filter((line) => line !== '').join(' ')
}
