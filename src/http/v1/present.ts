import type { Job } from '../../domain/job.ts'
import type { Page, PageSummary, PageType } from '../../domain/page.ts'
import type { Project } from '../../domain/project.ts'
import type { ProjectWithSettings } from '../../services/projects/projects.ts'
import type { Published } from '../../services/publishing/publishing.ts'
import { plainFooterLinks, plainNavLinks } from './plain-links.ts'

/* The only file that names the response fields of the legacy surface. Ids are bare. */

export function presentProjectItem({ id, name, createdAt, updatedAt }: Project) {
  return { id, name, created_at: createdAt, updated_at: updatedAt }
}

export function presentProject(project: Project) {
  const { created_at, updated_at, ...named } = presentProjectItem(project)
  return {
    ...named,
    context: project.context,
    settings: { ...project.legacySettings, custom_domain: project.hosting.customDomain },
    created_at,
    updated_at,
  }
}

export function presentSettings({ project, settings: { settings } }: ProjectWithSettings) {
  return {
    docs_nav: settings.docsNav,
    shared_header: { logo: settings.logoUrl, links: plainNavLinks(settings.navLinks) },
    shared_footer: {
      links: plainFooterLinks(settings.sharedFooter.links),
      copyright: settings.sharedFooter.copyright,
    },
    branding: { ...settings.branding, theme: settings.theme },
    site_routes: settings.siteRoutes,
    // The key is shown only in the answer that creates it.
    data_mode: { enabled: project.hosting.mode === 'data_mode', content_key: null },
  }
}

/** Type names of the legacy surface, which has none for `item`. */
const TYPES: Readonly<Record<PageType, string>> = {
  page: 'page',
  article: 'post',
  docs: 'doc',
  item: 'page',
}

export function presentPageItem(page: PageSummary) {
  return presentPageWith(page, {})
}

export function presentPage(page: Page) {
  return presentPageWith(page, { markdown_content: page.markdown, config: page.config })
}

function presentPageWith<Content extends object>(page: Omit<PageSummary, 'sectionsCount'>, content: Content) {
  return {
    id: page.id,
    project_id: page.projectId,
    page_name: page.title,
    slug: page.slug,
    subroute: page.subroute,
    type: TYPES[page.type],
    ...content,
    is_published: page.status === 'published',
    created_at: page.createdAt,
    updated_at: page.updatedAt,
  }
}

export function presentPublished({ page, outcome }: Published) {
  return { page_id: page.id, status: 'published', published_at: outcome.publishedAt }
}

/** @param job follows a release that continues for longer than its request may wait; its subject is the page. */
export function presentPending({ id, subject }: Job) {
  return { page_id: subject, status: 'pending', job_id: id }
}

export function presentUnpublished({ id }: Page) {
  return { page_id: id, status: 'unpublished' }
}
