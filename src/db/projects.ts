import type { Knex } from 'knex'
import { domainKey } from '../domain/domain-proof.ts'
import { ServiceError } from '../domain/errors.ts'
import { fieldFailure } from '../domain/field-errors.ts'
import type { ProjectId, UserId } from '../domain/ids.ts'
import type { Hosting, Project } from '../domain/project.ts'
import { DEFAULT_SETTINGS } from '../domain/settings.ts'
import type { SlugAlphabet } from '../domain/slug.ts'
import { containedText, containing } from './dialect.ts'
import { isUniqueViolation, violates } from './errors.ts'
import { isAfter, listed } from './list-slice.ts'
import {
  HOST_COLUMNS,
  type HostRow,
  NO_DOMAIN,
  projectsServing,
  proofColumns,
  toDomainProof,
} from './project-domains.ts'
import type { Home, ProjectFilter, ProjectRecord, ProjectRepository } from './repositories/projects.ts'
import { newSettingsRow } from './settings.ts'

export interface ProjectRow extends HostRow {
  readonly user_id: UserId
  readonly name: string
  readonly slug: string
  readonly context: string
  readonly legacy_settings: string
  readonly subdomain: string | null
  readonly ssl_enabled: number | boolean
  readonly cdn_enabled: number | boolean
  readonly manifest: 'full' | 'minimal'
  readonly slugs: SlugAlphabet
  readonly data_mode_enabled_at: string | null
  readonly created_at: string
  readonly updated_at: string
  readonly version: number
  readonly site_routes: string
}

type CountedRow = ProjectRow & { readonly page_count: number }

const COUNTED = `projects.*, settings.site_routes,
  (SELECT pages FROM project_usage WHERE project_usage.project_id = projects.id) AS page_count`

