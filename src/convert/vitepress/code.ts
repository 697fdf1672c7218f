import { mapCodeBlocks } from '../mdx/fences.ts'

const MARK =
  /(?<![ \t])[ \t]*(?:\/\/|#|--|;|%|<!--|\/\*)[ \t]*\[!code[ \t]+(\+\+|--|highlight|hl|focus|warning|error)(?::(\d+))?\](?:[ \t]*(?:-->|\*\/))?[ \t]*$/

/** Converts marks in comments of code, such as `// [!code ++]`, to options after its language. */
export function convertFocus(body: string): string {
  return mapCodeBlocks(body, (lines) =>
    lines.some((line) => line.includes('[!code')) ? markedBlock(lines) : lines,
  )
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
