import type { ApiKey, FoundKey } from '../db/repositories/keys.ts'
import type { Home, ProjectRecord } from '../db/repositories/projects.ts'
import type { Repositories } from '../db/repositories.ts'
import type { Asset } from '../domain/asset.ts'
import type { Caller, Permission, ReserveBytes } from '../domain/caller.ts'
import { ServiceError } from '../domain/errors.ts'
import { type PageId, type ProjectId, readId } from '../domain/ids.ts'
import type { Job } from '../domain/job.ts'
import type { Member } from '../domain/member.ts'
import type { Page } from '../domain/page.ts'
import type { Project } from '../domain/project.ts'
import type { Push } from '../domain/push.ts'
import {
  dependsOnCreator,
  hasRight,
  permissionsFor,
  type Right,
  type Role,
  withoutRight,
} from '../domain/roles.ts'
import type { Delivery, Webhook } from '../domain/webhook.ts'

/*
 * Access control: the only place for it, by the rights of `domain/roles.ts`. Checks run in this order: existence and
 * scope, permission of the credential, role, state of the project. For users who are not members a project does not
 * exist: they get the answer of an unknown id, after the same statements.
 */

export interface AccessedProject extends ProjectRecord {
  /** Role of the caller. */
  readonly role: Role
}

/**
 * @param ref a project's id in either form.
 * @param needs rights that the operation requires.
 * @throws {ServiceError} `project_scope_violation`, `not_found` or `forbidden`.
 */
export async function accessProject(
  repositories: Repositories,
  caller: Caller,
  ref: string,
  needs: readonly Right[],
): Promise<AccessedProject> {
  const id = readId('proj', ref)
  assertInScope(caller, id)
  const record = id === null ? null : await repositories.projects.find(id)
  const role = await roleIn(repositories, caller, record?.project)
  if (record === null || role === null) throw noSuch('project', ref)
  assertMay(caller, role, needs)
  return { ...record, role }
}

export interface PageInProject {
  readonly page: Page
  readonly home: Home
}

/**
 * @param ref a page's id in either form.
 * @throws {ServiceError} `project_scope_violation`, `not_found` or `forbidden`.
 */
export function accessPage(
  repositories: Repositories,
  caller: Caller,
  ref: string,
  needs: readonly Right[],
): Promise<PageInProject> {
  return accessFoundPage(repositories, caller, ref, needs, repositories.pages.find)
}

/** Does the same as `accessPage`, and reads when the page is to be published. */
export function accessScheduledPage(
  repositories: Repositories,
  caller: Caller,
  ref: string,
  needs: readonly Right[],
): Promise<PageInProject & { readonly scheduledAt: string | null }> {
  return accessFoundPage(repositories, caller, ref, needs, repositories.pages.findScheduled)
}

async function accessFoundPage<Found extends PageInProject>(
  repositories: Repositories,
  caller: Caller,
  ref: string,
  needs: readonly Right[],
  find: (id: PageId, reserve?: ReserveBytes) => Promise<Found | null>,
): Promise<Found> {
  const id = readId('page', ref)
  const found = id === null ? null : await find(id, caller.reserve)
  const role = await roleIn(repositories, caller, found?.home.project)
  if (found === null || role === null) throw noSuch('page', ref)
  assertInScope(caller, found.home.project.id)
  assertMay(caller, role, needs, await isCreator(repositories, caller, found.page.id, role, needs))
  return found
}

export interface AssetInProject {
  readonly asset: Asset
  readonly home: Project
}

/**
 * @param ref an asset's id in either form.
 * @throws {ServiceError} `project_scope_violation`, `not_found` or `forbidden`.
 */
export async function accessAsset(
  repositories: Repositories,
  caller: Caller,
  ref: string,
  needs: readonly Right[],
): Promise<AssetInProject> {
  const id = readId('ast', ref)
  const asset = id === null ? null : await repositories.assets.find(id)
  const record = await repositories.projects.find(asset?.projectId ?? NO_PROJECT)
  const role = await roleIn(repositories, caller, record?.project)
  if (asset === null || record === null || role === null) throw noSuch('asset', ref)
  assertInScope(caller, asset.projectId)
  assertMay(caller, role, needs)
  return { asset, home: record.project }
}

