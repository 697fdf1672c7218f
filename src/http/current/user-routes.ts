import Router from '@koa/router'
import type { AccountLimits, AccountUsage } from '../../domain/account-limits.ts'
import { keyOf } from '../../domain/caller.ts'
import { prefixed } from '../../domain/ids.ts'
import type { Allowance, WindowUsage } from '../../domain/rate-limit.ts'
import type { LimitStatus, RateLimits } from '../../limits/rate-limits.ts'
import type { UsageService } from '../../services/accounts/usage.ts'
import type { ApiState } from '../api.ts'
import { keySubject } from '../middleware/rate-limit.ts'

export interface UserRoutePorts {
  readonly usage: UsageService
  /** Counts the requests of keys. */
  readonly limits: {
    usage: RateLimits['usage']
    peek: RateLimits['peek']
  }
}

export function userRoutes({ usage, limits }: UserRoutePorts): Router<ApiState> {
  const router = new Router<ApiState>({ prefix: '/users' })

  router.get('/me', (ctx) => {
    const { caller } = ctx.state
    const { userId, email, projectScope } = caller
    ctx.body = {
      data: {
        id: prefixed('usr', userId),
        email,
        api_key_id: prefixed('key', keyOf(caller)),
        project_scope: projectScope === null ? null : prefixed('proj', projectScope),
      },
    }
  })

  router.get('/me/usage', async (ctx) => {
    const { caller } = ctx.state
    const { allowance } = caller
    const { used, allowed, largestProject } = await usage.ofCaller(caller)
    const key = keySubject(caller)
    const requests = await limits.usage(key)
    const visits = await limits.peek({ subject: key, budget: 'visits' })
    const projectId = largestProject === null ? null : prefixed('proj', largestProject)
    const stored = presentStored(used, allowed)
    ctx.body = {
      data: {
        requests: { ...presentRequests(requests, allowance), visits: presentVisits(visits) },
        account: {
          ...stored,
          pages_per_project: { ...stored.pages_per_project, project_id: projectId },
        },
      },
    }
  })

  return router
}

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
