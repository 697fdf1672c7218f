import { posix } from 'node:path'
import { quotedTag } from '../body/quoted-tag.ts'
import type { Report } from '../conversion.ts'

const SNIPPET = /^([ \t]*)(;*)-{1,}8<-{1,}[ \t]+["'](.+?)["'][ \t]*$/
const BLOCK = /^([ \t]*)-{1,}8<-{1,}[ \t]*$/
/** The start or the end of a section. */
const MARK = /-8<-+[ \t]*\[(?:start|end):/
/** Snippets may include others. */
const MAX_DEPTH = 5

/** Replaces `--8<-- "file"` by the lines of the file, in code too. */
export function includeSnippets(body: string, read: (name: string) => string | null, report: Report): string {
  return include(body, 0)

  function include(text: string, depth: number): string {
    if (!text.includes('8<')) return text
    const lines = text.split('\n').filter((line) => !MARK.test(line))
    const result: string[] = []
    for (let index = 0; index < lines.length; index++) {
      const line = lines[index] ?? ''
      const [, indent = '', escapes = '', name] = SNIPPET.exec(line) ?? []
      if (name !== undefined)
        result.push(...(escapes === '' ? linesOf(name, indent, index, depth) : [line.replace(';', '')]))
      else if (BLOCK.test(line)) {
        const end = nextBlockMark(lines, index + 1)
        const names = end === -1 ? [] : lines.slice(index + 1, end).map((each) => each.trim())
        const blockIndent = BLOCK.exec(line)?.[1] ?? ''
        for (const each of names)
          if (each !== '' && !each.startsWith(';')) result.push(...linesOf(each, blockIndent, index, depth))
        if (end === -1) result.push(line)
        else index = end
      } else result.push(line)
    }
    return result.join('\n')
  }

  function linesOf(given: string, indent: string, line: number, depth: number): readonly string[] {
    const [, name = '', part = ''] = /^(.*?)(?::([\w:,-]+))?$/.exec(given) ?? []
    const text = depth >= MAX_DEPTH || /^https?:/.test(given) ? null : read(name)
    const found = text === null ? null : partOf(text.replaceAll('\r\n', '\n'), part)
    if (found === null) {
      report(depth === 0 ? line : 0, 'QN-NOT-CONVERTED', `The snippet ${quotedTag(given)} is left out.`)
      return []
    }
    return include(found, depth + 1)
      .split('\n')
      .map((each) => (each === '' ? '' : indent + each))
  }
}

function nextBlockMark(lines: readonly string[], from: number): number {
  for (let index = from; index < lines.length; index++) if (BLOCK.test(lines[index] ?? '')) return index
  return -1
}

/** A section between `--8<-- [start:name]` and `[end:name]`, lines such as `2:5`, or all of the text. */
function partOf(text: string, part: string): string | null {
  const lines = text.replace(/\n$/, '').split('\n')
  const shown = (each: readonly string[]) => each.filter((line) => !MARK.test(line)).join('\n')
  if (part === '') return shown(lines)
  if (/^[\d:,]+$/.test(part)) {
    return part
      .split(',')
      .map((range) => {
        const [from = '', to] = range.split(':')
        const first = Math.max(1, Number(from || 1))
        return shown(lines.slice(first - 1, to === undefined ? first : to === '' ? undefined : Number(to)))
      })
      .join('\n')
  }
  const start = lines.findIndex((line) => line.includes(`[start:${part}]`))
  const end = lines.findIndex((line) => line.includes(`[end:${part}]`))
  return start === -1 ? null : shown(lines.slice(start + 1, end === -1 ? undefined : end))
}

/** The possible paths of a snippet below the base folders. */
export function snippetPaths(name: string, folders: readonly string[]): readonly string[] {
  return folders.map((folder) => posix.join(folder, name)).filter((path) => !path.startsWith('..'))
}
