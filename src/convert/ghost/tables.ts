import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts'
import { jsonItems } from '../exports/read-json.ts'

/** Tables of an export that stay in memory: all but the texts of posts. */
export interface GhostTables {
  /** Posts and pages without their texts. */
  readonly posts: readonly JsonObject[]
  readonly meta: ReadonlyMap<string, JsonObject>
  readonly tags: ReadonlyMap<string, JsonObject>
  readonly users: ReadonlyMap<string, JsonObject>
  /** Ids of tags and of authors of each post, in their order. */
  readonly tagsOf: ReadonlyMap<string, readonly string[]>
  readonly authorsOf: ReadonlyMap<string, readonly string[]>
  readonly settings: ReadonlyMap<string, JsonValue>
  /** Rows of other tables that hold content, by the table. */
  readonly others: ReadonlyMap<string, number>
}

const LISTS = [
  'posts',
  'posts_meta',
  'tags',
  'users',
  'posts_tags',
  'posts_authors',
  'settings',
  'members',
  'newsletters',
  'comments',
  'products',
  'snippets',
]
/** Texts of posts, which are read again one at a time. */
const TEXTS = ['html', 'plaintext', 'mobiledoc', 'lexical', 'markdown', 'amp']

export function pathsOf(list: string): readonly string[] {
  return [`$.db.*.data.${list}.*`, `$.data.${list}.*`]
}

/** Reads an export once. */
export function readGhostTables(file: string): GhostTables {
  const posts: JsonObject[] = []
  const [meta, tags, users] = [
    new Map<string, JsonObject>(),
    new Map<string, JsonObject>(),
    new Map<string, JsonObject>(),
  ]
  const relations: { list: string; row: JsonObject }[] = []
  const settings = new Map<string, JsonValue>()
  const others = new Map<string, number>()
  for (const { list, value } of jsonItems(file, LISTS.flatMap(pathsOf))) {
    if (!isJsonObject(value)) continue
    const id = String(value['id'] ?? '')
    if (list === 'posts') posts.push(withoutTexts(value))
    else if (list === 'posts_meta') meta.set(String(value['post_id'] ?? ''), value)
    else if (list === 'tags') tags.set(id, value)
    else if (list === 'users') users.set(id, value)
    else if (list === 'settings') settings.set(String(value['key'] ?? ''), value['value'] ?? null)
    else if (list === 'posts_tags' || list === 'posts_authors') relations.push({ list, row: value })
    else others.set(list, (others.get(list) ?? 0) + 1)
  }
  const sorted = relations.toSorted(
    (one, other) => Number(one.row['sort_order'] ?? 0) - Number(other.row['sort_order'] ?? 0),
  )
  return {
    posts,
    meta,
    tags,
    users,
    tagsOf: related(sorted, 'posts_tags', 'tag_id'),
    authorsOf: related(sorted, 'posts_authors', 'author_id'),
    settings,
    others,
  }
}

function withoutTexts(post: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(post).filter(([name]) => !TEXTS.includes(name)))
}

function related(
  rows: readonly { readonly list: string; readonly row: JsonObject }[],
  list: string,
  field: string,
): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>()
  for (const { list: own, row } of rows) {
    if (own !== list) continue
    const post = String(row['post_id'] ?? '')
    const ids = found.get(post)
    if (ids === undefined) found.set(post, [String(row[field] ?? '')])
    else ids.push(String(row[field] ?? ''))
  }
  return found
}
