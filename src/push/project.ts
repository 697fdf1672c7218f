import type { Client } from '../client/client.ts'
import { SITE_FILE } from '../content-folder/file-kind.ts'
import type { Site } from '../content-folder/site.ts'
import { ServiceError } from '../domain/errors.ts'
import { publicPath, readSubroute } from '../domain/route.ts'
import { readSlug } from '../domain/slug.ts'

/** The project that a command writes to. */
export interface TargetProject {
  readonly id: string
  /** The command created it, or would in a dry run. */
  readonly isNew: boolean
}

/** The id of a project that a dry run would create. It has no pages and default settings, and no request names it. */
export const NOT_CREATED = ''

/** The id of the caller's first project of this name. Creates it when there is none. */
export async function findOrCreateProject(api: Client, name: string): Promise<string> {
  const [first] = await projectsNamed(api, name)
  return first ?? createProject(api, name)
}

/** Creates a project whose addresses allow the characters of file names. */
export async function createProject(api: Client, name: string): Promise<string> {
  const { id } = await api.projects.create({ name, hosting: { slugs: 'wide' } })
  return id
}

interface NamedProject {
  readonly id: string
  readonly name: string
}

/**
 * The project of a content folder: the project that it was pushed to, else the one with its name and without pushes.
 * Null if there is none.
 *
 * @throws {ServiceError} `validation_error` when several could be meant.
 */
export async function projectOfFolder(
  api: Client,
  { folder, name }: { readonly folder: string; readonly name: string },
): Promise<NamedProject | null> {
  const pushed = await projects(api, { folder })
  if (pushed.length > 0) return only(name, pushed)
  const free: NamedProject[] = []
  for (const project of await projects(api, {}))
    if (project.name === name && (await isUnpushed(api, project.id))) free.push(project)
  return free.length === 0 ? null : only(name, free)
}

/** @throws {ServiceError} `validation_error` when there are several. */
function only(name: string, candidates: readonly NamedProject[]): NamedProject {
  const [first, ...others] = candidates
  if (first !== undefined && others.length === 0) return first
  const ids = candidates.map(({ id }) => id)
  throw new ServiceError(
    'validation_error',
    `${ids.length} projects may be meant by the folder ${JSON.stringify(name)}: ${ids.slice(0, NAMED_PROJECTS).join(', ')}${ids.length > NAMED_PROJECTS ? ', …' : ''}. Name one with --project.`,
  )
}

/** Projects named in an error. */
const NAMED_PROJECTS = 5

async function isUnpushed(api: Client, project: string): Promise<boolean> {
  const first = await api.projects.pushes(project, { limit: 1 }).next()
  return first.done === true
}

/** The project with a name; null if there is none. @throws {ServiceError} `validation_error` when there are several. */
export async function projectNamed(api: Client, name: string): Promise<string | null> {
  const named = (await projects(api, {})).filter((project) => project.name === name)
  return named.length === 0 ? null : only(name, named).id
}

async function projectsNamed(api: Client, name: string): Promise<readonly string[]> {
  return (await projects(api, {})).flatMap((project) => (project.name === name ? [project.id] : []))
}

async function projects(api: Client, filter: { readonly folder?: string }): Promise<readonly NamedProject[]> {
  // A project that is changed meanwhile is listed again.
  const found = new Map<string, NamedProject>()
  for await (const { id, name } of api.projects.list({ ...filter, limit: 100 })) found.set(id, { id, name })
  return [...found.values()]
}

/** The name of a project and the address of its site. */
export async function describeProject(
  api: Client,
  id: string,
): Promise<{ readonly name: string; readonly url: string | null }> {
  const { headers, body } = await api.send('GET /projects/{id}', { path: { id } })
  const [, url = null] = /^<([^>]+)>; rel="alternate"/.exec(headers.get('link') ?? '') ?? []
  return { name: body.data.name, url }
}

/** Addresses named in an error. */
const NAMED_ADDRESSES = 5

/**
 * Checks that the project allows the addresses of the site, before anything is sent. A project that others created
 * may have standard addresses, and a content folder has wide ones.
 *
 * @throws {ServiceError} `validation_error` naming files and the remedy.
 */
export async function assertAddressesAllowed(api: Client, project: string, site: Site): Promise<void> {
  const wide = wideAddresses(site)
  if (wide.length === 0 || project === NOT_CREATED) return
  const { hosting } = await api.projects.get(project)
  if (hosting.slugs === 'wide') return
  const more = wide.length - NAMED_ADDRESSES
  throw new ServiceError(
    'validation_error',
    `The addresses of project ${project} hold only ASCII letters, digits and hyphens, and these hold others: ${wide.slice(0, NAMED_ADDRESSES).join(', ')}${more > 0 ? ` and ${more} more` : ''}. Allow them with PUT /projects/${project} and the body {"hosting":{"slugs":"wide"}}, or give the files other names. Nothing was pushed.`,
  )
}

function wideAddresses({ pages, settings }: Site): readonly string[] {
  const routes = settings.siteRoutes ?? {}
  return [
    ...Object.entries(routes)
      .filter((route) => route.some((path) => readSubroute(path, 'standard') === null))
      .map(([subroute]) => `site_routes.${subroute} in ${SITE_FILE}`),
    ...pages
      .filter(
        ({ slug, subroute }) =>
          readSlug(slug, 'standard') === null || readSubroute(subroute, 'standard') === null,
      )
      .map((page) => `${publicPath(page, routes)} of ${page.source}`),
  ]
}
