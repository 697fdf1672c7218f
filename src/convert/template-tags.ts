import { breaksIn } from '../page-text/map-prose.ts'
import type { Report, TagContext, TemplateTag } from './conversion.ts'
import { quotedTag } from './quoted-tag.ts'

/** The index of a stored text, and the number of line breaks of the text that it replaces. */
const PLACEHOLDER = /\0(\d+):(\d+)\0/g

/** Texts that later steps must not convert, each with a placeholder that stands for it. */
export interface ProtectedTexts {
  /** @param breaks the number of line breaks of the text that the placeholder replaces. */
  readonly protect: (text: string, breaks?: number) => string
  /** Puts the texts back. */
  readonly restore: (text: string) => string
}

export function createProtectedTexts(): ProtectedTexts {
  const stored: string[] = []
  const restore = (text: string): string =>
    text.replace(PLACEHOLDER, (_, index: string) => restore(stored[Number(index)] ?? ''))
  return {
    protect: (text, breaks = 0) => `\0${stored.push(text) - 1}:${breaks}\0`,
    restore,
  }
}

/** Ids of headings. Kramdown allows them on the next line too. Other attributes in the braces are for styles. */
export const HEADING_IDS: readonly TemplateTag[] = [
  {
    pattern:
      /(?<=^ {0,3}#{1,6}[ \t].*?)(?:[ \t]+#+)?[ \t]*\n?\{:?(?:[^{}\n]*[ \t])?#([\p{L}\p{N}_][\p{L}\p{N}_.:-]{0,99})(?:[ \t][^{}\n]*)?\}[ \t]*$/gmu,
    replace: ([, id = '']) => ` {#${id}}`,
  },
  { pattern: /(?<=^ {0,3}#{1,6}[ \t].*?)[ \t]*\{[ \t]*#[\w-]+[ \t]*\}[ \t]*$/gm, replace: () => null },
]

/** Replaces each tag with a placeholder of its replacement, so that later tags do not match in it. */
export function replaceTags(
  text: string,
  tags: readonly TemplateTag[],
  context: TagContext,
  protect: ProtectedTexts['protect'],
  report: Report,
): string {
  return tags.reduce((current, { pattern, replace }) => {
    let at = 0
    let result = ''
    for (const found of current.matchAll(pattern)) {
      const replacement = replace(found, context)
      const line = sourceBreaksIn(current.slice(0, found.index))
      if (replacement === null) report(line, 'QN-NOT-CONVERTED', `${quotedTag(found[0])} is left out.`)
      else if (typeof replacement !== 'string') report(line, 'QN-PARTLY-CONVERTED', replacement.message)
      const markdown = typeof replacement === 'string' ? replacement : (replacement?.text ?? '')
      result += current.slice(at, found.index) + protect(markdown, sourceBreaksIn(found[0]))
      at = found.index + found[0].length
    }
    return result + current.slice(at)
  }, text)
}

/** The number of line breaks in a text, including those that placeholders replace. */
function sourceBreaksIn(text: string): number {
  return [...text.matchAll(PLACEHOLDER)].reduce((sum, { 2: breaks }) => sum + Number(breaks), breaksIn(text))
}
