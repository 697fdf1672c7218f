import { bareId, enveloped } from './envelopes.ts'
import { type Asked, counts, type Fault } from './page-rules.ts'
import { legacyItem, legacyProject, shownProject, stats } from './project-shapes.ts'
import { embedded, settingsChanges } from './settings-shapes.ts'
import {
  KEYS,
  type KeyName,
  laterThan,
  type Match,
  matchFault,
  type Outcome,
  permissionFault,
  projectFault,
  projectRef,
  refused,
  rightsFault,
  type Step,
  stateFault,
  type Tagged,
} from './step.ts'
import {
  type Hosting,
  type Json,
  NEW_SETTINGS,
  type Project,
  pagesOf,
  projectAt,
  type World,
  withProject,
} from './world.ts'

export interface CreateProject extends Omit<Asked, 'isPrefixed'> {
  readonly name: string
}

/** The names projects are given, and the slugs they get. */
export const NAMES: ReadonlyMap<string, string> = new Map([
  ['Site', 'site'],
  ['Söhne & Co.', 'sohne-co'],
  ['Site 2', 'site-2'],
])

export function createProject(world: World, { key, surface, name }: CreateProject): Step {
  const { scope, role, may } = KEYS[key]
  const index = world.projects.length
  const isAllowed = permissionFault(may, ['write']) === null && scope === null && role === 'owner'
  return {
    method: 'POST',
    path: surface === 'current' ? '/projects' : '/v1/projects',
    key,
    body: { name },
    outcome: !isAllowed
      ? refused('forbidden')
      : (nameFault(name) ?? {
          status: 201,
          next: ({ id, created_at, updated_at }) => ({
            ...world,
            projects: [...world.projects, newProject(world, bareId(id), name, created_at, updated_at)],
          }),
          body: (after) =>
            surface === 'current'
              ? { data: shownProject(after, index) }
              : enveloped(legacyItem(projectAt(after, index))),
          tagged: (after) => projectTag(after, index),
        }),
  }
}

function newProject(world: World, id: string, name: string, createdAt: string, updatedAt: string): Project {
  return {
    id,
    name,
    slug: freeSlug(world, NAMES.get(name) ?? ''),
    status: 'active',
    hosting: NEW_HOSTING,
    context: '',
    legacySettings: {},
    settings: NEW_SETTINGS,
    version: 1,
    settingsVersion: 1,
    createdAt,
    updatedAt,
    settingsUpdatedAt: null,
    hasIndex: false,
    hasDocsNav: false,
  }
}

const NEW_HOSTING: Hosting = {
  mode: 'full_host',
  subdomain: null,
  custom_domain: null,
  ssl_enabled: false,
  cdn_enabled: true,
  base_path: '/',
  manifest: 'full',
  slugs: 'standard',
}

/** A slug stays with its project on a rename, and is free again once the project is deleted. */
function freeSlug({ projects }: World, slug: string): string {
  const taken = projects.filter(({ status }) => status !== 'deleted').map((project) => project.slug)
  for (let n = 1; ; n++) {
    const free = n === 1 ? slug : `${slug}-${n}`
    if (!taken.includes(free)) return free
  }
}

export interface UpdateProject extends Asked {
  readonly project: number
  readonly body: {
    readonly name?: string
    readonly status?: string
    readonly domain?: string | null
    readonly hosting?: Partial<Hosting>
    readonly settings?: Json
    readonly context?: string
  }
  readonly fault: Fault | null
  readonly match: Match
}

export function updateProject(world: World, asked: UpdateProject): Step {
  const { key, surface, project, isPrefixed, body, fault, match } = asked
  const denied = projectFault(world, key, project, ['settings'])
  return {
    method: 'PUT',
    path: `${surface === 'current' ? '' : '/v1'}/projects/${projectRef(world, project, isPrefixed)}`,
    key,
    body: { ...body, ...fault?.body },
    ...(denied === null && { match: { ...projectTag(world, project), which: match } }),
    outcome: denied ?? updated(world, asked),
  }
}

function updated(world: World, { key, surface, project: index, body, fault, match }: UpdateProject): Outcome {
  const project = projectAt(world, index)
  const changes = surface === 'current' ? changesOf(project, body) : legacyChangesOf(project, body)
  const { custom_domain: domain, subdomain } = changes.hosting ?? project.hosting
  const others = world.projects.filter((other, at) => at !== index && other.status !== 'deleted')
  const isTaken = others.some(
    ({ hosting }) =>
      (domain !== null && hosting.custom_domain === domain) ||
      (subdomain !== null && hosting.subdomain === subdomain),
  )
  const onlyStatus =
    surface === 'current' && project.status === 'archived' && isOnlyStatus(project, body) && fault === null
  return (
    (onlyStatus ? null : stateFault(project)) ??
    matchFault(match) ??
    (counts(fault, surface) || isClash(project, body, surface) ? refused('validation_error') : null) ??
    ((changes.status ?? project.status) === project.status ? null : rightsFault(key, index, ['remove'])) ??
    (isTaken ? refused('conflict') : null) ?? {
      status: 200,
      next: ({ updated_at }) =>
        withProject(world, index, {
          ...changes,
          version: project.version + 1,
          updatedAt: laterThan(project.updatedAt, updated_at),
        }),
      body: (after) =>
        surface === 'current'
          ? { data: shownProject(after, index) }
          : enveloped(legacyProject(projectAt(after, index))),
      tagged: (after) => projectTag(after, index),
    }
  )
}

