import { expect, test } from 'vitest'
import type { UserId } from '../../../src/domain/ids.ts'
import type { ApiState } from '../../../src/http/api.ts'
import { paceLargeRequests } from '../../../src/http/middleware/pace-large-requests.ts'
import { createFairLimit } from '../../../src/platform/fair-limit.ts'
import { contextOf } from '../../support/koa-context.ts'
import { pageBody, startService } from '../../support/service.ts'

const MIB = 2 ** 20

/** Requests of accounts that wait for a large step, and pauses that end when the test says. */
function begin() {
  const went: string[] = []
  const pauses: { readonly ms: number; readonly end: () => void }[] = []
  const middleware = paceLargeRequests({
    largeTurns: createFairLimit({ total: 1, perAccount: 1 }),
    pauses: { sleep: (ms) => new Promise((end) => pauses.push({ ms, end })) },
  })
  return {
    went,
    pauses,
    async request(name: string, bytes: number) {
      const ctx = contextOf('GET', '/')
      ctx.state['caller'] = { userId: name.slice(0, 1) as UserId }
      await middleware(ctx as Parameters<typeof middleware>[0], async () => {
        await (ctx.state as ApiState).pace?.(bytes)
        went.push(name)
      })
    },
    async endPause() {
      pauses.shift()?.end()
      await turn()
    },
  }
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

test('large steps run one at a time, with a pause by their size, and accounts take turns', async () => {
  const { request, endPause, went, pauses } = begin()
  for (const name of ['a1', 'a2', 'a3', 'b1']) void request(name, 5 * MIB)
  await turn()
  expect(went).toEqual(['a1'])
  expect(pauses.map(({ ms }) => ms)).toEqual([200])
  await endPause()
  expect(went).toEqual(['a1', 'a2'])
  await endPause()
  expect(went).toEqual(['a1', 'a2', 'b1'])
  await endPause()
  expect(went).toEqual(['a1', 'a2', 'b1', 'a3'])
})

test('small requests do not wait for large ones', async () => {
  const { request, went } = begin()
  void request('a1', 5 * MIB)
  void request('a2', 256 * 1024)
  await request('a3', 256 * 1024 - 1)
  await turn()
  expect(went.sort()).toEqual(['a1', 'a3'])
})

test('the service pauses between large pages, lists of them, and large bodies that it gets at once', async () => {
  const service = await startService()
  try {
    const project = await service.newProject()
    const large = { markdown_content: 'x'.repeat(MIB) }
    const { id } = (await service.call('POST', '/pages', pageBody(project, large))).body.data
    for (const [method, path, body] of [
      ['GET', `/pages/${id}`],
      ['GET', `/v1/pages/${id}`],
      ['GET', `/pages?project_id=${project}&include_content=true`],
      ['PUT', `/pages/${id}`, large],
    ] as const) {
      const began = performance.now()
      const answers = await Promise.all(Array.from({ length: 6 }, () => service.call(method, path, body)))
      expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200))
      // Five pauses of 40 ms; timers may be early by a millisecond.
      expect(performance.now() - began).toBeGreaterThan(190)
    }
  } finally {
    await service.close()
  }
})
