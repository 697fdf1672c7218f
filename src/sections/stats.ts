import type { JsonObject } from '../domain/json.ts'
import { phrase } from './markdown-text.ts'
import { list, object, type SectionType, type Shape, text, token } from './prop.ts'
import { textIn } from './values.ts'

const STAT: Shape = {
  props: {
    value: text('number', 'figure'),
    label: text('title', 'description', 'text'),
    prefix: text(),
    suffix: text('unit'),
    icon: token(),
  },
  requires: ['value', 'label'],
  shorthand: null,
  sentences: [
    {
      of: ['value', 'label', 'prefix', 'suffix'],
      markdown: (values) => {
        const figure = phrase(figureText(values) ?? '')
        const label = phrase(textIn(values, 'label') ?? '')
        const parts = [figure === '' ? '' : `**${figure}**`, label].filter((part) => part !== '')
        return parts.length === 0 ? null : parts.join(' ')
      },
    },
  ],
}

export const stats: SectionType = {
  name: 'stats',
  aliases: ['metrics', 'numbers'],
  shape: { props: { items: list(object(STAT), 'stats', 'metrics') }, requires: ['items'], shorthand: null },
}

/** The value with prefix and suffix, e.g. `$12M`; null without a value. */
export function figureText(stat: JsonObject): string | null {
  const value = textIn(stat, 'value')
  return value === null ? null : `${textIn(stat, 'prefix') ?? ''}${value}${textIn(stat, 'suffix') ?? ''}`
}
