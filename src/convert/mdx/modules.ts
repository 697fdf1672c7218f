import { fenceStateAt } from './fences.ts'

/** The lines of a page without statements of a program. */
export interface WithoutModules {
  /** Statements are replaced by empty lines, so that line numbers stay. */
  readonly body: string
  /** The file of each imported name. */
  readonly imports: ReadonlyMap<string, string>
  /** The statements that declare values. */
  readonly exports: readonly { readonly line: number; readonly text: string }[]
}

const STATEMENT =
  /^(?:import\s*(?:[\w*{'"]|type\s)|export\s+(?:const|let|var|function|default|async|class|type|interface|\{|\*))/
/** A statement of more lines is text: a word at the start of a line can be `import`. */
const MAX_LINES = 400

/** Removes `import` and `export` statements from MDX. */
export function withoutModules(body: string): WithoutModules {
  const lines = body.split('\n')
  const imports = new Map<string, string>()
  const exports: { line: number; text: string }[] = []
  const isCode = fenceStateAt(lines)
  for (let index = 0; index < lines.length; index++) {
    if (isCode(index) || !STATEMENT.test(lines[index] ?? '') || !isProgram(lines, index)) continue
    const length = statementLength(lines, index)
    const text = lines.slice(index, index + length).join('\n')
    if (text.startsWith('export')) exports.push({ line: index, text })
    else for (const [name, file] of importsIn(text)) imports.set(name, file)
    lines.fill('', index, index + length)
    index += length - 1
  }
  return { body: lines.join('\n'), imports, exports }
}

/** A sentence may begin with the same word. */
function isProgram(lines: readonly string[], index: number): boolean {
  const line = lines[index] ?? ''
  return (
    line.startsWith('export') ||
    /['"][^'"]+['"]/.test(
      lines
        .slice(index, index + 40)
        .join('\n')
        .split(/\n\s*\n/)[0] ?? '',
    )
  )
}

/** The number of lines until all brackets are closed. */
function statementLength(lines: readonly string[], start: number): number {
  let open = 0
  for (let index = start; index < Math.min(lines.length, start + MAX_LINES); index++) {
    const line = (lines[index] ?? '').replace(/'[^'\n]*'|"[^"\n]*"|`[^`\n]*`/g, '')
    open += (line.match(/[{([]/g)?.length ?? 0) - (line.match(/[})\]]/g)?.length ?? 0)
    const next = lines[index + 1] ?? ''
    if (
      open <= 0 &&
      (next.trim() === '' ||
        STATEMENT.test(next) ||
        /;\s*$/.test(line) ||
        /^['"].*['"];?$|from\s+['"]/.test(lines[index] ?? ''))
    )
      return index - start + 1
  }
  return 1
}

function importsIn(text: string): readonly (readonly [string, string])[] {
  return [...text.matchAll(/\bimport\s((?:(?!\bimport\s)[^'"])*?)\bfrom\s*['"]([^'"]+)['"]/g)].flatMap(
    ([, names = '', file = '']) => {
      const own = /^([A-Za-z_$][\w$]*)/.exec(names.trim())?.[1]
      return own === undefined ? [] : [[own, file] as const]
    },
  )
}