/** Whatever else the body holds is as it is shown already. */
function isOnlyStatus(
  project: Project,
  { status, name, domain, hosting, settings }: UpdateProject['body'],
): boolean {
  const echoes = (given: object | undefined, stored: object) =>
    Object.entries(given ?? {}).every(
      ([key, value]) => JSON.stringify(value) === JSON.stringify(stored[key as never]),
    )
  return (
    status !== undefined &&
    (name === undefined || name === project.name) &&
    (domain === undefined || domain === project.hosting.custom_domain) &&
    echoes(hosting, project.hosting) &&
    echoes(settings, embedded(project))
  )
}

/** Two spellings of the domain that both change it, and to different values. */
function isClash(
  { hosting: stored }: Project,
  { domain, hosting }: UpdateProject['body'],
  surface: string,
): boolean {
  const [one, two] = [domain, hosting?.custom_domain].map((it) =>
    it === stored.custom_domain ? undefined : it,
  )
  return surface === 'current' && one !== undefined && two !== undefined && one !== two
}

function changesOf(
  project: Project,
  { name, status, domain, hosting, settings }: UpdateProject['body'],
): Partial<Project> {
  const inHosting = hosting?.custom_domain
  const stored = project.hosting.custom_domain
  const wanted = inHosting === undefined || inHosting === stored ? domain : inHosting
  const custom_domain = wanted === undefined ? stored : wanted
  return {
    ...(name !== undefined && { name }),
    ...(status !== undefined && { status: status as Project['status'] }),
    hosting: { ...project.hosting, ...hosting, custom_domain },
    ...(settings !== undefined &&
      Object.keys(settings).length > 0 &&
      settingsChanges(project, 'embedded', settings)),
  }
}

function legacyChangesOf(
  project: Project,
  { name, context, settings = {} }: UpdateProject['body'],
): Partial<Project> {
  const { custom_domain = project.hosting.custom_domain, ...kept } = settings as {
    custom_domain?: string | null
  }
  return {
    ...(name !== undefined && { name }),
    ...(context !== undefined && { context }),
    hosting: { ...project.hosting, custom_domain },
    legacySettings: { ...project.legacySettings, ...kept },
  }
}

export interface DeleteProject {
  readonly key: KeyName
  readonly project: number
  readonly isPrefixed: boolean
}

export function deleteProject(world: World, { key, project: index, isPrefixed }: DeleteProject): Step {
  const { status } = world.projects[index] ?? {}
  return {
    method: 'DELETE',
    path: `/projects/${projectRef(world, index, isPrefixed)}`,
    key,
    outcome: projectFault(world, key, index, ['remove']) ??
      (status === 'suspended' ? refused('forbidden') : null) ??
      (status === 'archived' ? null : refused('conflict')) ?? {
        status: 200,
        next: () => {
          const gone = pagesOf(world, index).map((page) => page.index)
          const pages = world.pages.map((page, at) =>
            gone.includes(at) ? { ...page, isDeleted: true, live: null } : page,
          )
          const hosting = { ...projectAt(world, index).hosting, subdomain: null, custom_domain: null }
          return withProject({ ...world, pages }, index, { status: 'deleted', hosting })
        },
        body: () => ({ data: { id: `proj_${projectAt(world, index).id}`, deleted: true } }),
      },
  }
}

export interface GetProject extends Asked {
  readonly project: number
}

export function getProject(world: World, { key, surface, project, isPrefixed }: GetProject): Step {
  const isCurrent = surface === 'current'
  return {
    method: 'GET',
    path: `${isCurrent ? '' : '/v1'}/projects/${projectRef(world, project, isPrefixed)}${isCurrent ? '?include=stats' : ''}`,
    key,
    outcome: projectFault(world, key, project, ['read']) ?? {
      status: 200,
      next: () => world,
      body: () =>
        isCurrent
          ? { data: { ...shownProject(world, project), stats: stats(world, project) } }
          : enveloped(legacyProject(projectAt(world, project))),
      tagged: () => projectTag(world, project),
    },
  }
}

function nameFault(name: string): Outcome | null {
  return name.trim() === '' || name.length > 100 ? refused('validation_error') : null
}

function projectTag(world: World, index: number): Tagged {
  return { record: `project ${index}`, version: projectAt(world, index).version }
}
