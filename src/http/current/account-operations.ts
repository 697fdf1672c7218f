import type { AccountLimits, AccountUsage } from '../../domain/account-limits.ts'
import { keyOf } from '../../domain/caller.ts'
import { prefixed } from '../../domain/ids.ts'
import type { Allowance, WindowUsage } from '../../domain/rate-limit.ts'
import type { LimitStatus, RateLimits } from '../../limits/rate-limits.ts'
import type { UsageService } from '../../services/accounts/usage.ts'
import { type Endpoint, endpointsWith, record } from '../endpoint.ts'
import { keySubject } from '../middleware/rate-limit.ts'
import { json } from '../openapi/operation.ts'
import { Usage, User } from './project-answers.ts'

export interface AccountOperationPorts {
  readonly usage: UsageService
  /** Counts the requests of keys. */
  readonly limits: Pick<RateLimits, 'usage' | 'peek'>
}

const endpoint = endpointsWith<AccountOperationPorts>()

export const ACCOUNT_OPERATIONS: readonly Endpoint<AccountOperationPorts>[] = [
  endpoint({
    id: 'getMe',
    method: 'get',
    path: '/users/me',
    tag: 'Account',
    summary: 'Get the caller',
    client: 'users.me',
    permission: null,
    description: 'The user and the key of the request.',
    answers: [json(200, 'The caller.', User)],
    async run({ caller }) {
      const { userId, email, projectScope } = caller
      return record({
        id: prefixed('usr', userId),
        email,
        api_key_id: prefixed('key', keyOf(caller)),
        project_scope: projectScope === null ? null : prefixed('proj', projectScope),
      })
    },
  }),
  endpoint({
    id: 'getUsage',
    method: 'get',
    path: '/users/me/usage',
    tag: 'Account',
    summary: 'Get usage and limits',
    client: 'users.usage',
    description: [
      'Each limit and the amount used: requests of this key, and content that the account stores.',
      'A request that would exceed a limit of the account is refused with `forbidden`, which names the limit and its number.',
    ].join(' '),
    answers: [json(200, 'The usage.', Usage)],
    async run({ caller }, { usage, limits }) {
      const { used, allowed, largestProject } = await usage.ofCaller(caller)
      const key = keySubject(caller)
      const requests = await limits.usage(key)
      const visits = await limits.peek({ subject: key, budget: 'visits' })
      const projectId = largestProject === null ? null : prefixed('proj', largestProject)
      const stored = presentStored(used, allowed)
      return record({
        requests: { ...presentRequests(requests, caller.allowance), visits: presentVisits(visits) },
        account: {
          ...stored,
          pages_per_project: { ...stored.pages_per_project, project_id: projectId },
        },
      })
    },
  }),
]

const WINDOWS: Readonly<Record<keyof Allowance, string>> = {
  burst: '10 s',
  minute: '60 s',
  hour: '3600 s',
  month: 'calendar month',
  create_page: '60 s',
  update_page: '60 s',
  create_project: '60 s',
}

function presentRequests(used: WindowUsage, allowed: Allowance) {
  const present = (name: keyof Allowance) => ({
    used: used[name],
    allowed: shown(allowed[name]),
    window: WINDOWS[name],
  })
  return {
    burst: present('burst'),
    minute: present('minute'),
    hour: present('hour'),
    month: present('month'),
    create_page: present('create_page'),
    update_page: present('update_page'),
    create_project: present('create_project'),
  }
}

/** Requests for published pages and previews, which have a budget of their own on every plan. */
function presentVisits({ limit, remaining }: LimitStatus) {
  return { used: limit - remaining, allowed: limit, window: '60 s' }
}

function presentStored(used: AccountUsage, allowed: AccountLimits) {
  const present = (name: keyof AccountUsage) => ({
    used: used[name],
    allowed: shown(allowed[name]),
    window: null,
  })
  return {
    projects: present('projects'),
    pages_per_project: present('pages_per_project'),
    draft_bytes: present('draft_bytes'),
    release_bytes: present('release_bytes'),
    media_bytes: present('media_bytes'),
    webhooks: present('webhooks'),
    members: present('members'),
    unfinished_jobs: present('unfinished_jobs'),
  }
}

/** JSON has no `Infinity`. */
function shown(limit: number): number | null {
  return limit === Infinity ? null : limit
}