/**
 * @param ref a job's id in either form.
 * @throws {ServiceError} `project_scope_violation`, `not_found` or `forbidden`.
 */
export async function accessJob(
  repositories: Repositories,
  caller: Caller,
  ref: string,
  needs: readonly Right[],
): Promise<Job> {
  const id = readId('job', ref)
  // Looks for both: a job of another user's project takes as long as an unknown one.
  const row = id === null ? null : await repositories.jobs.find(id)
  const follower = id === null ? null : await repositories.releases.findFollower(id)
  const job = row ?? follower
  const record = await repositories.projects.find(job?.projectId ?? NO_PROJECT)
  const role = await roleIn(repositories, caller, record?.project)
  if (job === null || record === null || role === null) throw noSuch('job', ref)
  assertInScope(caller, job.projectId)
  assertMay(caller, role, needs)
  return job
}

export interface PushInProject {
  readonly push: Push
  readonly home: Project
}

/**
 * @param ref a push's id in either form.
 * @throws {ServiceError} `project_scope_violation`, `not_found` or `forbidden`.
 */
export async function accessPush(
  repositories: Repositories,
  caller: Caller,
  ref: string,
  needs: readonly Right[],
): Promise<PushInProject> {
  const id = readId('psh', ref)
  const push = id === null ? null : await repositories.pushes.find(id)
  const record = await repositories.projects.find(push?.projectId ?? NO_PROJECT)
  const role = await roleIn(repositories, caller, record?.project)
  if (push === null || record === null || role === null) throw noSuch('push', ref)
  assertInScope(caller, push.projectId)
  assertMay(caller, role, needs)
  return { push, home: record.project }
}

/**
 * @param ref a key's id in either form.
 * @throws {ServiceError} `project_scope_violation`, `not_found` or `forbidden`.
 */
export async function accessKey(
  { keys }: Repositories,
  caller: Caller,
  ref: string,
  needs: readonly Permission[],
): Promise<ApiKey> {
  const id = readId('key', ref)
  const key = id === null ? null : await keys.find(id)
  if (key === null || key.userId !== caller.userId) throw noSuch('key', ref)
  // A key of all projects is out of the reach of a caller of one.
  if (caller.projectScope !== null && key.projectScope !== caller.projectScope)
    throw new ServiceError('project_scope_violation', 'This key has no access to the requested key.')
  assertPermitted(caller, needs)
  return key
}

export interface WebhookInProject {
  readonly webhook: Webhook
  readonly home: Project
}

/**
 * @param project, ref ids in either form.
 * @throws {ServiceError} `project_scope_violation`, `not_found` or `forbidden`.
 */
export async function accessWebhook(
  repositories: Repositories,
  caller: Caller,
  project: string,
  ref: string,
  needs: readonly Right[],
): Promise<WebhookInProject> {
  const { project: home, role } = await accessProject(repositories, caller, project, [])
  const id = readId('whk', ref)
  const webhook = id === null ? null : await repositories.webhooks.find(home.id, id)
  // Without the right, a caller must not learn which webhooks exist.
  if (webhook === null && hasRight(role, 'webhooks')) throw noSuch('webhook', ref)
  assertMay(caller, role, needs)
  if (webhook === null) throw noSuch('webhook', ref)
  return { webhook, home }
}

/** @throws {ServiceError} `not_found`. */
export async function accessDelivery(
  { webhooks }: Repositories,
  { id: webhookId }: Webhook,
  ref: string,
): Promise<Delivery> {
  const id = readId('dlv', ref)
  const delivery = id === null ? null : await webhooks.findDelivery(webhookId, id)
  if (delivery === null) throw noSuch('delivery', ref)
  return delivery
}

export interface MemberInProject {
  readonly member: Member
  readonly home: AccessedProject
}

