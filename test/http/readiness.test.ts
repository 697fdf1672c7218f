import { expect, test } from 'vitest'
import { createReadiness } from '../../src/http/readiness.ts'

function readinessOf(check: () => Promise<void>) {
  let time = 0
  const failures: string[] = []
  const ready = createReadiness([{ name: 'store', timeoutMs: 20, check }], {
    monotonic: () => time,
    onFailure: (name, error) => failures.push(`${name}: ${error}`),
  })
  return { ready, failures, pass: (ms: number) => (time += ms) }
}

test('however often readiness is asked, each part is checked once a second', async () => {
  let checks = 0
  const { ready, pass } = readinessOf(async () => {
    checks += 1
  })
  await Promise.all(Array.from({ length: 1_000 }, ready))
  await Promise.all(Array.from({ length: 1_000 }, ready))
  expect(checks).toBe(1)
  pass(999)
  expect(await ready()).toEqual([true])
  expect(checks).toBe(1)
  pass(1)
  await ready()
  expect(checks).toBe(2)
})

test('a part that hangs is reported in time, and not checked again while it hangs', async () => {
  let checks = 0
  let release = () => {}
  const { ready, failures, pass } = readinessOf(() => {
    checks += 1
    return new Promise<void>((resolve) => (release = resolve))
  })
  expect(await ready()).toEqual([false])
  pass(1_000)
  expect(await ready()).toEqual([false])
  expect(checks).toBe(1)
  expect(failures).toEqual([
    'store: Error: It did not answer within 20 ms.',
    'store: Error: An earlier check has not ended yet.',
  ])
  release()
  await Promise.resolve()
  pass(1_000)
  const last = ready()
  release()
  expect(await last).toEqual([true])
})

test('a part that fails is reported, and works again after a second', async () => {
  let isBroken = true
  const { ready, failures, pass } = readinessOf(async () => {
    if (isBroken) throw new Error('The disk is full.')
  })
  expect(await ready()).toEqual([false])
  isBroken = false
  expect(await ready()).toEqual([false])
  pass(1_000)
  expect(await ready()).toEqual([true])
  expect(failures).toEqual(['store: Error: The disk is full.'])
})