/** @param db a Knex instance or, inside a transaction, the transaction. */
export function createProjectRepository(db: Knex): ProjectRepository {
  const records = () =>
    db<ProjectRow>('projects')
      .join('settings', 'settings.project_id', 'projects.id')
      .whereNull('projects.deleted_at')

  return {
    async insert(project) {
      const inserted = { ...project, slug: await freeSlug(project) }
      await refuseTakenAddress(db('projects').insert(toRow(inserted)))
      await db('settings').insert(newSettingsRow(inserted.id, DEFAULT_SETTINGS, inserted.createdAt))
      await db('project_leases').insert({ project_id: inserted.id, owner: null, fence: 0, beat: 0 })
      return inserted
    },

    async find(id) {
      const row = await records().where('projects.id', id).first<CountedRow>(db.raw(COUNTED))
      return row === undefined ? null : toProjectRecord(row)
    },

    async ownerOf(id) {
      const row = await db<ProjectRow>('projects').where({ id }).first('user_id')
      return row?.user_id ?? null
    },

    async statusOf(id) {
      const row = await db<ProjectRow>('projects').where({ id }).whereNull('deleted_at').first('status')
      return row?.status ?? null
    },

    async findByHost(host) {
      const row =
        'subdomain' in host
          ? await db<ProjectRow>('projects')
              .where({ subdomain: host.subdomain })
              .whereNull('deleted_at')
              .first<HostRow>(HOST_COLUMNS)
          : (await projectsServing(db, host.customDomain))[0]
      if (row === undefined) return null
      const { id, status, hosting_mode: mode, base_path: basePath, custom_domain: customDomain } = row
      return { id, status, hosting: { mode, basePath, customDomain } }
    },

    async agentSite(id) {
      const row = await records()
        .where('projects.id', id)
        .where('settings.mcp', 'read')
        .whereNot('projects.hosting_mode', 'data_mode')
        .first<
          (ProjectRow & Record<'branding' | 'locales', string> & { site_name: string | null }) | undefined
        >('projects.*', 'settings.site_routes', 'settings.branding', 'settings.locales', 'settings.site_name')
      if (row === undefined) return null
      const settings = {
        siteName: row.site_name,
        branding: JSON.parse(row.branding),
        locales: JSON.parse(row.locales),
      }
      return { project: toHome(row).project, settings }
    },

    async domainHolders(domain) {
      const rows = await projectsServing(db, domain)
      return rows.flatMap((row) => {
        const proof = toDomainProof(row)
        return proof === null ? [] : [{ id: row.id, proof }]
      })
    },

    async setDomainProof(id, proof) {
      await refuseTakenAddress(db('projects').where({ id }).update(proofColumns(proof)))
    },

    async list(filter, paging) {
      const { sort, order, limit, offset, after } = paging
      // Each of both in its order first, so that an index can end it early.
      const first = (some: Knex.QueryBuilder) =>
        some
          .orderBy(`projects.${sort}`, order)
          .orderBy('projects.id', order)
          .limit(after == null ? limit + offset : limit)
          .modify((query) => {
            if (after != null) query.where(isAfter([`projects.${sort}`, 'projects.id'], order, after))
          })
          .select('projects.id', { sorted: `projects.${sort}` })
      const [own, shared] = reachable(db, filter)
      const page = db
        .select('*')
        .from(first(own).as('own'))
        .unionAll([db.select('*').from(first(shared).as('shared'))])
        .orderBy('sorted', order)
        .orderBy('id', order)
        .limit(limit)
        .offset(after == null ? offset : 0)
      const rows = await records()
        .join(page.as('page'), 'page.id', 'projects.id')
        .orderBy('page.sorted', order)
        .orderBy('page.id', order)
        .select<(CountedRow & { readonly sorted: string })[]>(db.raw(COUNTED), { sorted: 'page.sorted' })
      const items = rows.map(toProjectRecord)
      const positions = rows.map(({ sorted: key, id }) => ({ key, id }))
      if (after != null) return listed(items, positions, paging, 0)
      const counted = reachable(db, filter).map((some) => some.count({ total: '*' }))
      const counts = await db
        .sum({ total: 'total' })
        .from(db.unionAll(counted).as('counts'))
        .first<{ readonly total: number | string }>()
      return listed(items, positions, paging, Number(counts.total))
    },

    async all() {
      const rows = await records().orderBy('projects.created_at').select<CountedRow[]>(db.raw(COUNTED))
      return rows.map(toProjectRecord)
    },

    async ids() {
      return db<ProjectRow>('projects').orderBy(['created_at', 'id']).pluck('id')
    },

    async update(id, { name, status, context, legacySettings, hosting, domainProof }, now) {
      const changed = {
        ...(name !== undefined && { name }),
        ...(status !== undefined && { status }),
        ...(context !== undefined && { context }),
        ...(legacySettings !== undefined && { legacy_settings: JSON.stringify(legacySettings) }),
        ...hostingColumns(hosting ?? {}),
        ...(domainProof !== undefined && proofColumns(domainProof)),
      }
      await refuseTakenAddress(
        db('projects')
          .where({ id })
          .update({ ...changed, updated_at: now })
          .increment('version', 1),
      )
    },

    async ownedBy(userId) {
      const rows = await db<ProjectRow & { readonly deleted_at: string | null }>('projects')
        .where({ user_id: userId })
        .orderBy('created_at')
        .orderBy('id')
        .select('id', 'deleted_at')
      return rows.map(({ id, deleted_at }) => ({ id, isDeleted: deleted_at !== null }))
    },

    async transfer(id, to) {
      const row = await db<ProjectRow>('projects').where({ id }).first('slug')
      if (row === undefined) return
      const slug = await freeSlug({ userId: to, slug: row.slug })
      // The new version keeps processes from continuing with the owner in their memory.
      await refuseTakenAddress(
        db<ProjectRow>('projects').where({ id }).update({ user_id: to, slug }).increment('version', 1),
      )
      await db('members').where({ project_id: id, user_id: to }).delete()
      await db('transfer_offers').where({ project_id: id }).delete()
    },

    async plaintextPages(id) {
      const row = await db('live_objects')
        .where({ project_id: id, owner_kind: 'page', key_id: null })
        .whereNotNull('artifact_digest')
        .countDistinct({ total: 'owner_id' })
        .first()
      return Number(row?.['total'])
    },

    async markDeleted(id, now) {
      await db('projects')
        .where({ id })
        .update({ deleted_at: now, slug: `deleted-${id}`, subdomain: null, ...NO_DOMAIN })
      await db('members').where({ project_id: id }).delete()
      await db('transfer_offers').where({ project_id: id }).delete()
    },
  }

  /** `name`, or `name-2`, `name-3` if the owner has it already. The unique index still decides. */
  async function freeSlug({ userId, slug }: Pick<Project, 'userId' | 'slug'>): Promise<string> {
    const taken = new Set(
      await db('projects').where({ user_id: userId }).whereLike('slug', `${slug}%`).pluck<string[]>('slug'),
    )
    let free = slug
    for (let n = 2; taken.has(free); n++) free = `${slug}-${n}`
    return free
  }
}

