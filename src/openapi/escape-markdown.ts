import { phrase } from '../sections/markdown-text.ts'

/* Writes texts of a description, which others may have written, into places of a Markdown document. */

/** A text within a line, read back as the same text. */
export function inline(text: string): string {
  return phrase(text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' '))
    .replace(/(?<!\\)\$/g, '\\$')
    .replace(/(?<![\\\w]):(?=[a-z\d+_-]+(?::|[[{]))/gi, '\\:')
    .replace(/(?<!\\)(?:==|\^)/g, (mark) => mark.replace(/./g, '\\$&'))
    .replace(/\{(?=[{%#])/g, '\\{')
}

/** A code span. */
export function code(text: string): string {
  const shown = text.replace(/[\p{Cc}\u2028\u2029\s]+/gu, ' ').trim()
  if (shown === '') return '` `'
  const runs = [...shown.matchAll(/`+/g)].map(([run]) => run.length)
  const marks = '`'.repeat(Math.max(0, ...runs) + 1)
  const pad = shown.startsWith('`') || shown.endsWith('`') ? ' ' : ''
  return `${marks}${pad}${shown}${pad}${marks}`
}

/** A fenced block of code. */
export function fenced(text: string, language: string): string {
  const runs = [...text.matchAll(/`{3,}/g)].map(([run]) => run.length)
  const marks = '`'.repeat(Math.max(2, ...runs) + 1)
  return `${marks}${language}\n${text.replace(/\r\n?/g, '\n')}\n${marks}`
}

/** The value of an attribute of a directive, with its quotes; null for an empty one. */
export function attribute(text: string): string | null {
  const shown = text
    .replace(/[\p{Cc}\u2028\u2029\s]+/gu, ' ')
    .trim()
    .slice(0, 200)
  if (shown === '') return null
  return shown.includes('"') ? `'${shown.replaceAll("'", '’')}'` : `"${shown}"`
}
