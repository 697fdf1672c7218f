/**
 * The documentation page of what templates receive, made from the text of `src/theme/view.ts`: one table for each type,
 * with a row for each value.
 */
export function viewReference(source: string): string {
  const types = typesIn(source)
  const documents = types.filter(({ name }) => DOCUMENTS.includes(name))
  const others = types.filter(({ name }) => !DOCUMENTS.includes(name))
  return [INTRODUCTION, ...documents.map(section), '## Their parts\n', ...others.map(section)].join('\n')
}

/** Names of the values of a type. */
export function namesOf(type: string, source: string): readonly string[] {
  return typesIn(source).flatMap(({ name, values }) =>
    name === type ? values.map((value) => value.name) : [],
  )
}

const DOCUMENTS = ['PageView', 'ListingView', 'TagsView', 'NavPageView', 'NotFoundView', 'SectionView']

const INTRODUCTION = `---
title: Values of templates
description: Every value that a template of a theme receives, with its type.
nav_order: 5
---

Templates of a [theme](/docs/guides/write-a-theme) receive one of these objects as \`it\`: a layout the view of its document, a section template a SectionView, a partial that of the template which includes it. Names that end in \`html\` hold sanitised HTML, to be printed with \`<%~ %>\`; names that end in \`href\` or \`src\` hold checked addresses, relative to the page. All other texts are plain, to be printed with \`<%= %>\`. Absent values are null.
`

interface DocumentedType {
  readonly name: string
  readonly meaning: string
  /** The type itself, where it is no object. */
  readonly alias: string | null
  readonly values: readonly { readonly name: string; readonly type: string; readonly meaning: string }[]
}

function section({ name, meaning, alias, values }: DocumentedType): string {
  const rows = values.map(
    ({ name, type, meaning }) => `| \`${name}\` | ${typeText(type)} | ${inCell(meaning)} |`,
  )
  const table = rows.length === 0 ? [] : ['| Value | Type | Meaning |', '| --- | --- | --- |', ...rows, '']
  return [
    `### ${name}\n`,
    ...(meaning === '' ? [] : [`${inText(meaning)}\n`]),
    ...(alias === null ? [] : [`${typeText(alias)}\n`]),
    ...table,
  ].join('\n')
}

function typeText(type: string): string {
  return `\`${type.replaceAll('|', '\\|')}\``
}

function inCell(text: string): string {
  return inText(text).replaceAll('|', '\\|')
}

/** Markup of templates that comments name would be HTML of the page. */
function inText(text: string): string {
  return text.replace(/(?<!`)(<[%\w][^>]*>)(?!`)/g, '`$1`')
}

function typesIn(source: string): readonly DocumentedType[] {
  const declarations = source.matchAll(
    /^(?:\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n)?export (interface|type) (\w+)(?: extends (\w+))?(?: =\s+([\s\S]*?)(?=\n\n|\n*$(?![\s\S]))| \{\n([\s\S]*?)\n\})/gm,
  )
  return [...declarations].map(([, comment = '', kind, name = '', base = '', alias = '', body = '']) => ({
    name,
    meaning: [sentence(comment), ...(base === '' ? [] : [`It has the values of ${base} too.`])]
      .join(' ')
      .trim(),
    alias: kind === 'type' ? onOneLine(alias) : null,
    values: kind === 'type' ? [] : valuesIn(body),
  }))
}

function valuesIn(body: string): DocumentedType['values'] {
  const members = body.matchAll(
    /^ {2}(?:\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n {2})?readonly (\w+)\??:\s+([\s\S]*?)(?=\n {2}(?:readonly|\/\*\*|\/\/)|(?![\s\S]))/gm,
  )
  return [...members].map(([, comment = '', name = '', type = '']) => ({
    name,
    type: onOneLine(type),
    meaning: sentence(comment),
  }))
}

function onOneLine(type: string): string {
  return (
    type
      .replace(/\/\*\*[\s\S]*?\*\//g, '')
      .replace(/\breadonly /g, '')
      // The members of an object stand on lines of their own.
      .replace(/([^{|&\s])\s*\n\s+(?=\w)/g, '$1; ')
      .replace(/\s+/g, ' ')
      .replace(/^\s*\| /, '')
      .trim()
  )
}

function sentence(comment: string): string {
  return comment
    .replace(/\n\s*\*/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}
