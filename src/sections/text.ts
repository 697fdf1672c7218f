import { isJsonObject, type JsonValue } from '../domain/json.ts'
import type { Section } from '../domain/section.ts'
import { shapeOf } from './catalogue.ts'
import type { Prop, Props } from './prop.ts'

/**
 * The visible text of a section, one paragraph per text, with Markdown as written. Empty for a hidden
 * section.
 */
export function sectionText(section: Section): string {
  if (section.props['hidden'] === true) return ''
  return textsOf(shapeOf(section).props, section.props).join('\n\n')
}

function textsOf(props: Props, values: JsonValue | undefined): string[] {
  if (!isJsonObject(values)) return []
  return Object.entries(props).flatMap(([name, prop]) => textsIn(prop, values[name]))
}

function textsIn(prop: Prop, value: JsonValue | undefined): string[] {
  switch (prop.kind) {
    case 'text':
    case 'inline':
    case 'markdown':
      return typeof value === 'string' ? [value] : []
    case 'object':
      return textsOf(prop.shape.props, value)
    case 'list':
      return Array.isArray(value) ? value.flatMap((element) => textsIn(prop.of, element)) : []
    default:
      return []
  }
}
