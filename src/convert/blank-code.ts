import { codeSpans } from '../page-text/code-spans.ts'
import { runsOf } from './mdx/fences.ts'

/** A text with blanks in place of its fenced code and code spans. Offsets and lines stay as they are. */
export function blankCode(text: string): string {
  return runsOf(text)
    .map(({ text: run, isCode }) => (isCode ? blank(run) : withoutSpans(run)))
    .join('\n')
}

function withoutSpans(prose: string): string {
  let at = 0
  let result = ''
  for (const { start, end } of codeSpans(prose)) {
    result += prose.slice(at, start) + blank(prose.slice(start, end))
    at = end
  }
  return result + prose.slice(at)
}

function blank(text: string): string {
  return text.replace(/[^\n]/g, ' ')
}
