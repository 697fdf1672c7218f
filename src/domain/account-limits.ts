import type { Plan } from './caller.ts'

/**
 * Limits of an account: projects, pages of each project, bytes of current pages (drafts), bytes that its releases
 * store, bytes of images and files, webhooks, members of its projects next to its owner, and bulk or scheduled
 * publishes in progress.
 */
export const ACCOUNT_LIMITS = [
  'projects',
  'pages_per_project',
  'draft_bytes',
  'release_bytes',
  'media_bytes',
  'webhooks',
  'members',
  'unfinished_jobs',
] as const
export type AccountLimit = (typeof ACCOUNT_LIMITS)[number]

/** `Infinity`: no limit; 0: nothing is allowed. */
export type AccountLimits = Readonly<Record<AccountLimit, number>>

/**
 * Amounts that an account stores. `pages_per_project` is of the project in question, or of the one with the most pages.
 */
export type AccountUsage = Readonly<Record<AccountLimit, number>>

const MB = 1024 ** 2
const GB = 1024 ** 3

const UNLIMITED: AccountLimits = {
  projects: Infinity,
  pages_per_project: Infinity,
  draft_bytes: Infinity,
  release_bytes: Infinity,
  media_bytes: Infinity,
  webhooks: Infinity,
  members: Infinity,
  unfinished_jobs: Infinity,
}

export type PlanLimits = Readonly<Record<Plan, AccountLimits>>

/** Far more than a site of that plan needs, and less than a disk holds. */
export const PLAN_LIMITS: PlanLimits = {
  standard: {
    projects: 1_000,
    pages_per_project: 100_000,
    draft_bytes: 2 * GB,
    release_bytes: 8 * GB,
    media_bytes: 20 * GB,
    webhooks: 500,
    members: 1_000,
    unfinished_jobs: 10_000,
  },
  free: {
    projects: 10,
    pages_per_project: 1_000,
    draft_bytes: 100 * MB,
    release_bytes: 400 * MB,
    media_bytes: GB,
    webhooks: 20,
    members: 20,
    unfinished_jobs: 100,
  },
  pro: {
    projects: 100,
    pages_per_project: 20_000,
    draft_bytes: 2 * GB,
    release_bytes: 8 * GB,
    media_bytes: 20 * GB,
    webhooks: 200,
    members: 500,
    unfinished_jobs: 2_000,
  },
  business: {
    projects: 1_000,
    pages_per_project: 100_000,
    draft_bytes: 20 * GB,
    release_bytes: 80 * GB,
    media_bytes: 200 * GB,
    webhooks: 2_000,
    members: 5_000,
    unfinished_jobs: 20_000,
  },
  enterprise: UNLIMITED,
}

/**
 * The limits of an account: of each, the highest that the plan of one of its keys has, unless the operator has set the
 * account's own.
 *
 * @param plans of its usable keys. Without any, it has the standard plan.
 */
export function accountLimits(
  plans: readonly Plan[],
  own: Partial<AccountLimits> | null,
  ofPlan: PlanLimits,
): AccountLimits {
  const known: readonly Plan[] = plans.length === 0 ? ['standard'] : plans
  const limits = ACCOUNT_LIMITS.map((name) => [
    name,
    own?.[name] ?? Math.max(...known.map((plan) => ofPlan[plan][name])),
  ])
  return Object.fromEntries(limits)
}

/** @param changes by plan; limits that it does not name are unchanged. */
export function changedPlanLimits(
  changes: Readonly<Partial<Record<Plan, Partial<AccountLimits>>>>,
): PlanLimits {
  const changed = Object.entries(PLAN_LIMITS).map(([plan, limits]) => [
    plan,
    { ...limits, ...changes[plan as Plan] },
  ])
  return Object.fromEntries(changed)
}

/** Returns the message of a rejection. */
export function exceededMessage(name: AccountLimit, allowed: number): string {
  return `The account's limit ${name} is ${allowed}, and this request would exceed it. ${REMEDIES[name]}`
}

const REMEDIES: Readonly<Record<AccountLimit, string>> = {
  projects: 'Delete a project, or ask the operator of the service for a higher limit.',
  pages_per_project: 'Delete pages of the project, or ask the operator of the service for a higher limit.',
  draft_bytes: 'Delete or shorten pages, or ask the operator of the service for a higher limit.',
  release_bytes:
    'Older releases are deleted within an hour. Publish less often, delete projects, or ask the operator of the service for a higher limit.',
  media_bytes: 'Delete pictures and files, or ask the operator of the service for a higher limit.',
  webhooks: 'Delete a webhook, or ask the operator of the service for a higher limit.',
  members: 'Remove a member, or ask the operator of the service for a higher limit.',
  unfinished_jobs: 'Wait until a job ends, or cancel scheduled publishes.',
}
