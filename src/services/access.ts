import type { ApiKey } from '../db/repositories/keys.ts'
import type { Home, ProjectRecord } from '../db/repositories/projects.ts'
import type { Repositories } from '../db/repositories.ts'
import type { Asset } from '../domain/asset.ts'
import type { Caller, Permission } from '../domain/caller.ts'
import { ServiceError } from '../domain/errors.ts'
import { type ProjectId, readId } from '../domain/ids.ts'
import type { Job } from '../domain/job.ts'
import type { Page } from '../domain/page.ts'
import type { Project } from '../domain/project.ts'
import type { Delivery, Webhook } from '../domain/webhook.ts'

/*
 * Access control: the only place that decides it. Checks run in this order: existence and scope, permission, state
 * of the project.
 */

/**
 * @param ref a project's id in either form.
 * @param needs permissions that the operation requires.
 * @throws {ServiceError} `project_scope_violation`, `not_found` or `forbidden`.
 */
export async function accessProject(
  repositories: Repositories,
  caller: Caller,
  ref: string,
  needs: readonly Permission[],
): Promise<ProjectRecord> {
  const id = readId('proj', ref)
  assertInScope(caller, id)
  const record = id === null ? null : await repositories.projects.find(id)
  if (record === null || record.project.userId !== caller.userId) throw noSuch('project', ref)
  assertPermitted(caller, needs)
  return record
}

export interface PageInProject {
  readonly page: Page
  readonly home: Home
}

/**
 * @param ref a page's id in either form.
 * @throws {ServiceError} `project_scope_violation`, `not_found` or `forbidden`.
 */
export async function accessPage(
  repositories: Repositories,
  caller: Caller,
  ref: string,
  needs: readonly Permission[],
): Promise<PageInProject> {
  const id = readId('page', ref)
  const found = id === null ? null : await repositories.pages.find(id, caller.reserve)
  if (found === null || found.home.project.userId !== caller.userId) throw noSuch('page', ref)
  assertInScope(caller, found.home.project.id)
  assertPermitted(caller, needs)
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
  needs: readonly Permission[],
): Promise<AssetInProject> {
  const id = readId('ast', ref)
  const asset = id === null ? null : await repositories.assets.find(id)
  const record = asset === null ? null : await repositories.projects.find(asset.projectId)
  if (asset === null || record === null || record.project.userId !== caller.userId) throw noSuch('asset', ref)
  assertInScope(caller, asset.projectId)
  assertPermitted(caller, needs)
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
  needs: readonly Permission[],
): Promise<Job> {
  const id = readId('job', ref)
  const job = id === null ? null : await repositories.jobs.find(id)
  const record = job === null ? null : await repositories.projects.find(job.projectId)
  if (job === null || record === null || record.project.userId !== caller.userId) throw noSuch('job', ref)
  assertInScope(caller, job.projectId)
  assertPermitted(caller, needs)
  return job
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
  const found = id === null ? null : await keys.find(id)
  if (found === null || found.key.userId !== caller.userId) throw noSuch('key', ref)
  // A key of all projects is out of the reach of a caller of one.
  if (caller.projectScope !== null && found.key.projectScope !== caller.projectScope)
    throw new ServiceError('project_scope_violation', 'This key has no access to the requested key.')
  assertPermitted(caller, needs)
  return found.key
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
  needs: readonly Permission[],
): Promise<WebhookInProject> {
  const { project: home } = await accessProject(repositories, caller, project, [])
  const id = readId('whk', ref)
  const webhook = id === null ? null : await repositories.webhooks.find(home.id, id)
  if (webhook === null) throw noSuch('webhook', ref)
  assertPermitted(caller, needs)
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

/** Whether the key is neither revoked nor expired. */
export function isLiveKey({ revokedAt, expiresAt }: ApiKey, now: string): boolean {
  return revokedAt === null && (expiresAt === null || now < expiresAt)
}

/** @throws {ServiceError} `forbidden` when the project takes no changes. */
export function assertWritable({ status }: Project): void {
  if (status !== 'active')
    throw new ServiceError('forbidden', `The project is ${status} and takes no changes.`)
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
