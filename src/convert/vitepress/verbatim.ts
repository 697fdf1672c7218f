import { blankCode } from '../body/blank-code.ts'
import type { ProtectVerbatim } from '../conversion.ts'
import { fenceStateAt } from '../mdx/fences.ts'

const CONTAINER = /^([ \t]*)(:{3,})[ \t]*v-pre[ \t]*$/
const ELEMENT = /<([a-z]\w*)\s[^<>]*>/g
const ATTRIBUTE = /\sv-pre(?:="")?(?=\s|$)/

/** Keeps the text of `v-pre` containers and elements as it is written. Code is never converted. */
export const protectVPre: ProtectVerbatim = (body, protect) => {
  if (!body.includes('v-pre')) return body
  const protectExpressions = (text: string) => text.replace(/\{\{(?:(?!\{\{)[\s\S])*?\}\}/g, protect)
  return elements(containers(body, protectExpressions), protectExpressions)
}

function containers(body: string, keep: (text: string) => string): string {
  const lines = body.split('\n')
  const isCode = fenceStateAt(lines)
  const result: string[] = []
  for (let index = 0; index < lines.length; index++) {
    const [line = '', indent = '', colons = ''] = isCode(index)
      ? []
      : (CONTAINER.exec(lines[index] ?? '') ?? [])
    const end = line === '' ? -1 : endOf(lines, index + 1, indent + colons)
    if (end === -1) result.push(lines[index] ?? '')
    else {
      result.push('', keep(lines.slice(index + 1, end).join('\n')), '')
      index = end
    }
  }
  return result.join('\n')
}

/** Containers with more lines stay text: each line that opens one would look for its end. */
const MAX_LINES = 2_000

function endOf(lines: readonly string[], from: number, mark: string): number {
  const last = Math.min(lines.length, from + MAX_LINES)
  for (let index = from; index < last; index++) if ((lines[index] ?? '').trimEnd() === mark) return index
  return -1
}

function elements(text: string, keep: (text: string) => string): string {
  let at = 0
  let result = ''
  const withoutCode = blankCode(text)
  /** Names of elements that nothing ends from here on. */
  const unclosed = new Set<string>()
  for (const { 0: tag, 1: name = '', index } of withoutCode.matchAll(ELEMENT)) {
    const start = index + tag.length
    const attributes = text.slice(index + 1 + name.length, start - 1)
    if (index < at || !ATTRIBUTE.test(attributes) || unclosed.has(name)) continue
    const end = withoutCode.indexOf(`</${name}>`, start)
    if (end === -1) {
      unclosed.add(name)
      continue
    }
    result += `${text.slice(at, index)}<${name}${attributes.replace(ATTRIBUTE, '')}>${keep(text.slice(start, end))}`
    at = end
  }
  return result + text.slice(at)
}
