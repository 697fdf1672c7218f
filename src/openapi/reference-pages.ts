import type { JsonObject } from '../domain/json.ts'
import { writeFrontMatter } from '../page-text/write-front-matter.ts'
import { blockMarkdown, type FindPage, plainText } from './description-text.ts'
import { code, inline } from './escape-markdown.ts'
import { operationPage, schemeText, titleOf } from './operation-page.ts'
import { type Api, MAX_OPERATIONS, type Operation, readApi } from './operations.ts'
import type { TextContext } from './print-fields.ts'
import { createResolver } from './references.ts'
import { type PageNames, pageNames } from './slugs.ts'

/** The pages of an API reference, as Markdown of a content folder. */
export interface ReferencePages {
  readonly title: string
  /** The index without front matter, for a page that has its own. Links are relative to the folder of the reference. */
  readonly index: string
  /** The index with front matter. */
  readonly indexPage: string
  /** One page for each tag and each operation, by path in the folder of the reference. */
  readonly pages: ReadonlyMap<string, string>
  readonly operations: number
}

/** @returns a message instead when the description has too many operations, or none. */
export function referencePages(document: JsonObject): ReferencePages | string {
  const resolve = createResolver(document)
  const api = readApi(document, resolve)
  const { operations, tags } = api
  if (operations.length === 0) return 'The description has no operations.'
  if (operations.length > MAX_OPERATIONS)
    return `The description has ${operations.length} operations, and a reference at most ${MAX_OPERATIONS}. Split it by tags.`
  const names = pageNames(api)
  const pages = new Map<string, string>()
  const inIndex: TextContext = { home: api.home, findPage: pageFinder(api, names, '') }
  const inFolder: TextContext = { home: api.home, findPage: pageFinder(api, names, '../') }
  tags.forEach((tag, index) => {
    const own = operations.filter((operation) => operation.tag === tag.name)
    const folder = names.tags.get(tag.name) ?? ''
    const summary = plainText(tag.description, 200)
    const body = [blockMarkdown(tag.description, 2, inFolder), operationList(own, names, '../')]
    pages.set(
      `${folder}/index.md`,
      writeFrontMatter(
        {
          title: shortTitle(tag.name),
          ...(summary !== '' && { description: summary }),
          type: 'docs',
          nav_order: index + 1,
        },
        `\n${body.filter((part) => part !== '').join('\n\n')}\n`,
      ),
    )
    own.forEach((operation, order) => {
      const page = operationPage(operation, order + 1, { api, resolve, ...inFolder })
      pages.set(`${names.operations.get(operation)}.md`, page)
    })
  })
  const index = indexOf(api, names, inIndex)
  const summary = plainText(api.description, 200)
  const indexPage = writeFrontMatter(
    { title: shortTitle(api.title), ...(summary !== '' && { description: summary }), type: 'docs' },
    `\n${index}\n`,
  )
  return { title: api.title, index, indexPage, pages, operations: operations.length }
}

function shortTitle(title: string): string {
  const line = title.replace(/\s+/g, ' ').trim()
  return line.length <= 100 ? line : `${line.slice(0, 99)}…`
}

function indexOf(api: Api, names: PageNames, context: TextContext): string {
  const schemes = [...api.schemes.keys()].map((name) => `- ${schemeText(name, api)}`)
  return [
    api.version === '' ? '' : `Version ${code(api.version)}`,
    blockMarkdown(api.description, 2, context),
    ...(api.servers.length === 0
      ? []
      : ['## Servers', api.servers.map((server) => `- ${code(server)}`).join('\n')]),
    ...(schemes.length === 0 ? [] : ['## Authorization', [...new Set(schemes)].join('\n')]),
    '## Operations',
    ...api.tags.flatMap(({ name }) => {
      const own = api.operations.filter(({ tag }) => tag === name)
      return [`### [${inline(name)}](${names.tags.get(name)}/index.md)`, operationList(own, names, '')]
    }),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}

function operationList(operations: readonly Operation[], names: PageNames, up: string): string {
  return operations
    .map((operation) => {
      const name = names.operations.get(operation)
      const deprecated = operation.deprecated ? ' :badge[Deprecated]{warning}' : ''
      return `- :badge[${operation.method.toUpperCase()}] [${inline(titleOf(operation))}](${up}${name}.md)${deprecated}`
    })
    .join('\n')
}

/** Links that other tools write, such as `#operation/listPets`, `#tag/Pets` and `#/paths/~1pets/get`. */
function pageFinder({ operations, tags }: Api, names: PageNames, up: string): FindPage {
  const byTarget = new Map<string, string>([
    ...tags.map(
      ({ name }) =>
        [`#tag/${name.replace(/\s+/g, '-')}`.toLowerCase(), `${up}${names.tags.get(name)}/index.md`] as const,
    ),
    ...operations.flatMap((operation) => {
      const page = `${up}${names.operations.get(operation)}.md`
      return operation.id === null
        ? []
        : [
            [`#operation/${operation.id}`.toLowerCase(), page] as const,
            [`#operations-${operation.tag}-${operation.id}`.toLowerCase(), page] as const,
            [`#${operation.id}`.toLowerCase(), page] as const,
          ]
    }),
  ])
  return (target) =>
    byTarget.get(target.replace(/^#tag\/[^/]+\/operation\//, '#operation/').toLowerCase()) ?? null
}
