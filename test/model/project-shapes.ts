import { expect } from 'vitest'
import { embedded } from './settings-shapes.ts'
import { type Project, pagesOf, projectAt, type World } from './world.ts'

/* A project as each surface shows it. */

/** As a list of the current surface shows it. */
export function projectItem(world: World, index: number): object {
  const { id, name, slug, hosting, status, createdAt, updatedAt } = projectAt(world, index)
  return {
    id: `proj_${id}`,
    name,
    slug,
    domain: hosting.custom_domain,
    status,
    hosting_mode: hosting.mode,
    page_count: pagesOf(world, index).length,
    created_at: createdAt,
    updated_at: updatedAt,
  }
}

/** As get, create and update show it. */
export function shownProject(world: World, index: number): object {
  const project = projectAt(world, index)
  const isNamed = project.hosting.custom_domain !== null
  const hosting = {
    ...project.hosting,
    domain_status: isNamed ? 'active' : 'none',
    domain_challenge: isNamed ? expect.any(Object) : null,
  }
  return { ...projectItem(world, index), hosting, settings: embedded(project) }
}

export function stats(world: World, index: number): object {
  const pages = pagesOf(world, index)
  const count = (fits: (page: (typeof pages)[number]) => boolean) => pages.filter(fits).length
  const byType = ['page', 'article', 'docs', 'item'].map((type) => [
    type,
    count((page) => page.content.type === type),
  ])
  return {
    pages: {
      total: pages.length,
      draft: count(({ status }) => status === 'draft'),
      published: count(({ status }) => status === 'published'),
      archived: count(({ status }) => status === 'archived'),
    },
    by_type: Object.fromEntries(byType),
    word_count: expect.any(Number),
    last_published_at:
      pages
        .map(({ publishedAt }) => publishedAt ?? '')
        .sort()
        .at(-1) || null,
  }
}

export function legacyItem({ id, name, createdAt, updatedAt }: Project): object {
  return { id, name, created_at: createdAt, updated_at: updatedAt }
}

export function legacyProject(project: Project): object {
  const settings = { ...project.legacySettings, custom_domain: project.hosting.custom_domain }
  return { ...legacyItem(project), context: project.context, settings }
}
