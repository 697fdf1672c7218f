import { runsOf } from '../mdx/fences.ts'

const MARK =
  /(?<![ \t])[ \t]*(?:\/\/|#|--|;|%|<!--|\/\*)[ \t]*\[!code[ \t]+(\+\+|--|highlight|hl|focus|warning|error)(?::(\d+))?\](?:[ \t]*(?:-->|\*\/))?[ \t]*$/
const FENCE = /^[ \t>]*(?:(?:[-*+]|\d+[.)])[ \t]+)*(?:`{3,}|~{3,})/

/** Converts marks in comments of code, such as `// [!code ++]`, to options after its language. */
export function convertFocus(body: string): string {
  return runsOf(body)
    .map(({ text, isCode }) => (isCode && text.includes('[!code') ? blocks(text) : text))
    .join('\n')
}

/** A run of code may hold several blocks. */
function blocks(text: string): string {
  const lines = text.split('\n')
  let first = 0
  return lines
    .flatMap((line, index) => {
      const isEnd = index > first && FENCE.test(line) && /^[ \t>]*[`~]+[ \t]*$/.test(line)
      if (!isEnd) return []
      const block = lines.slice(first, index + 1)
      first = index + 1
      return markedBlock(block)
    })
    .concat(lines.slice(first))
    .join('\n')
}

function markedBlock([open = '', ...rest]: readonly string[]): readonly string[] {
  const marked: { [kind in 'lines' | 'ins' | 'del']: string[] } = { lines: [], ins: [], del: [] }
  const code = rest.map((line, index) => {
    const [, kind = '', count = '1'] = MARK.exec(line) ?? []
    if (kind === '') return line
    const last = index + Number(count)
    marked[kind === '++' ? 'ins' : kind === '--' ? 'del' : 'lines'].push(
      last === index + 1 ? String(last) : `${index + 1}-${last}`,
    )
    return line.replace(MARK, '')
  })
  const options = [
    ...(marked.lines.length > 0 ? [`{${marked.lines.join(',')}}`] : []),
    ...(marked.ins.length > 0 ? [`ins={${marked.ins.join(',')}}`] : []),
    ...(marked.del.length > 0 ? [`del={${marked.del.join(',')}}`] : []),
  ]
  return options.length === 0 ? [open, ...rest] : [[open.trimEnd(), ...options].join(' '), ...code]
}
