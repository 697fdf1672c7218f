import { breaksIn } from '../../page-text/map-prose.ts'
import type { Report, TagContext, TemplateTag } from '../conversion.ts'
import { quotedTag } from './quoted-tag.ts'

/** The index of a stored text, and the number of line breaks of the text that it replaces. */
const PLACEHOLDER = /\0(\d+):(\d+)\0/g

/** Texts that later steps must not convert, each with a placeholder. */
export interface ProtectedTexts {
  /** @param breaks the number of line breaks of the text that the placeholder replaces. */
  readonly protect: (text: string, breaks?: number) => string
  /** Reports whether a placeholder stands for an empty text. */
  readonly isEmpty: (placeholder: string) => boolean
  /** Puts the texts back. */
  readonly restore: (text: string) => string
}

export function createProtectedTexts(): ProtectedTexts {
  const stored: string[] = []
  const restore = (text: string): string =>
    text.replace(PLACEHOLDER, (_, index: string) => restore(stored[Number(index)] ?? ''))
  return {
    protect: (text, breaks = 0) => `\0${stored.push(text) - 1}:${breaks}\0`,
    isEmpty: (placeholder) => restore(placeholder) === '',
    restore,
  }
}

/** Replaces each tag with a placeholder of its replacement, so that later tags do not match in it. */
export function replaceTags(
  text: string,
  tags: readonly TemplateTag[],
  context: TagContext,
  protect: ProtectedTexts['protect'],
  report: Report,
): string {
  return tags.reduce((current, { pattern, replace }) => {
    const lineAt = sourceLineCounter(current)
    let at = 0
    let result = ''
    for (const found of current.matchAll(pattern)) {
      const replacement = replace(found, context)
      const line = lineAt(found.index)
      if (replacement === null) report(line, 'QN-NOT-CONVERTED', `${quotedTag(found[0])} is left out.`)
      else if (typeof replacement !== 'string') report(line, 'QN-PARTLY-CONVERTED', replacement.message)
      const markdown = typeof replacement === 'string' ? replacement : (replacement?.text ?? '')
      result += current.slice(at, found.index) + protect(markdown, sourceBreaksIn(found[0]))
      at = found.index + found[0].length
    }
    return at === 0 ? current : result + current.slice(at)
  }, text)
}

/** The line in the source, from 0, of offsets in a text with placeholders that are asked for in ascending order. */
export function sourceLineCounter(text: string): (offset: number) => number {
  let line = 0
  let at = 0
  return (offset) => {
    line += sourceBreaksIn(text.slice(at, offset))
    at = offset
    return line
  }
}

/** The number of line breaks in a text, including the ones in replaced texts. */
function sourceBreaksIn(text: string): number {
  return [...text.matchAll(PLACEHOLDER)].reduce((sum, { 2: breaks }) => sum + Number(breaks), breaksIn(text))
}
