import type { JsonObject } from '../../domain/json.ts'
import { textIn } from '../../sections/values.ts'
import type { MarkdownHtml } from '../../theme/view.ts'
import type { Rendering } from './rendering.ts'

/** A text prop, its location in the content and its element on the page. */
export interface TextProp {
  readonly props: JsonObject
  readonly name: string
  /** Path of the object in the content. */
  readonly at: string
  /** HTML id of the section or card, used as prefix of the ids in its HTML. */
  readonly id: string
}

/** Renders the prop's Markdown as inline HTML; null when it is empty. */
export function inlineHtml(prop: TextProp, rendering: Rendering): string | null {
  return html(prop, (text, at, idPrefix) => rendering.inline(text, at, { idPrefix }))
}

/** Renders the prop's Markdown as blocks, with headings below the section's; null when it is empty. */
export function blockHtml(prop: TextProp, rendering: Rendering): string | null {
  return html(prop, (text, at, idPrefix) => rendering.markdown(text, at, { title: '', idPrefix }).html)
}

/**
 * Returns the function with which templates print Markdown of values without a schema.
 *
 * @param name prefix of the ids in its HTML, unique on the page.
 */
export function markdownIn(rendering: Rendering, name: string): MarkdownHtml {
  let calls = 0
  return (text) => {
    if (typeof text !== 'string') return ''
    calls += 1
    return rendering.markdown(text, 'config', { title: '', idPrefix: `${name}-${calls}-` }).html
  }
}

function html(
  { props, name, at, id }: TextProp,
  render: (text: string, at: string, idPrefix: string) => string,
): string | null {
  const text = textIn(props, name)
  const rendered = text === null ? '' : render(text, `${at}.${name}`, `${id}-${name}-`)
  return rendered === '' ? null : rendered
}
