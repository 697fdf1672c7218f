import { expect, test } from 'vitest'
import type { ProjectId, UserId } from '../../src/domain/ids.ts'
import { createFairLimit } from '../../src/platform/fair-limit.ts'
import type { Owner } from '../../src/platform/fair-queue.ts'

/** A limit whose work ends when the test says. */
function begin(limits: { readonly total: number; readonly perAccount: number }) {
  const limit = createFairLimit(limits)
  const started: string[] = []
  const ends = new Map<string, (error?: Error) => void>()
  return {
    started,
    /** @param name account, project and a number, such as `aP1`. */
    run(name: string, signal?: AbortSignal) {
      const owner: Owner = { account: name.slice(0, 1) as UserId, project: name.slice(0, 2) as ProjectId }
      const work = () => {
        started.push(name)
        return new Promise<string>((resolve, reject) =>
          ends.set(name, (error) => (error === undefined ? resolve(name) : reject(error))),
        )
      }
      return limit(owner, work, signal)
    },
    async end(name: string, error?: Error) {
      await nextTurn()
      ends.get(name)?.(error)
      await nextTurn()
    },
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

test('accounts take turns, then their projects, and no account takes all places', async () => {
  const { run, end, started } = begin({ total: 3, perAccount: 2 })
  for (const name of ['aP1', 'aP2', 'aP3', 'aP4', 'aQ1', 'bP1', 'bP2']) void run(name)
  await nextTurn()
  expect(started).toEqual(['aP1', 'aP2', 'bP1'])
  await end('aP1')
  await end('aP2')
  await end('bP1')
  expect(started.slice(3)).toEqual(['aP3', 'bP2', 'aQ1'])
})

test('the result and the error of the work are those of the call, and both free its place', async () => {
  const { run, end, started } = begin({ total: 1, perAccount: 1 })
  const [first, second, third] = [run('aP1'), run('aP2'), run('aP3')]
  await end('aP1')
  await expect(first).resolves.toBe('aP1')
  const failed = expect(second).rejects.toThrow('No.')
  await end('aP2', new Error('No.'))
  await failed
  await end('aP3')
  await expect(third).resolves.toBe('aP3')
  expect(started).toEqual(['aP1', 'aP2', 'aP3'])
})

test('work that is aborted before its turn rejects at once and never starts', async () => {
  const { run, end, started } = begin({ total: 1, perAccount: 1 })
  const giveUp = new AbortController()
  const first = run('aP1')
  const [aborted, last] = [run('bP1', giveUp.signal), run('cP1')]
  giveUp.abort(new Error('Too late.'))
  await expect(aborted).rejects.toThrow('Too late.')
  await expect(run('aP2', giveUp.signal)).rejects.toThrow('Too late.')
  await end('aP1')
  await first
  expect(started).toEqual(['aP1', 'cP1'])
  await end('cP1')
  await last
})