/** Returns the projects of a user's account, and projects of others with the user as a member. */
function reachable(
  db: Knex,
  filter: ProjectFilter,
): readonly [own: Knex.QueryBuilder, shared: Knex.QueryBuilder] {
  const { userId } = filter
  const existing = () => matching(db, db('projects').whereNull('projects.deleted_at'), filter)
  return [
    existing().where('projects.user_id', userId),
    existing()
      .whereNot('projects.user_id', userId)
      .whereIn('projects.id', db('members').where({ user_id: userId }).select('project_id')),
  ]
}

function matching(db: Knex, query: Knex.QueryBuilder, filter: ProjectFilter): Knex.QueryBuilder {
  const { only, status, domain, createdAfter, createdBefore, updatedAfter } = filter
  if (only !== null) query.where('projects.id', only)
  if (status !== null) query.where('projects.status', status)
  if (domain !== null) query.where('projects.custom_domain', domain)
  if (filter.folder != null)
    query.whereIn('projects.id', db('pushes').where({ folder: filter.folder }).select('project_id'))
  if (filter.search != null) query.whereRaw(containing(db, ['projects.name']), [containedText(filter.search)])
  if (createdAfter !== null) query.where('projects.created_at', '>', createdAfter)
  if (createdBefore !== null) query.where('projects.created_at', '<', createdBefore)
  if (updatedAfter != null) query.where('projects.updated_at', '>', updatedAfter)
  return query
}

function taken(path: string, message: string, cause: unknown): ServiceError {
  return fieldFailure('conflict', [{ path, message, code: 'taken' }], { cause })
}

async function refuseTakenAddress(write: PromiseLike<unknown>): Promise<void> {
  try {
    await write
  } catch (error) {
    if (violates(error, 'domain_key')) {
      throw taken('domain', 'this domain is in use by another project.', error)
    }
    if (violates(error, 'subdomain')) {
      throw taken('hosting.subdomain', 'this subdomain is in use by another project.', error)
    }
    if (isUniqueViolation(error)) {
      throw new ServiceError(
        'conflict',
        'Another request created a project with this name at the same time; try again.',
        {
          cause: error,
        },
      )
    }
    throw error
  }
}

function toRow(project: Project) {
  return {
    id: project.id,
    user_id: project.userId,
    name: project.name,
    slug: project.slug,
    status: project.status,
    context: project.context,
    legacy_settings: JSON.stringify(project.legacySettings),
    ...hostingColumns(project.hosting),
    data_mode_enabled_at: project.dataModeEnabledAt,
    created_at: project.createdAt,
    updated_at: project.updatedAt,
    version: project.version,
  }
}

function hostingColumns(hosting: { readonly [K in keyof Hosting]?: Hosting[K] | undefined }) {
  const columns = {
    hosting_mode: hosting.mode,
    subdomain: hosting.subdomain,
    custom_domain: hosting.customDomain,
    domain_key:
      typeof hosting.customDomain === 'string' ? domainKey(hosting.customDomain) : hosting.customDomain,
    ssl_enabled: hosting.sslEnabled,
    cdn_enabled: hosting.cdnEnabled,
    base_path: hosting.basePath,
    manifest: hosting.manifest,
    slugs: hosting.slugs,
  }
  return Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined))
}

function toProjectRecord(row: CountedRow): ProjectRecord {
  return { ...toHome(row), pageCount: Number(row.page_count), domainProof: toDomainProof(row) }
}

/** Finds the home of a project; null when the project does not exist. */
export async function findHome(db: Knex, id: ProjectId): Promise<Home | null> {
  const row = await db<ProjectRow>('projects')
    .join('settings', 'settings.project_id', 'projects.id')
    .where('projects.id', id)
    .first<ProjectRow>('projects.*', 'settings.site_routes')
  return row === undefined ? null : toHome(row)
}

function toHome(row: ProjectRow): Home {
  const project: Project = {
    id: row.id,
    userId: row.user_id,
    name: row.name,
    slug: row.slug,
    status: row.status,
    context: row.context,
    legacySettings: JSON.parse(row.legacy_settings),
    hosting: {
      mode: row.hosting_mode,
      subdomain: row.subdomain,
      customDomain: row.custom_domain,
      sslEnabled: Boolean(row.ssl_enabled),
      cdnEnabled: Boolean(row.cdn_enabled),
      basePath: row.base_path,
      manifest: row.manifest,
      slugs: row.slugs,
    },
    dataModeEnabledAt: row.data_mode_enabled_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    version: row.version,
  }
  return { project, siteRoutes: JSON.parse(row.site_routes) }
}
