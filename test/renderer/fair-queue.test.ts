import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createFairQueue } from '../../src/renderer/fair-queue.ts'

const anyOwner = () => true

test('owners take turns, each in the order of its own work', () => {
  const queue = createFairQueue<string, number>()
  for (const [owner, work] of [
    ['a', 1],
    ['a', 2],
    ['a', 3],
    ['b', 1],
    ['c', 1],
  ] as const)
    queue.push(owner, work)
  const taken = Array.from({ length: 6 }, () => queue.take(anyOwner))
  expect(taken.map((it) => it && `${it.owner}${it.work}`)).toEqual(['a1', 'b1', 'c1', 'a2', 'a3', null])
})

test('an owner that may not go keeps its turn', () => {
  const queue = createFairQueue<string, number>()
  queue.push('a', 1)
  queue.push('b', 1)
  expect(queue.take((owner) => owner !== 'a')).toEqual({ owner: 'b', work: 1 })
  expect(queue.take((owner) => owner !== 'a')).toBeNull()
  expect(queue.take(anyOwner)).toEqual({ owner: 'a', work: 1 })
})

test('the only owner gets all turns until another owner has work', () => {
  const queue = createFairQueue<string, number>()
  for (const work of [1, 2, 3]) queue.push('a', work)
  expect(queue.takeOfOnly('b')).toBeNull()
  expect(queue.takeOfOnly('a')).toBe(1)
  queue.push('b', 1)
  expect(queue.takeOfOnly('a')).toBeNull()
  expect(queue.take((owner) => owner === 'b')).toEqual({ owner: 'b', work: 1 })
  expect([queue.takeOfOnly('a'), queue.takeOfOnly('a'), queue.takeOfOnly('a')]).toEqual([2, 3, null])
  expect(queue.take(anyOwner)).toBeNull()
})

test('all work is taken once, and an owner waits for at most one item of each other owner', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(4), { maxLength: 60 }), (owners) => {
      const queue = createFairQueue<number, number>()
      for (const [index, owner] of owners.entries()) queue.push(owner, index)
      const taken = owners.map(() => queue.take(anyOwner)?.work ?? -1)
      expect([...taken].sort((a, b) => a - b)).toEqual(owners.map((_, index) => index))
      expect(queue.take(anyOwner)).toBeNull()

      const order = taken.map((index) => owners[index])
      for (const owner of new Set(order)) {
        const turns = order.flatMap((it, index) => (it === owner ? [index] : []))
        turns.slice(1).forEach((turn, index) => {
          const between = order.slice((turns[index] ?? 0) + 1, turn)
          expect(new Set(between).size).toBe(between.length)
        })
      }
    }),
  )
})
