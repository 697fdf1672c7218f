import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ProjectId, UserId } from '../../src/domain/ids.ts'
import { createFairQueue, type FairQueue, type Owner } from '../../src/platform/fair-queue.ts'

const anyOwner = () => true

/** @param name the account's letter, then the project's, such as `aP`. */
function owner(name: string): Owner {
  return { account: name.slice(0, 1) as UserId, project: name as ProjectId }
}

/** A queue with work such as `aP1`: the first work of project P of account a. */
function queueOf(...works: readonly string[]): FairQueue<string> {
  const queue = createFairQueue<string>()
  for (const work of works) queue.push(owner(work.slice(0, 2)), work)
  return queue
}

function takeAll(queue: FairQueue<string>): readonly string[] {
  const taken: string[] = []
  for (let next = queue.take(anyOwner); next !== null; next = queue.take(anyOwner)) taken.push(next.work)
  return taken
}

test('accounts take turns, then the projects of an account, each in the order of its own work', () => {
  const queue = queueOf('aP1', 'aP2', 'aQ1', 'aR1', 'bP1', 'bP2', 'cP1')
  expect(takeAll(queue)).toEqual(['aP1', 'bP1', 'cP1', 'aQ1', 'bP2', 'aR1', 'aP2'])
})

test('the work of another account waits for one item of an account, in however many projects it waits', () => {
  const projects = Array.from({ length: 24 }, (_, n) => `a${String.fromCharCode(65 + n)}`)
  const queue = queueOf(...projects.flatMap((project) => [`${project}1`, `${project}2`]), 'bP1')
  expect(takeAll(queue).indexOf('bP1')).toBe(1)
})

test('urgent work comes first within its account, and takes no turn of another one', () => {
  const queue = queueOf('aP1', 'aP2', 'bP1', 'bP2')
  for (const work of ['aQ-urgent1', 'aP-urgent1', 'aP-urgent2'])
    queue.push(owner(work.slice(0, 2)), work, true)
  expect(takeAll(queue)).toEqual(['aQ-urgent1', 'bP1', 'aP-urgent1', 'bP2', 'aP-urgent2', 'aP1', 'aP2'])
})

test('an owner that may not go keeps its turn', () => {
  const queue = queueOf('aP1', 'aQ1', 'bP1')
  expect(queue.take(({ project }) => project !== 'aP')?.work).toBe('aQ1')
  expect(queue.take(({ account }) => account !== 'a')?.work).toBe('bP1')
  expect(queue.take(({ account }) => account !== 'a')).toBeNull()
  expect(takeAll(queue)).toEqual(['aP1'])
})

test('the only owner gets all turns until another project has work', () => {
  const queue = queueOf('aP1', 'aP2', 'aP3')
  queue.push(owner('aP'), 'aP-urgent', true)
  expect(queue.takeOfOnly(owner('bP'))).toBeNull()
  expect([queue.takeOfOnly(owner('aP')), queue.takeOfOnly(owner('aP'))]).toEqual(['aP-urgent', 'aP1'])
  for (const other of ['aQ1', 'bP1']) {
    queue.push(owner(other.slice(0, 2)), other)
    expect(queue.takeOfOnly(owner('aP'))).toBeNull()
    expect(queue.take(({ project }) => project === other.slice(0, 2))?.work).toBe(other)
  }
  expect([queue.takeOfOnly(owner('aP')), queue.takeOfOnly(owner('aP'))]).toEqual(['aP2', 'aP3'])
  expect(queue.takeOfOnly(owner('aP'))).toBeNull()
})

test('all work is taken once, and an account waits for at most one item of each other account', () => {
  const anyWork = fc.record({ account: fc.nat(3), project: fc.nat(2), urgent: fc.boolean() })
  fc.assert(
    fc.property(fc.array(anyWork, { maxLength: 60 }), (works) => {
      const queue = createFairQueue<number>()
      for (const [index, { account, project, urgent }] of works.entries())
        queue.push(owner(`${account}${project}`), index, urgent)
      const taken = works.map(() => queue.take(anyOwner)?.work ?? -1)
      expect([...taken].sort((a, b) => a - b)).toEqual(works.map((_, index) => index))
      expect(queue.take(anyOwner)).toBeNull()

      const accounts = taken.map((index) => works[index]?.account)
      for (const account of new Set(accounts)) {
        const turns = accounts.flatMap((it, index) => (it === account ? [index] : []))
        turns.slice(1).forEach((turn, index) => {
          const between = accounts.slice((turns[index] ?? 0) + 1, turn)
          expect(new Set(between).size).toBe(between.length)
        })
      }
    }),
  )
})
