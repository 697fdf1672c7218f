import { type Fields, fieldsOf } from './fields.ts'
import { originOf, pathOf, staleReasons } from './site.ts'
import { type Content, type Page, pageAt, projectAt, type World } from './world.ts'

/* A page as each surface shows it. */

/** An item has no name on the legacy surface. */
export const LEGACY_TYPES = { page: 'page', article: 'post', docs: 'doc', item: 'page' } as const

/** As a list of the current surface shows it. */
export function listItem(world: World, index: number): object {
  const page = pageAt(world, index)
  const { content } = page
  return {
    id: `page_${page.id}`,
    page_name: content.title,
    slug: content.slug,
    subroute: content.subroute,
    type: content.type,
    status: page.status,
    url: pathOf(content, projectAt(world, page.project)),
    meta: {
      title: content.meta['title'] ?? null,
      description: content.meta['description'] ?? null,
      image: content.og_image_url,
    },
    tags: fieldsOf(content, null).tags,
    sections_count: sectionsCount(content),
    ...distance(world, index),
    created_at: page.createdAt,
    updated_at: page.updatedAt,
  }
}

/** As get shows it, and as update does under the name `title`. */
export function shown(
  world: World,
  index: number,
  { title = 'page_name', sections = true, markdown = true } = {},
): object {
  const page = pageAt(world, index)
  const { content } = page
  const { sections: _, ...otherConfig } = content.config
  return {
    id: `page_${page.id}`,
    project_id: `proj_${projectAt(world, page.project).id}`,
    [title]: content.title,
    slug: content.slug,
    subroute: content.subroute,
    type: content.type,
    status: page.status,
    url: pathOf(content, projectAt(world, page.project)),
    description: content.description,
    og_image_url: content.og_image_url,
    meta: { title: null, description: null, keywords: null, robots: null, ...content.meta },
    config: sections ? content.config : otherConfig,
    ...(markdown && { markdown_content: shownMarkdown(content) }),
    sections_count: sectionsCount(content),
    published_at: page.publishedAt,
    ...distance(world, index),
    ...shownFields(world, index),
    created_at: page.createdAt,
    updated_at: page.updatedAt,
  }
}

/** As the answer of a create shows it. */
export function created(world: World, index: number): object {
  const page = pageAt(world, index)
  const { content } = page
  const project = projectAt(world, page.project)
  return {
    id: `page_${page.id}`,
    title: content.title,
    slug: content.slug,
    subroute: content.subroute,
    type: content.type,
    status: page.status,
    url: originOf(project, world) + pathOf(content, project),
    project_id: `proj_${project.id}`,
    created_at: page.createdAt,
    updated_at: page.updatedAt,
    published_at: page.publishedAt,
  }
}

export function legacy(world: World, index: number): object {
  const { config, markdown_content } = pageAt(world, index).content
  return { ...legacyItem(world, index), config, markdown_content }
}

export function legacyItem(world: World, index: number): object {
  const { content, ...page } = pageAt(world, index)
  return {
    id: page.id,
    project_id: projectAt(world, page.project).id,
    page_name: content.title,
    slug: content.slug,
    subroute: content.subroute,
    type: LEGACY_TYPES[content.type],
    is_published: page.status === 'published',
    created_at: page.createdAt,
    updated_at: page.updatedAt,
  }
}

/** Tags, and the fields of the page's type as a reader sees them, under their wire names. */
export function shownFields(world: World, index: number): Record<string, unknown> {
  const { content, firstPublishedAt } = pageAt(world, index)
  const { tags, publish_date, author, nav_order }: Fields = fieldsOf(content, firstPublishedAt)
  if (content.type === 'article') return { tags, publish_date, author }
  if (content.type !== 'docs') return { tags }
  const parent = parentOf(world, index)
  return { tags, nav_order, parent_page: parent === null ? null : `page_${pageAt(world, parent).id}` }
}

/** The parent docs page in the same project; null when the parent is a descendant of the page. */
export function parentOf(world: World, index: number, content = pageAt(world, index).content): number | null {
  const { parent } = fieldsOf(content, null)
  return parent !== null && isAbove(world, parent, index) ? parent : null
}

/** Whether a page can stand above another. */
export function isAbove(world: World, parent: number, index: number): boolean {
  const project = world.pages[index]?.project
  const docsPage = (at: number | null): Page | undefined => {
    const page = at === null ? undefined : world.pages[at]
    const fits = page?.content.type === 'docs' && !page.isDeleted
    return fits && (project === undefined || page.project === project) ? page : undefined
  }
  if (docsPage(parent) === undefined) return false
  const seen = new Set<number>()
  for (let next: number | null = parent; next !== null && !seen.has(next); ) {
    if (next === index) return false
    seen.add(next)
    const page = docsPage(next)
    next = page === undefined ? null : fieldsOf(page.content, null).parent
  }
  return true
}

function distance(world: World, index: number): object {
  const { live, project, content } = pageAt(world, index)
  const stale = staleReasons(world, index)
  const has_unpublished_changes = live === null || stale.includes('content')
  // The model does not predict positions in a hand-written navigation.
  const isForetold = !(
    projectAt(world, project).hasDocsNav && (live?.content.type ?? content.type) === 'docs'
  )
  return { has_unpublished_changes, ...(isForetold && { stale }) }
}

function shownMarkdown({ type, markdown_content: markdown }: Content): string | null {
  return (type === 'page' || type === 'item') && markdown === '' ? null : markdown
}

function sectionsCount({ type, config }: Content): number {
  const { sections } = config
  return type === 'page' && Array.isArray(sections) ? sections.length : 0
}
