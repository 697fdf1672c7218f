import { isJsonObject, type JsonObject, type JsonValue } from '../domain/json.ts'
import { image, link, paragraph, phrase } from '../sections/markdown-text.ts'
import { humanise } from './humanise.ts'
import { ADDRESS, customFields, IMAGE_FILE } from './item-text.ts'

/** One line, or the lines of a list. */
type ValueMarkdown = string | readonly string[]

/** The custom fields of an item as a Markdown list in written order, without empty ones. */
export function itemMarkdown(config: JsonObject): string {
  return fieldLines(customFields(config)).join('\n')
}

function fieldLines(fields: readonly (readonly [key: string, value: JsonValue])[]): readonly string[] {
  return fields.flatMap(([key, value]) => {
    const label = humanise(key)
    const shown = valueMarkdown(value, label)
    const head = `- **${phrase(label)}:**`
    if (typeof shown === 'string') return shown === '' ? [] : [`${head} ${shown}`]
    return shown.length === 0 ? [] : [head, ...shown.map((line) => `  ${line}`)]
  })
}

/** @param label of the field, used as text of its images. */
function valueMarkdown(value: JsonValue, label: string): ValueMarkdown {
  if (value === null) return ''
  if (typeof value === 'string') return textLine(value, label)
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (typeof value === 'number') return String(value)
  return isJsonObject(value) ? fieldLines(Object.entries(value)) : value.flatMap((of) => element(of, label))
}

function element(value: JsonValue, label: string): readonly string[] {
  const shown = valueMarkdown(value, label)
  const lines = typeof shown === 'string' ? [shown].filter((line) => line !== '') : shown
  return lines.map((line, index) => `${index === 0 ? '- ' : '  '}${line}`)
}

function textLine(text: string, label: string): string {
  const address = ADDRESS.test(text)
  const picture = address && IMAGE_FILE.test(text)
  return (picture ? image(label, text) : address ? link(text, text) : null) ?? paragraph(text)
}
