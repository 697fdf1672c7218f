import { describe, expect, test } from 'vitest'
import type { Caller } from '../../../src/domain/caller.ts'
import { allowanceOf } from '../../../src/domain/plan-allowance.ts'
import { countCalls, countVisits } from '../../../src/http/middleware/rate-limit.ts'
import type { CountedRequest, RateLimits } from '../../../src/limits/rate-limits.ts'
import { contextOf } from '../../support/koa-context.ts'

const caller = {
  via: { kind: 'key', id: 'key' },
  allowance: allowanceOf('standard', null),
} as unknown as Caller
const status = { limit: 1, remaining: 1, resetAt: 0, burstLimit: 1, burstRemaining: 1, windows: [] }

/** What the middleware counts a request as; null when it counts nothing. */
async function countedAs(
  count: typeof countVisits,
  method: string,
  path: string,
): Promise<Pick<CountedRequest, 'budget' | 'endpoint'> | null> {
  const counted: CountedRequest[] = []
  const limits = {
    take: async (request: CountedRequest) => {
      counted.push(request)
      return { ...status, refusal: null }
    },
  } as unknown as RateLimits
  const middleware = count({ limits, authenticate: async () => caller, trustProxy: [] })
  await middleware(contextOf(method, path), async () => {})
  const [first = null] = counted
  return first && { budget: first.budget, endpoint: first.endpoint }
}

describe('a request counts against the limit of its endpoint', () => {
  test.each([
    ['POST', '/pages', 'create_page'],
    ['POST', '/pages/', 'create_page'],
    ['POST', '/v1/pages', 'create_page'],
    ['POST', '/V1/Pages', 'create_page'],
    ['PUT', '/pages/page_x', 'update_page'],
    ['PUT', '/v1/pages/x/', 'update_page'],
    ['POST', '/projects', 'create_project'],
    ['POST', '/v1/projects/', 'create_project'],
  ])('%s %s is %s', async (method, path, endpoint) => {
    expect(await countedAs(countCalls as never, method, path)).toEqual({ budget: 'calls', endpoint })
  })

  test.each([
    ['GET', '/pages'],
    ['PUT', '/pages'],
    ['POST', '/pages/publish'],
    ['POST', '/pages/page_x/publish'],
    ['POST', '/v1/pages/publish'],
    ['POST', '/v2/pages'],
    ['POST', '/v1/v1/pages'],
    ['POST', '/x/pages'],
    ['POST', '/pagesx'],
    ['PUT', '/pages/page_x/publish'],
    ['PUT', '/x/pages/page_x'],
    ['PUT', '/pages//'],
    ['DELETE', '/pages/page_x'],
    ['GET', '/projects'],
    ['PUT', '/projects'],
    ['PUT', '/projects/proj_x'],
    ['POST', '/projects/proj_x'],
    ['POST', '/projects/proj_x/publish'],
    ['POST', '/projects/proj_x/webhooks'],
    ['POST', '/projects/proj_x/data-mode/enable'],
    ['POST', '/v1/projects/proj_x/data-mode'],
    ['POST', '/projectsx'],
    ['POST', '/x/projects'],
  ])('%s %s is none of them', async (method, path) => {
    expect(await countedAs(countCalls as never, method, path)).toEqual({ budget: 'calls', endpoint: null })
  })
})

describe('a request counts as a visit or as a call', () => {
  test.each(['/public/proj_x/', '/PUBLIC/proj_x/a', '/render/_assets/a.css'])(
    '%s is a visit that needs no key',
    async (path) => {
      expect(await countedAs(countVisits, 'GET', path)).toEqual({ budget: 'visits', endpoint: null })
    },
  )

  test.each(['/public', '/publicx/', '/x/public/y', '/render/page_x', '/render/_assetsx/', '/pages'])(
    '%s is counted with its key',
    async (path) => {
      expect(await countedAs(countVisits, 'GET', path)).toBeNull()
    },
  )

  test.each([
    ['/render/page_x', 'visits'],
    ['/Render/page_x', 'visits'],
    ['/renderx', 'calls'],
    ['/x/render/page_x', 'calls'],
    ['/pages/page_x', 'calls'],
  ])('%s counts against the %s', async (path, budget) => {
    expect(await countedAs(countCalls as never, 'GET', path)).toEqual({ budget, endpoint: null })
  })
})
