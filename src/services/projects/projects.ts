import type {
  ProjectFields,
  ProjectFilter,
  ProjectRecord,
  ProjectSort,
} from '../../db/repositories/projects.ts'
import type { SettingsFields, SettingsRecord } from '../../db/repositories/settings.ts'
import type { Repositories } from '../../db/repositories.ts'
import { type Actor, changedFields, OPERATOR } from '../../domain/audit.ts'
import { UNKNOWN_LOCALE, unknownLocales } from '../../domain/by-locale.ts'
import type { Caller, ReserveBytes } from '../../domain/caller.ts'
import { ServiceError } from '../../domain/errors.ts'
import { fieldFailure } from '../../domain/field-errors.ts'
import { type ProjectId, prefixed, type UserId } from '../../domain/ids.ts'
import { laterOf } from '../../domain/later-of.ts'
import type { Listed, Paging } from '../../domain/paging.ts'
import { DEFAULT_HOSTING, type Project, projectSlug } from '../../domain/project.ts'
import type { Role } from '../../domain/roles.ts'
import { readSubroute } from '../../domain/route.ts'
import type { Settings } from '../../domain/settings.ts'
import type { SlugAlphabet } from '../../domain/slug.ts'
import { settingsDigests } from '../../fields/settings-digests.ts'
import { accessProject, assertPermitted, assertWritable } from '../access.ts'
import { recordAct } from '../audit/record-act.ts'
import type { ServiceContext } from '../context.ts'
import { withIdempotency } from '../idempotency.ts'
import { recordSource, type WrittenSource } from '../pushes/record-source.ts'
import { domainChange } from './domain-change.ts'

/** A project with its settings. */
export interface ProjectWithSettings extends ProjectRecord {
  readonly settings: SettingsRecord
}

/** A project as a member sees it. */
export interface ProjectOfMember extends ProjectWithSettings {
  /** Role of the caller. */
  readonly role: Role
}

export interface Standing {
  readonly role: Role
  readonly status: Project['status']
}

export interface ProjectWithProgress extends ProjectWithSettings {
  /** Live pages that were published before Data Mode was on and are not encrypted yet. */
  readonly plaintextPages: number
}

/** Changes of a project and of its settings; absent fields keep their values. */
export interface ProjectChange {
  readonly fields: ProjectFields
  readonly settings: SettingsFields
}

/** Reads the body of an update, once the project is known to be the caller's. */
export interface ProjectRequest {
  readonly changesOnlyStatus: (current: ProjectWithSettings) => boolean
  readonly read: (current: ProjectWithSettings) => ProjectChange
}

/** Fields of a new project that the caller chooses. */
export interface NewProject {
  readonly name: string
  readonly slugs: SlugAlphabet
}

export type ProjectService = ReturnType<typeof createProjectService>

export interface ProjectServicePorts extends Pick<ServiceContext, 'db' | 'accountLimits' | 'newId' | 'now'> {
  /** True when a domain must be proved before it is served. */
  readonly needsProof: boolean
  /** True when a CDN is configured: it purges a site whose hosts or status change. */
  readonly hasCdn: boolean
}

