import { blogFolder, neighboursOf } from './blog.ts'
import { fieldsOf } from './fields.ts'
import { navAround } from './nav.ts'
import {
  type Basis,
  type Content,
  compare,
  type Live,
  type Page,
  type Project,
  pageAt,
  pagesOf,
  projectAt,
  type World,
} from './world.ts'

/* Paths of pages, and their staleness. */

/** The path visitors use: the subroute, mapped where the settings map it, then the slug. */
export function pathOf({ subroute, slug }: Content, { settings }: Project): string {
  const mapped = settings.site_routes[subroute] ?? subroute
  const parts = [...mapped.split('/'), slug === 'index' ? '' : slug].filter((part) => part !== '')
  return `/${parts.join('/')}`
}

/** The absolute URL of a site's root, without a slash at its end. */
export function originOf({ id, hosting }: Project, { url }: World): string {
  const base = hosting.mode === 'rewrite' && hosting.base_path !== '/' ? hosting.base_path : ''
  if (hosting.custom_domain !== null) return `https://${hosting.custom_domain}${base}`
  if (hosting.subdomain !== null) return `https://${hosting.subdomain}.sites.quoin.test`
  return `${url}/public/proj_${id}`
}

/** Another page of the project that is live at this path, or undefined. */
export function inTheWay(world: World, page: number, path: string): Page | undefined {
  const { project } = pageAt(world, page)
  return pagesOf(world, project).find(({ index, live }) => index !== page && live?.path === path)
}

/** A page as it would go live now; what it shows of others is known once it is there. */
export function liveNow(world: World, index: number): Omit<Live, 'releaseId'> {
  const { content, project: at } = pageAt(world, index)
  const project = projectAt(world, at)
  const theme = ownThemeOf(content) ?? project.settings.theme
  const basis = { ...basisNow(world, index), theme, nav: null, collection: null }
  return { path: pathOf(content, project), folder: blogFolder(content, project), content, basis }
}

/** The navigation around a live page, and the articles that it leads to. */
export function othersOnceLive(world: World, index: number): Pick<Basis, 'nav' | 'collection'> {
  const { live, project } = pageAt(world, index)
  return {
    nav: live?.content.type === 'docs' ? navAround(world, project, index) : null,
    collection: neighboursOf(world, project, index),
  }
}

/** Why publishing a page again would change it; none for a page that is not live. */
export function staleReasons(world: World, index: number): readonly string[] {
  const { live } = pageAt(world, index)
  if (live === null) return []
  const now = basisNow(world, index)
  return (['content', 'settings', 'theme', 'nav', 'collection', 'hosting'] as const).filter(
    (reason) => live.basis[reason] !== now[reason],
  )
}

function basisNow(world: World, index: number): Basis {
  const page = pageAt(world, index)
  const { content } = page
  const project = projectAt(world, page.project)
  const { theme, docs_nav: _, ...shared } = project.settings
  // The theme that a live page has of its own is the one it went live with.
  const ownTheme = ownThemeOf(page.live?.content ?? content)
  return {
    content: canonical([{ ...content, own: null }, fieldsOf(content, null)]),
    settings: canonical([project.name, shared]),
    theme: ownTheme ?? theme,
    nav: page.live?.content.type === 'docs' ? navAround(world, page.project, index) : null,
    collection: content.type === 'article' ? neighboursOf(world, page.project, index) : null,
    hosting: canonical([originOf(project, world), project.hosting.mode]),
  }
}

function ownThemeOf({ type, config }: Content): string | null {
  return type === 'page' && typeof config['theme'] === 'string' ? config['theme'] : null
}

/** Text that is equal for equal values, in whatever order their keys were added. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => compare(a, b)))
      : inner,
  )
}