/**
 * @param project, ref ids in either form.
 * @param needs rights that the operation requires.
 * @param isOwnEnough whether members need no right for their own membership.
 * @throws {ServiceError} `project_scope_violation`, `not_found` or `forbidden`.
 */
export async function accessMember(
  repositories: Repositories,
  caller: Caller,
  { project, ref }: { readonly project: string; readonly ref: string },
  needs: readonly Right[],
  isOwnEnough = false,
): Promise<MemberInProject> {
  const home = await accessProject(repositories, caller, project, [])
  const id = readId('mem', ref)
  const member = id === null ? null : await repositories.members.find(home.project.id, id)
  if (member === null) throw noSuch('member', ref)
  assertPermitted(caller, permissionsFor(needs))
  if (!(isOwnEnough && member.userId === caller.userId)) assertMay(caller, home.role, needs)
  return { member, home }
}

/**
 * Checks access to things that a person has apart from any project, such as offers.
 *
 * @throws {ServiceError} `forbidden` for a lack of permissions, and for a key of one project.
 */
export function accessOwn(caller: Caller, needs: readonly Permission[]): void {
  assertPermitted(caller, needs)
  if (caller.projectScope !== null)
    throw new ServiceError('forbidden', 'This key is of one project, and has no access to offers.')
}

/** Reports whether the key is neither revoked nor expired, and its account not locked. */
export function isLiveKey({ key: { revokedAt, expiresAt }, isLocked }: FoundKey, now: string): boolean {
  return !isLocked && revokedAt === null && (expiresAt === null || now < expiresAt)
}

/** @throws {ServiceError} `forbidden` when the project takes no changes. */
export function assertWritable({ status }: Project): void {
  if (status !== 'active')
    throw new ServiceError('forbidden', `The project is ${status} and takes no changes.`)
}

/**
 * The role of a user in a project; null for users who are not members, and for a project that does not exist. The
 * owner's needs no read of the database.
 */
export async function roleIn(
  { members }: Repositories,
  { userId }: Pick<Caller, 'userId'>,
  project: Pick<Project, 'id' | 'userId'> | undefined,
): Promise<Role | null> {
  if (project?.userId === userId) return 'owner'
  return members.roleOf(project?.id ?? NO_PROJECT, userId)
}

/** Looked up in place of an unknown project, so that its answer takes as long as for another user's project. */
const NO_PROJECT = '' as ProjectId

/** @throws {ServiceError} `forbidden` when the credential lacks a permission, or the role a right. */
function assertMay(caller: Caller, role: Role, needs: readonly Right[], isCreator = false): void {
  assertPermitted(caller, permissionsFor(needs))
  const lacking = needs.find((need) => !hasRight(role, need, isCreator))
  if (lacking !== undefined) throw new ServiceError('forbidden', withoutRight(role, lacking))
}

/** Reports whether the caller created the page. Looked up only where a right depends on it. */
async function isCreator(
  { pages }: Repositories,
  { userId }: Caller,
  id: PageId,
  role: Role,
  needs: readonly Right[],
): Promise<boolean> {
  return needs.some((need) => dependsOnCreator(role, need)) && (await pages.creatorOf(id)) === userId
}

/** @throws {ServiceError} `forbidden` when the key lacks one of these permissions. */
export function assertPermitted({ permissions }: Caller, needs: readonly Permission[]): void {
  const lacking = needs.filter((need) => !permissions.includes(need))
  if (lacking.length > 0)
    throw new ServiceError('forbidden', `This key has no ${lacking.join(' and ')} permission.`)
}

function assertInScope({ projectScope }: Caller, id: ProjectId | null): void {
  if (projectScope !== null && projectScope !== id) {
    throw new ServiceError('project_scope_violation', 'This key has no access to the requested project.')
  }
}

function noSuch(what: string, ref: string): ServiceError {
  return new ServiceError('not_found', `No ${what} has the id ${JSON.stringify(ref.slice(0, 64))}.`)
}
