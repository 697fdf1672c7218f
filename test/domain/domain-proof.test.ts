import { describe, expect, test } from 'vitest'
import {
  afterDomainCheck,
  type DomainProof,
  domainKey,
  newDomainProof,
  nextDomainCheck,
  reopenedProof,
  vouchedProof,
} from '../../src/domain/domain-proof.ts'

const START = '2026-01-01T00:00:00.000Z'
const DAY_MS = 24 * 60 * 60 * 1000
const LATER = (ms: number) => new Date(Date.parse(START) + ms).toISOString()
const PROBLEM = { problem: 'There is no TXT record.' }

const pending = newDomainProof('pending', START)
const proved = afterDomainCheck(pending, { provedBy: 'dns' }, START)

/** Runs every check at its time, all with this result, until none is scheduled. */
function runChecks(
  proof: DomainProof,
  from: string,
): { readonly proof: DomainProof; readonly checks: string[] } {
  const checks: string[] = []
  let [state, at]: [DomainProof, string | null] = [proof, from]
  while (at !== null) {
    checks.push(at)
    state = afterDomainCheck(state, PROBLEM, at)
    at = nextDomainCheck(state, at)
  }
  return { proof: state, checks }
}

describe('a pending domain', () => {
  test('is active after the first successful check, and says how it was proved', () => {
    expect(proved).toMatchObject({ status: 'active', provedBy: 'dns', provedAt: START, problem: null })
  })

  test('is checked every five minutes, and fails after seven days', () => {
    const { proof, checks } = runChecks(pending, START)
    expect(proof).toMatchObject({ status: 'failed', problem: PROBLEM.problem })
    expect(checks.slice(0, 3)).toEqual([START, LATER(300_000), LATER(600_000)])
    expect(checks.at(-1)).toBe(LATER(7 * DAY_MS))
  })
})

describe('an active domain', () => {
  test('is checked every week', () => {
    expect(nextDomainCheck(proved, START)).toBe(LATER(7 * DAY_MS))
  })

  test('stays active through six failed checks, a day apart, and fails with the seventh', () => {
    const { proof, checks } = runChecks(proved, START)
    expect(proof.status).toBe('failed')
    expect(checks).toEqual([0, 1, 2, 3, 4, 5, 6].map((days) => LATER(days * DAY_MS)))
  })

  test('has failed checks forgotten by a successful one', () => {
    const failing = afterDomainCheck(afterDomainCheck(proved, PROBLEM, START), PROBLEM, START)
    expect(failing).toMatchObject({ status: 'active', failures: 2 })
    const mended = afterDomainCheck(failing, { provedBy: 'http' }, START)
    expect(mended).toMatchObject({ status: 'active', failures: 0, provedBy: 'http', problem: null })
    expect(runChecks(mended, START).checks).toHaveLength(7)
  })

  test('is not ended by a check when the operator vouches for it or it was set before proofs', () => {
    for (const proof of [vouchedProof(pending, START), newDomainProof('active', START)]) {
      expect(nextDomainCheck(proof, START)).toBeNull()
      let checked = proof
      for (let n = 0; n < 20; n++) checked = afterDomainCheck(checked, PROBLEM, START)
      expect(checked).toMatchObject({ status: 'active', problem: PROBLEM.problem })
      expect(nextDomainCheck(checked, START)).toBeNull()
    }
  })
})

test('a failed domain is not checked, and is pending for another week when a check is requested', () => {
  const { proof: failed } = runChecks(pending, START)
  expect(nextDomainCheck(failed, LATER(DAY_MS))).toBeNull()
  const reopened = reopenedProof(failed, LATER(30 * DAY_MS))
  expect(reopened).toMatchObject({ status: 'pending', problem: null })
  expect(runChecks(reopened, LATER(30 * DAY_MS)).checks.at(-1)).toBe(LATER(37 * DAY_MS))
})

test('a requested check changes nothing about an active domain', () => {
  expect(reopenedProof(proved, LATER(DAY_MS))).toEqual(proved)
})

test.each([
  ['www.acme.com', 'acme.com'],
  ['acme.com', 'acme.com'],
  ['docs.acme.com', 'docs.acme.com'],
  ['www.docs.acme.com', 'docs.acme.com'],
  ['www.www.acme.com', 'acme.com'],
  ['www.com', 'www.com'],
  ['www.www.com', 'www.com'],
  ['wwww.acme.com', 'wwww.acme.com'],
])('%s and %s are one site', (domain, key) => {
  expect(domainKey(domain)).toBe(key)
})
