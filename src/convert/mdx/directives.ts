import { boxKind, openingLine } from '../body/box-kinds.ts'
import type { Report } from '../conversion.ts'
import { fenceStateAt } from './fences.ts'

const DIRECTIVE =
  /^([ \t>]*(?:[-*+][ \t]+|\d+[.)][ \t]+)?)(:{3,})[ \t]*([A-Za-z][\w-]*)(?:\[(.*)\])?[ \t]*(?:\{[^{}]*\})?[ \t]*(.*)$/
/** Containers that are called the same in Quoin. */
const KNOWN = /^(details|tabs|steps|code-group)$/

/** Converts `:::note[Title]{icon="star"}` to `:::note Title`. Unknown containers become notes and are reported. */
export function withDirectives(body: string, report: Report): string {
  const lines = body.split('\n')
  const isCode = fenceStateAt(lines)
  return lines
    .map((line, index) => {
      const [, start = '', colons = '', name = '', label, rest = ''] = isCode(index)
        ? []
        : (DIRECTIVE.exec(line) ?? [])
      if (name === '') return line
      const kind = KNOWN.test(name) ? name : boxKind(name)
      if (kind === null)
        report(index, 'QN-PARTLY-CONVERTED', `The container \`:::${name}\` is unknown and becomes a note.`)
      return `${start}${colons.slice(3)}${openingLine(kind ?? 'note', label ?? rest)}`
    })
    .join('\n')
}
