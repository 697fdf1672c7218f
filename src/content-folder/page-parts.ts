import type { ParseIssue } from '../domain/diagnostic.ts'
import { bodyOf } from '../page-text/front-matter.ts'
import { isMarkdownFile } from './page-name.ts'
import { isParseIssue, NO_YAML, readYaml, type YamlSource } from './yaml-source.ts'

export interface PageParts {
  readonly fields: YamlSource | ParseIssue
  /** `fields` is an error about front matter in an unclear form. */
  readonly isUnclear: boolean
  readonly markdown: string
}

/** Splits a page's file into its fields and its Markdown, which stays as written. */
export function readParts(path: string, text: string): PageParts {
  if (isMarkdownFile(path)) return splitMarkdown(text)
  return { fields: readYaml(text, 1), isUnclear: false, markdown: '' }
}

function splitMarkdown(text: string): PageParts {
  const markdown = bodyOf(text)
  const block = text.slice(0, text.length - markdown.length)
  if (block === '') {
    const reason = unclearReason(text)
    if (reason === null) return { fields: NO_YAML, isUnclear: false, markdown: proseOnly(markdown) }
    return { fields: { line: 1, column: 1, message: reason }, isUnclear: true, markdown }
  }
  const fields = readYaml(block.trimEnd().split('\n').slice(1, -1).join('\n'), 2)
  // A text between two rules is no front matter.
  const isText = !isParseIssue(fields) && typeof fields.value === 'string'
  if (isText) return { fields: NO_YAML, isUnclear: false, markdown: proseOnly(text) }
  return { fields, isUnclear: false, markdown: proseOnly(markdown) }
}

/** Without empty lines before it, except one where a rule comes first: rendering would take it for front matter. */
export function proseOnly(markdown: string): string {
  const trimmed = markdown.replace(/^\n+/, '')
  return bodyOf(trimmed) === trimmed ? trimmed : `\n${trimmed}`
}

/** Lines of YAML with a field that pages have. */
const FIELDS = String.raw`(?:[ \t#\w-][^\n]*\n){0,100}?(?:title|description|date|draft|slug|tags|type)[ \t]*:[^\n]*\n(?:[ \t#\w-][^\n]*\n){0,100}?`
const COMMENTED = new RegExp(
  String.raw`^(?:[ \t]*\n|<!--(?:(?!-->)[\s\S]){0,2000}-->)+---[ \t]*\n${FIELDS}---[ \t]*(?:\n|$)`,
)
const LONG_RULES = new RegExp(String.raw`^-{4,}[ \t]*\n${FIELDS}-{4,}[ \t]*(?:\n|$)`)

/** Reports whether a text begins with an object of JSON that has a title. */
function isJsonFirst(text: string): boolean {
  const [object] = /^\{\s*"[\s\S]*?\n\}(?=[ \t]*(?:\n|$))/.exec(text) ?? []
  if (object === undefined) return false
  try {
    return Object.hasOwn(JSON.parse(object) as object, 'title')
  } catch {
    // Other text in braces.
    return false
  }
}

/** The error of a text whose front matter is in an unclear form; null for other texts. */
function unclearReason(text: string): string | null {
  if (/^---[ \t]*\n[\w-]+[ \t]*:/.test(text))
    return 'The front matter does not end. Close it with a line of "---".'
  if (COMMENTED.test(text))
    return 'The front matter is not at the start of the file. Move it there, before comments and empty lines.'
  if (LONG_RULES.test(text)) return 'Front matter is between lines of three hyphens: write "---".'
  if (isJsonFirst(text))
    return 'Front matter in JSON is not supported. Write YAML between two lines of "---".'
  if (/^\+\+\+[ \t]*\n(?:.*\n)*\+\+\+[ \t]*(\n|$)/.test(text))
    return 'Front matter in TOML (+++) is not supported. Write YAML between two lines of "---".'
  return null
}
