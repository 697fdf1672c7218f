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
  const texts: string[] = []
  addTexts(shapeOf(section).props, section.props, texts)
  return texts.join('\n\n')
}

/** Adds to one array, because a list may have thousands of objects. */
function addTexts(props: Props, values: JsonValue | undefined, texts: string[]): void {
  if (!isJsonObject(values)) return
  for (const name in props) {
    const prop = props[name]
    if (prop !== undefined) addText(prop, values[name], texts)
  }
}

function addText(prop: Prop, value: JsonValue | undefined, texts: string[]): void {
  switch (prop.kind) {
    case 'text':
    case 'inline':
    case 'markdown':
      if (typeof value === 'string') texts.push(value)
      return
    case 'object':
      addTexts(prop.shape.props, value, texts)
      return
    case 'list':
      if (Array.isArray(value)) for (const element of value) addText(prop.of, element, texts)
  }
}
