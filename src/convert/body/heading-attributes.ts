import type { Report } from '../conversion.ts'
import { withoutClosingMarks } from './closing-marks.ts'
import { quotedTag } from './quoted-tag.ts'
import { type ProtectedTexts, sourceLineCounter } from './template-tags.ts'

/** A heading, with the next line when it has attributes, as kramdown allows. */
const HEADING = /^( {0,3}#{1,6})[ \t].*(?:\n\{:.*\}[ \t]*$)?/gm
/** The id in attributes. Others in the braces are for styles. */
const ID = /^:?(?:[^{}\n]*[ \t])?#([\p{L}\p{N}_][\p{L}\p{N}_.:-]{0,99})(?:[ \t][^{}\n]*)?$/u
/** Attributes that consist of an id alone. Quoin cannot have it. */
const UNUSABLE_ID = /^[ \t]*#[\w-]+[ \t]*$/

/** An attribute that is not for styles. */
const OTHER_ATTRIBUTE = /(?:^|\s)(?!(?:class|style|id)=)[\w-]+=/

/** Writes the ids of headings as Quoin reads them: `{#id}` at the end of the line. */
export function convertHeadingAttributes(
  text: string,
  protect: ProtectedTexts['protect'],
  report: Report,
): string {
  if (!text.includes('{')) return text
  const lineAt = sourceLineCounter(text)
  return text.replace(HEADING, (heading: string, marks: string, at: number) => {
    const written = heading.trimEnd()
    const open = written.lastIndexOf('{')
    const attributes = written.endsWith('}') ? written.slice(open + 1, -1) : ''
    if (open < marks.length || attributes.includes('}')) return heading
    const id = ID.exec(attributes)?.[1]
    if (id === undefined && !UNUSABLE_ID.test(attributes)) return heading
    const shown = marks + withoutClosingMarks(written.slice(marks.length, open))
    if (id === undefined)
      report(lineAt(at), 'QN-NOT-CONVERTED', `${quotedTag(written.slice(open))} is left out.`)
    else if (OTHER_ATTRIBUTE.test(attributes))
      report(lineAt(at), 'QN-PARTLY-CONVERTED', `Of ${quotedTag(written.slice(open))}, the id is converted.`)
    const breaks = heading.includes('\n') ? 1 : 0
    return shown + protect(id === undefined ? '' : ` {#${id}}`, breaks)
  })
}
