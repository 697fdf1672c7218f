import { posix } from 'node:path'
import type { SourceFiles } from '../conversion.ts'

const IMPORT = /^import\s+(?:type\s+)?([^'";]{1,500}?)\s+from\s+['"](\.{1,2}\/[^'"\n]+)['"]/gm
const ENDINGS = ['', '.ts', '.mts', '.js', '.mjs', '/index.ts', '/index.mts', '/index.js', '/index.mjs']
/** Programs that import each other further are not read. */
const MAX_DEPTH = 3

/**
 * A program, followed by its imported programs, so that its constants are known. Lines of the program itself keep their
 * numbers.
 */
export function withImports(files: SourceFiles, path: string, depth = 0): string {
  const text = files.text(path) ?? ''
  if (depth === MAX_DEPTH) return text
  const imported = [...text.matchAll(IMPORT)].map(([, names = '', from = '']) => {
    const base = posix.join(posix.dirname(path), from.replace(/\.m?js$/, ''))
    const file = [posix.join(posix.dirname(path), from), ...ENDINGS.map((ending) => base + ending)].find(
      (each) => files.paths.includes(each),
    )
    return file === undefined ? '' : renamed(withImports(files, file, depth + 1), names)
  })
  return [text, ...imported].join('\n')
}

/** The text of an imported program, with its exports under the names in the import. */
function renamed(text: string, names: string): string {
  const [, own] = /^([A-Za-z_$][\w$]*)/.exec(names) ?? []
  const others = [...names.matchAll(/([A-Za-z_$][\w$]*)\s+as\s+([A-Za-z_$][\w$]*)/g)]
  const exported = text.replace(/^export\s+default\s+/gm, own === undefined ? '' : `const ${own} = `)
  return [exported, ...others.map(([, from, to]) => `const ${to} = ${from}`)].join('\n')
}
