import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts'
import { humanise } from '../../page-text/humanise.ts'
import { ADDRESS, customFields, IMAGE_FILE } from '../../page-text/item-text.ts'
import { normalizeImage } from '../../sections/image.ts'
import type { FieldValue, FieldView } from '../../theme/view.ts'
import { imageView } from './image-view.ts'
import type { Rendering } from './rendering.ts'

const MAX_DEPTH = 4

const EMAIL = /^[\w.+-]+@[\w-]+(\.[\w-]+)+$/

/** Custom fields of an item in written order, without empty ones. */
export function itemFields(config: JsonObject, rendering: Rendering): readonly FieldView[] {
  return fieldsOf(customFields(config), 'config', MAX_DEPTH, rendering)
}

type Entries = readonly (readonly [key: string, value: JsonValue])[]

function fieldsOf(entries: Entries, at: string, levels: number, rendering: Rendering): FieldView[] {
  return entries.flatMap(([key, value]) => {
    const label = humanise(key)
    const read = fieldValue(value, { label, at: `${at}.${key}`, levels, rendering })
    return read === null ? [] : [{ label, value: read }]
  })
}

interface FieldContext {
  readonly label: string
  readonly at: string
  /** Number of levels that may still be nested. */
  readonly levels: number
  readonly rendering: Rendering
}

function fieldValue(value: JsonValue, reading: FieldContext): FieldValue | null {
  if (value === null || value === '') return null
  if (typeof value === 'string') return textValue(value, reading)
  if (typeof value === 'boolean') return { kind: 'text', text: reading.rendering.word(value ? 'yes' : 'no') }
  if (typeof value === 'number') return { kind: 'text', text: String(value) }
  if (reading.levels === 0) return { kind: 'text', text: JSON.stringify(value) }
  return isJsonObject(value) ? objectValue(value, reading) : listValue(value, reading)
}

function textValue(text: string, { label, at, rendering }: FieldContext): FieldValue {
  const plain: FieldValue = { kind: 'text', text }
  const address = EMAIL.test(text) ? `mailto:${text}` : text
  if (!ADDRESS.test(address)) return plain
  if (IMAGE_FILE.test(text)) {
    const image = imageView({ src: text, alt: label }, at, rendering)
    return image === null ? plain : { kind: 'image', image }
  }
  const href = rendering.url(address, 'link', at)
  return href === null
    ? plain
    : { kind: 'link', text: text.replace(/^(https?:\/\/|mailto:|tel:)/i, ''), href }
}

function listValue(values: readonly JsonValue[], reading: FieldContext): FieldValue | null {
  const read = values.map((value, index) =>
    fieldValue(value, { ...reading, at: `${reading.at}[${index}]`, levels: reading.levels - 1 }),
  )
  const shown = read.filter((value) => value !== null)
  return shown.length === 0 ? null : { kind: 'list', values: shown }
}

function objectValue(object: JsonObject, reading: FieldContext): FieldValue | null {
  return imageValue(object, reading) ?? linkValue(object, reading) ?? nestedValue(object, reading)
}

function imageValue(object: JsonObject, { label, at, rendering }: FieldContext): FieldValue | null {
  const image = 'src' in object ? normalizeImage({ alt: label, ...object }) : null
  const view = imageView(image, at, rendering)
  return view === null ? null : { kind: 'image', image: view }
}

/** An object with a text and an address and nothing else is a link. */
function linkValue(object: JsonObject, { at, rendering }: FieldContext): FieldValue | null {
  const { label, text, title, name, href, url, link, target: _target, external: _external, ...rest } = object
  const shown = [label, text, title, name].find((value) => typeof value === 'string')
  const raw = [href, url, link].find((value) => typeof value === 'string')
  if (typeof raw !== 'string' || typeof shown !== 'string' || Object.keys(rest).length > 0) return null
  const safe = rendering.url(raw, 'link', at)
  return safe === null ? { kind: 'text', text: shown } : { kind: 'link', text: shown, href: safe }
}

function nestedValue(object: JsonObject, { at, levels, rendering }: FieldContext): FieldValue | null {
  const fields = fieldsOf(Object.entries(object), at, levels - 1, rendering)
  return fields.length === 0 ? null : { kind: 'fields', fields }
}
