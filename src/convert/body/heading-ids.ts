import { normalForm } from '../../domain/normal-form.ts'
import { runsOf } from '../mdx/fences.ts'
import { withoutClosingMarks } from './closing-marks.ts'

const HEADING = /^( {0,3}#{1,6}[ \t]+)(\S.*)$/
const TAG = /<\/?[A-Za-z][^<>]*>/

/**
 * Writes the ids of headings that would change, because conversion changes their text or because the source site makes
 * ids in another way.
 *
 * @param idOf the id that the source site gives a heading with this text.
 */
export function keepHeadingIds(body: string, idOf: (text: string) => string): string {
  const used = new Set<string>()
  return runsOf(body)
    .map(({ text, isCode }) => (isCode ? text : text.split('\n').map(withId).join('\n')))
    .join('\n')

  function withId(line: string): string {
    const [, start = '', written = ''] = HEADING.exec(line.trimEnd()) ?? []
    const text = withoutClosingMarks(written)
    const attributes = /\{[^{}]*\}$/.exec(text)?.[0] ?? ''
    if (start === '' || attributes.includes('#')) return line
    const plain = plainText(text)
    const id = idOf(plain)
    const isNew = id !== '' && !used.has(id)
    used.add(id)
    const isSame = id === githubId(plain) && !TAG.test(text.replace(/`[^`]*`/g, ''))
    return !isNew || isSame || !/^[\p{L}\p{N}_][\p{L}\p{N}_.:-]*$/u.test(id)
      ? line
      : `${start}${text} {#${id}}`
  }
}

/** The text of a heading without elements, links and marks. */
function plainText(heading: string): string {
  return heading
    .replace(
      /`([^`]*)`|<\/?[A-Za-z][\w:.-]*(?:\s[^<>]*)?\/?>(?:[^<>]*<\/[A-Z][^<>]*>)?/g,
      (_, code: string | undefined) => code ?? '',
    )
    .replace(/!?\[([^[\]]*)\]\([^()]*\)/g, '$1')
    .replace(/[*~]+/g, '')
    .trim()
}

/** The id that GitHub, and Quoin, make of a text. */
export function githubId(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\s-]/gu, '')
    .trim()
    .replace(/\s/g, '-')
}

/** The id that VitePress makes. */
export function vitepressId(text: string): string {
  return normalForm(text, 'NFKD')
    .replace(/[\u0300-\u036F]/g, '')
    .replace(/[\s~`!@#$%^&*()\-_+=[\]{}|\\;:"'“”‘’<>,.?/]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .replace(/^(\d)/, '_$1')
    .toLowerCase()
}

/** The id that MkDocs makes. */
export function mkdocsId(text: string): string {
  return normalForm(text, 'NFKD')
    .replace(/[^\w\s-]/g, '')
    .trim()
    .toLowerCase()
    .replace(/[-\s]+/g, '-')
}
