import type { Client } from '../client/client.ts'
import { SITE_FILE } from '../content-folder/file-kind.ts'
import type { Site } from '../content-folder/site.ts'
import { ServiceError } from '../domain/errors.ts'
import { publicPath, readSubroute } from '../domain/route.ts'
import { readSlug } from '../domain/slug.ts'

/** The project that a command writes to. */
export interface TargetProject {
  readonly id: string
  /** Whether the command created it, or would in a dry run. */
  readonly isNew: boolean
}

/** The id of a project that a dry run would create. It has no pages and default settings, and no request names it. */
export const NOT_CREATED = ''

/** The id of the caller's first project of this name. Creates it when there is none. */
export async function findOrCreateProject(api: Client, name: string): Promise<string> {
  const [first] = await projectsNamed(api, name)
  return first ?? createProject(api, name)
}

/** Creates a project whose addresses may hold what the names of files hold. */
export async function createProject(api: Client, name: string): Promise<string> {
  const { id } = await api.projects.create({ name, hosting: { slugs: 'wide' } })
  return id
}

/**
 * The project that a folder belongs to: of those with its name the one that it was pushed to before, and of none the one
 * that it was pushed to under another name. Null if there is none.
 *
 * @param pushed ids of the projects that the folder was pushed to.
 * @throws {ServiceError} `validation_error` when several could be meant.
 */
export async function projectOfFolder(
  api: Client,
  name: string,
  pushed: readonly string[],
): Promise<string | null> {
  const all = await projectNames(api)
  const named = [...all.keys()].filter((id) => all.get(id) === name)
  const known = pushed.filter((id) => all.has(id))
  const both = known.filter((id) => named.includes(id))
  const candidates = [both, named, known].find((ids) => ids.length > 0) ?? []
  if (candidates.length <= 1) return candidates[0] ?? null
  throw new ServiceError(
    'validation_error',
    `${candidates.length} projects may be meant by the folder ${JSON.stringify(name)}: ${candidates.slice(0, NAMED_PROJECTS).join(', ')}${candidates.length > NAMED_PROJECTS ? ', …' : ''}. Name one with --project.`,
  )
}

/** Projects that a refusal names. */
const NAMED_PROJECTS = 5

async function projectsNamed(api: Client, name: string): Promise<readonly string[]> {
  return [...(await projectNames(api))].flatMap(([id, found]) => (found === name ? [id] : []))
}

/** Names of the caller's projects by id. */
async function projectNames(api: Client): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>()
  for await (const { id, name } of api.projects.list()) names.set(id, name)
  return names
}

/** Addresses that a refusal names. */
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
