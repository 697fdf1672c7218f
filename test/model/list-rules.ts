import { fieldsOf } from './fields.ts'
import type { Asked } from './page-rules.ts'
import { legacyItem, listItem } from './page-shapes.ts'
import { legacyItem as legacyProjectItem, projectItem } from './project-shapes.ts'
import {
  KEYS,
  type Outcome,
  permissionFault,
  projectFault,
  projectRef,
  refused,
  roleIn,
  type Step,
} from './step.ts'
import {
  compare,
  type Page,
  type PageStatus,
  type PageType,
  pagesOf,
  projectAt,
  tagAddress,
  type World,
} from './world.ts'

export interface ListPages extends Asked {
  readonly project: number
  readonly query: {
    readonly type?: PageType | 'all'
    readonly status?: PageStatus | 'all'
    readonly subroute?: string
    /** Exact, or a pattern with `*`. */
    readonly slug?: string
    /** In any spelling. */
    readonly tag?: string
    readonly sort?: 'created_at' | 'updated_at' | 'page_name' | 'slug'
    readonly order?: 'asc' | 'desc'
    readonly limit?: number
    readonly offset?: number
    readonly include_content?: boolean
  }
  /** Only pages made after this one was. */
  readonly createdAfter: number | null
}

type Placed = Page & { readonly index: number }

export function listPages(
  world: World,
  { key, surface, project, isPrefixed, query, createdAfter }: ListPages,
): Step {
  const bound = createdAfter === null ? undefined : world.pages[createdAfter]?.createdAt
  const isCurrent = surface === 'current'
  const { limit, offset } = query
  const given = isCurrent ? { ...query, created_after: bound } : { limit, offset }
  const isWrong =
    (limit !== undefined && (limit < 1 || limit > 100)) ||
    (offset !== undefined && offset < 0) ||
    (isCurrent && query.tag !== undefined && tagAddress(query.tag) === '')
  return {
    method: 'GET',
    path: `${isCurrent ? '' : '/v1'}/pages${queryString({ project_id: projectRef(world, project, isPrefixed), ...given })}`,
    key,
    outcome:
      (isWrong ? refused('invalid_request') : null) ??
      projectFault(world, key, project, ['read']) ??
      listed(),
  }

  function listed(): Outcome {
    const matching = pagesOf(world, project).filter((page) => !isCurrent || matches(page, query, bound))
    const sorted = ordered(matching, isCurrent ? query : {}, isCurrent ? 'updated_at' : 'created_at')
    const items = (isCurrent ? listItem : legacyItem) satisfies (world: World, index: number) => object
    const shown = (page: Placed) => ({
      ...items(world, page.index),
      ...(isCurrent && query.include_content && { config: page.content.config }),
    })
    return {
      status: 200,
      next: () => world,
      body: () => listBody(isCurrent, sorted.map(shown), query),
    }
  }
}

export interface ListProjects extends Omit<Asked, 'isPrefixed'> {
  readonly query: {
    readonly status?: 'active' | 'archived' | 'all'
    readonly sort?: 'created_at' | 'updated_at' | 'name'
    readonly order?: 'asc' | 'desc'
    readonly limit?: number
    readonly offset?: number
  }
}

export function listProjects(world: World, { key, surface, query }: ListProjects): Step {
  const isCurrent = surface === 'current'
  const { limit, offset } = query
  const { scope, may } = KEYS[key]
  const mine = world.projects
    .map((project, index) => ({ ...project, index }))
    .filter(
      ({ status, index }) =>
        roleIn(key, index) !== 'none' && status !== 'deleted' && (scope ?? index) === index,
    )
    .filter(({ status }) => !isCurrent || (query.status ?? 'all') === 'all' || status === query.status)
  const sort = (isCurrent ? query.sort : undefined) ?? 'created_at'
  const value = { created_at: 'createdAt', updated_at: 'updatedAt', name: 'name' } as const
  const sorted = directed(
    [...mine].sort((a, b) => compare(a[value[sort]], b[value[sort]]) || compare(a.id, b.id)),
    isCurrent ? query.order : 'desc',
  )
  const shown = sorted.map(({ index }) =>
    isCurrent ? projectItem(world, index) : legacyProjectItem(projectAt(world, index)),
  )
  return {
    method: 'GET',
    path: `${isCurrent ? '' : '/v1'}/projects${queryString(isCurrent ? query : { limit, offset })}`,
    key,
    outcome: permissionFault(may, ['read']) ?? {
      status: 200,
      next: () => world,
      body: () => listBody(isCurrent, shown, query),
    },
  }
}

/** The part of a list that was asked for, and what the envelope says of the whole. */
function listBody(
  isCurrent: boolean,
  all: readonly object[],
  { limit = isCurrent ? 25 : 20, offset = 0 },
): object {
  const data = all.slice(offset, offset + limit)
  const told = { total: all.length, has_more: offset + data.length < all.length }
  return isCurrent ? { data, meta: { ...told, limit, offset } } : { success: true, data, ...told }
}

function matches(page: Placed, query: ListPages['query'], createdAfter: string | undefined): boolean {
  const { type = 'all', status = 'all', subroute, slug, tag } = query
  const hasTag = (name: string) =>
    fieldsOf(page.content, null).tags.some((own) => tagAddress(own) === tagAddress(name))
  return (
    (type === 'all' || page.content.type === type) &&
    (status === 'all' || page.status === status) &&
    (subroute === undefined || page.content.subroute === subroute) &&
    (slug === undefined || fits(page.content.slug, slug)) &&
    (tag === undefined || hasTag(tag)) &&
    (createdAfter === undefined || page.createdAt > createdAfter)
  )
}

/** `*` stands for any run of characters, all else for itself. */
function fits(slug: string, pattern: string): boolean {
  const [head = '', ...rest] = pattern.split('*')
  if (rest.length === 0) return slug === pattern
  if (!slug.startsWith(head)) return false
  let at = head.length
  for (const part of rest.slice(0, -1)) {
    const found = slug.indexOf(part, at)
    if (found === -1) return false
    at = found + part.length
  }
  const tail = rest.at(-1) ?? ''
  return slug.length - tail.length >= at && slug.endsWith(tail)
}

function ordered(
  pages: readonly Placed[],
  { sort, order }: ListPages['query'],
  usual: 'updated_at' | 'created_at',
) {
  const value = (page: Placed): string =>
    ({
      created_at: page.createdAt,
      updated_at: page.updatedAt,
      page_name: page.content.title,
      slug: page.content.slug,
    })[sort ?? usual]
  return directed(
    [...pages].sort((a, b) => compare(value(a), value(b)) || compare(a.id, b.id)),
    order,
  )
}

/** Ties are broken by id in the direction of the list, so that nothing depends on how it was read. */
function directed<Item>(ascending: readonly Item[], order: 'asc' | 'desc' = 'desc'): readonly Item[] {
  return order === 'asc' ? ascending : [...ascending].reverse()
}

function queryString(query: object): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined)
  return given.length === 0
    ? ''
    : `?${new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)]))}`
}
