import { replaceSpans } from '../../page-text/code-spans.ts'
import { runsOf } from '../mdx/fences.ts'

/** A text with blanks in place of its fenced code and code spans. Offsets and lines stay as they are. */
export function blankCode(text: string): string {
  return runsOf(text)
    .map(({ text: run, isCode }) => (isCode ? blank(run) : replaceSpans(run, blank)))
    .join('\n')
}

function blank(text: string): string {
  return text.replace(/[^\n]/g, ' ')
}
