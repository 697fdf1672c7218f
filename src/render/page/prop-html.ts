import type { JsonObject } from '../../domain/json.ts'
import { textIn } from '../../sections/values.ts'
import type { Rendering } from './rendering.ts'

/** A text prop and where it stands: in which object, written where, on what part of the page. */
export interface TextProp {
  readonly props: JsonObject
  readonly name: string
  /** Path of the object. */
  readonly at: string
  /** HTML id of the section or card, which starts every id in the HTML. */
  readonly id: string
}

/** The prop's Markdown as HTML that fits on a line; null when there is nothing to show. */
export function inlineHtml(prop: TextProp, rendering: Rendering): string | null {
  return html(prop, (text, at, idPrefix) => rendering.inline(text, at, { idPrefix }))
}

/** The prop's Markdown as blocks of HTML, headings below the section's; null when there is nothing to show. */
export function blockHtml(prop: TextProp, rendering: Rendering): string | null {
  return html(prop, (text, at, idPrefix) => rendering.markdown(text, at, { title: '', idPrefix }).html)
}

function html(
  { props, name, at, id }: TextProp,
  render: (text: string, at: string, idPrefix: string) => string,
): string | null {
  const text = textIn(props, name)
  const rendered = text === null ? '' : render(text, `${at}.${name}`, `${id}-${name}-`)
  return rendered === '' ? null : rendered
}