export function createProjectService({
  db,
  accountLimits,
  newId,
  now,
  needsProof,
  hasCdn,
}: ProjectServicePorts) {
  return {
    /** @throws {ServiceError} `forbidden` when the user or key may not create projects, or the account has too many. */
    async create(caller: Caller, readNew: () => NewProject): Promise<ProjectWithSettings> {
      assertPermitted(caller, ['write'])
      if (caller.projectScope !== null) {
        throw new ServiceError('forbidden', 'A key that is scoped to one project cannot create projects.')
      }
      if (!caller.canCreateProjects) throw new ServiceError('forbidden', 'This user may not create projects.')
      return db.write(async (repositories) => {
        const insertProject = async () => {
          const { project } = await insert(repositories, caller, caller.userId, readNew())
          await accountLimits.assertWithin(repositories, caller, ['projects'])
          return project.id
        }
        return reread(repositories, await withIdempotency(repositories, caller, now(), insertProject))
      })
    },

    /** Creates a project for the operator, without checks of permissions and limits. */
    async createFor(userId: UserId, name: string): Promise<ProjectWithSettings> {
      return db.write((repositories) =>
        insert(repositories, OPERATOR, userId, { name, slugs: DEFAULT_HOSTING.slugs }),
      )
    },

    async get(caller: Caller, ref: string): Promise<ProjectOfMember> {
      return withSettings(db.read, await accessProject(db.read, caller, ref, ['read']), caller.reserve)
    },

    /** Reads the caller's role in a project, and the status of the project. */
    async standing(caller: Caller, ref: string): Promise<Standing> {
      const { role, project } = await accessProject(db.read, caller, ref, ['read'])
      return { role, status: project.status }
    },

    /** A project with its settings and the progress of Data Mode. */
    async getWithProgress(caller: Caller, ref: string): Promise<ProjectWithProgress> {
      const found = await withSettings(
        db.read,
        await accessProject(db.read, caller, ref, ['read']),
        caller.reserve,
      )
      const isOn = found.project.hosting.mode === 'data_mode'
      return { ...found, plaintextPages: isOn ? await db.read.projects.plaintextPages(found.project.id) : 0 }
    },

    async list(
      caller: Caller,
      filter: Omit<ProjectFilter, 'userId' | 'only'>,
      paging: Paging<ProjectSort>,
    ): Promise<Listed<ProjectRecord>> {
      assertPermitted(caller, ['read'])
      return db.read.projects.list({ ...filter, userId: caller.userId, only: caller.projectScope }, paging)
    },

    /**
     * Updates a project. An archived project accepts a change of its status only, a suspended one none.
     *
     * @throws {ServiceError} `conflict` when the domain is in use.
     */
    async update(caller: Caller, ref: string, request: ProjectRequest): Promise<ProjectWithSettings> {
      return db.write(async (repositories) => {
        const current = await withSettings(
          repositories,
          await accessProject(repositories, caller, ref, ['settings']),
          caller.reserve,
        )
        const { id, status, updatedAt } = current.project
        if (!(status === 'archived' && request.changesOnlyStatus(current))) assertWritable(current.project)
        const { fields, settings } = request.read(current)
        if (fields.status !== undefined && fields.status !== status)
          await accessProject(repositories, caller, ref, ['remove'])
        const moment = laterOf(now(), updatedAt)
        const { customDomain, slugs } = fields.hosting ?? {}
        if (slugs === 'standard') await assertStandardAddresses(repositories, current)
        const change = await domainChange(repositories, current, customDomain, { needsProof, newId, now })
        await repositories.projects.update(id, { ...fields, ...change }, moment)
        if (fields.hosting !== undefined || fields.status !== undefined) await purgeSite(repositories, id)
        if (Object.keys(settings).length > 0)
          await repositories.settings.update(id, settings, laterOf(moment, current.settings.updatedAt))
        const updated = await reread(repositories, id)
        await recordChange(repositories, caller, current, updated)
        return updated
      })
    },

    /**
     * @param readFields reads the body, knowing the stored settings.
     * @param readSource reads the file that the change comes from; null for none. A body of it alone changes nothing.
     * @returns the settings as they are now.
     */
    async updateSettings(
      caller: Caller,
      ref: string,
      readFields: (current: ProjectWithSettings) => SettingsFields,
      readSource: () => WrittenSource | null = () => null,
    ): Promise<ProjectWithSettings> {
      return db.write(async (repositories) => {
        const current = await withSettings(
          repositories,
          await accessProject(repositories, caller, ref, ['settings']),
          caller.reserve,
        )
        assertWritable(current.project)
        const moment = laterOf(now(), current.settings.updatedAt)
        const fields = readFields(current)
        assertKnownLocales(current.settings.settings, fields)
        const source = readSource()
        const isOnlySource = source !== null && Object.keys(fields).length === 0
        if (!isOnlySource) await repositories.settings.update(current.project.id, fields, moment)
        const updated = await reread(repositories, current.project.id)
        if (source !== null) await recordSettings(repositories, updated, source)
        if (!isOnlySource) await recordChange(repositories, caller, current, updated)
        return updated
      })
    },

    /** Sets the status for the operator, from any status. */
    async setStatus(id: ProjectId, status: Project['status']): Promise<ProjectWithSettings> {
      return db.write(async (repositories) => {
        const record = await repositories.projects.find(id)
        if (record === null) throw new ServiceError('not_found', 'No project has this id.')
        const current = await withSettings(repositories, record)
        await repositories.projects.update(id, { status }, now())
        await purgeSite(repositories, id)
        const updated = await reread(repositories, id)
        await recordChange(repositories, OPERATOR, current, updated)
        return updated
      })
    },

    /** All projects, for the operator. */
    all(): Promise<readonly ProjectRecord[]> {
      return db.read.projects.all()
    },
  }

  async function recordSettings(
    repositories: Repositories,
    { project, settings }: ProjectWithSettings,
    source: WrittenSource,
  ): Promise<void> {
    const written = {
      projectId: project.id,
      record: 'settings' as const,
      recordId: project.id,
      version: settings.version,
      digests: settingsDigests(settings.settings),
    }
    await recordSource(repositories, written, source, now())
  }

  async function purgeSite({ cachePurges }: Repositories, id: ProjectId): Promise<void> {
    if (hasCdn) await cachePurges.requestSite(id, { newId, now: now() })
  }

  /** One row for a change of a project with its settings. */
  async function recordChange(
    repositories: Repositories,
    actor: Actor,
    before: ProjectWithSettings,
    after: ProjectWithSettings,
  ): Promise<void> {
    const { name, status, context, legacySettings, hosting, id } = after.project
    const fields = [
      ...changedFields(before.project, { name, status, context, legacySettings }),
      ...changedFields(before.project.hosting, hosting, 'hosting.'),
    ]
    const settings = changedFields(before.settings.settings, after.settings.settings)
    const isOfProject = after.project.version !== before.project.version
    await recordAct(repositories, { newId, now }, actor, {
      act: isOfProject ? 'project.update' : 'settings.update',
      of: { projectId: id },
      target: id,
      before: { version: isOfProject ? before.project.version : before.settings.version },
      after: { version: isOfProject ? after.project.version : after.settings.version },
      fields: isOfProject ? [...fields, ...settings.map((name) => `settings.${name}`)] : settings,
    })
  }

  async function insert(
    repositories: Repositories,
    actor: Actor,
    userId: UserId,
    { name, slugs }: NewProject,
  ): Promise<ProjectWithSettings> {
    const moment = now()
    const project = await repositories.projects.insert({
      id: newId<'proj'>(),
      userId,
      name,
      slug: projectSlug(name),
      status: 'active',
      context: '',
      legacySettings: {},
      hosting: { ...DEFAULT_HOSTING, slugs },
      dataModeEnabledAt: null,
      createdAt: moment,
      updatedAt: moment,
      version: 1,
    })
    await recordAct(repositories, { newId, now }, actor, {
      act: 'project.create',
      of: { projectId: project.id },
      target: project.id,
      after: { version: project.version },
    })
    return reread(repositories, project.id)
  }
}

