import { type Author, type Content, type Json, tagAddress } from './world.ts'

/* Tags, and the fields that only an article or a docs page has, as they hold. */

export interface Fields {
  /** The first spelling of each. */
  readonly tags: readonly string[]
  readonly publish_date: string | null
  readonly author: Author | null
  readonly nav_order: number
  readonly parent: number | null
}

/** Every Markdown text the model writes, with what its front matter says. */
export const MARKDOWN: ReadonlyMap<string, Json> = new Map([
  ['', {}],
  ['Hello.', {}],
  ['Some *other* words.\n\n## And a heading\n', {}],
  [
    '---\nnav_order: 7\nauthor: Fronta\npublish_date: 2026-03-04\ntags: [Trams, trains]\n---\nBelow front matter.\n',
    { nav_order: 7, author: 'Fronta', publish_date: '2026-03-04', tags: ['Trams', 'trains'] },
  ],
])

/** Values from the page, then from `config`, then from front matter, then the defaults. */
export function fieldsOf(content: Content, firstPublishedAt: string | null): Fields {
  const { type, own, config, markdown_content: markdown } = content
  const isProse = type === 'article' || type === 'docs'
  const written = (name: string): unknown =>
    config[name] ?? (isProse ? MARKDOWN.get(markdown)?.[name] : undefined)
  const tags = distinct(own.tags ?? (written('tags') as readonly string[] | undefined) ?? [])
  const none: Fields = { tags, publish_date: null, author: null, nav_order: 0, parent: null }
  if (type === 'article') {
    return {
      ...none,
      publish_date: own.publish_date ?? moment(written('publish_date')) ?? firstPublishedAt,
      author: own.author ?? authorOf(written('author')),
    }
  }
  if (type !== 'docs') return none
  const order = written('nav_order')
  return {
    ...none,
    nav_order: own.nav_order ?? (typeof order === 'number' ? order : 0),
    parent: own.parent ?? null,
  }
}

/** Names with one address are one tag. */
function distinct(names: readonly string[]): readonly string[] {
  const first = (name: string) => names.findIndex((other) => tagAddress(other) === tagAddress(name))
  return names.filter((name, place) => first(name) === place)
}

/** A date as it is shown: a bare one is midnight UTC. */
export function moment(date: unknown): string | null {
  return typeof date === 'string' ? new Date(date).toISOString() : null
}

function authorOf(written: unknown): Author | null {
  if (typeof written === 'string') return { name: written, avatar: null }
  return typeof written === 'object' && written !== null ? (written as Author) : null
}