/** Addresses that a rejection names. */
const NAMED_ADDRESSES = 5

/** @throws {ServiceError} `conflict` naming the pages and routes that need wide addresses. */
async function assertStandardAddresses(
  { pages }: Repositories,
  { project, siteRoutes }: ProjectWithSettings,
): Promise<void> {
  if (project.hosting.slugs === 'standard') return
  const { items, total } = await pages.needingWide(project.id, NAMED_ADDRESSES)
  const routes = Object.entries(siteRoutes).filter(
    (route) => !route.every((subroute) => readSubroute(subroute, 'standard') !== null),
  )
  const needing = [
    ...items.map(
      ({ id, subroute, slug }) => `${prefixed('page', id)} (${subroute === '' ? '' : `${subroute}/`}${slug})`,
    ),
    ...routes.map(([subroute]) => `the route of ${subroute} in site_routes`),
  ]
  const more = total + routes.length - Math.min(needing.length, NAMED_ADDRESSES)
  if (needing.length === 0) return
  throw new ServiceError(
    'conflict',
    `hosting.slugs: standard addresses hold only ASCII letters, digits and hyphens, which these do not: ${needing.slice(0, NAMED_ADDRESSES).join(', ')}${more > 0 ? ` and ${more} more` : ''}. Change or delete them first.`,
  )
}

async function withSettings<Found extends ProjectRecord>(
  repositories: Repositories,
  record: Found,
  reserve?: ReserveBytes,
): Promise<Found & Pick<ProjectWithSettings, 'settings'>> {
  return { ...record, settings: await repositories.settings.find(record.project.id, reserve) }
}

async function reread(repositories: Repositories, id: ProjectId): Promise<ProjectWithSettings> {
  const record = await repositories.projects.find(id)
  if (record === null) throw new Error(`Project ${id} is missing after it was written.`)
  return withSettings(repositories, record)
}

/**
 * A setting of a language that the site does not have would show nowhere.
 *
 * @throws {ServiceError} `validation_error` that names the language.
 */
function assertKnownLocales(stored: Settings, { locales, byLocale }: SettingsFields): void {
  if (locales === undefined && byLocale === undefined) return
  const unknown = unknownLocales({
    locales: locales ?? stored.locales,
    byLocale: byLocale ?? stored.byLocale,
  })
  if (unknown.length === 0) return
  throw fieldFailure(
    'validation_error',
    unknown.map((code) => ({ path: `by_locale.${code}`, message: UNKNOWN_LOCALE, code: 'not_allowed' })),
  )
}
