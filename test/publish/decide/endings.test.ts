import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ReleaseFailure, ReleaseState } from '../../../src/domain/release.ts'
import {
  type Ending,
  endedBeforeDeploy,
  failed,
  refused,
  statesBefore,
  wentLive,
} from '../../../src/publish/decide/endings.ts'
import { NOW, releasesOf } from './queue-model.ts'

const [release = expect.unreachable()] = releasesOf([{ page: 'a' }])
const outcome = { publishedAt: NOW, url: null, releaseId: release.id, changed: true, warnings: [] }
const CONFLICT: ReleaseFailure = { name: 'conflict', message: 'Taken.' }
const UNAVAILABLE: ReleaseFailure = { name: 'service_unavailable', message: 'Try again.' }

const endStates = fc.constantFrom<ReleaseState>('live', 'failed', 'reverted')
const openStates = fc.constantFrom<ReleaseState>('queued', 'claimed')
const failures = fc.constantFrom(CONFLICT, UNAVAILABLE)
const transitions = fc.constantFrom<(state: ReleaseState, failure: ReleaseFailure) => Ending>(
  (state) => wentLive({ ...release, state }, outcome, NOW),
  (state, failure) => failed({ release: { ...release, state }, failure }, NOW),
  (state, failure) => refused({ release: { ...release, state }, failure }, NOW),
  (state, failure) => endedBeforeDeploy({ release: { ...release, state }, failure }, NOW),
)

test('an end state is never left', () => {
  fc.assert(
    fc.property(endStates, transitions, failures, (state, move, failure) => {
      expect(() => move(state, failure)).toThrow(`Release ${release.id} is ${state}`)
    }),
  )
  for (const state of ['queued', 'claimed', 'live', 'failed', 'reverting', 'reverted'] as const)
    expect(statesBefore(state).filter((before) => /^(live|failed|reverted)$/.test(before))).toEqual([])
})

test('a release ends live with an outcome, or with a failure, and never with both', () => {
  fc.assert(
    fc.property(openStates, transitions, failures, (state, move, failure) => {
      const { release: ended } = move(state, failure)
      expect(statesBefore(ended.state)).toContain(state)
      expect(ended.state === 'live').toBe(ended.failure === null)
      expect(ended.state === 'live').toBe(ended.outcome !== null)
      expect(ended.finishedAt === null).toBe(ended.state === 'reverting')
    }),
  )
})

test('the edit of a refused release is undone, and that of one that the service failed is kept', () => {
  fc.assert(
    fc.property(openStates, failures, (state, failure) => {
      const { release: ended, undoesEdit } = endedBeforeDeploy(
        { release: { ...release, state }, failure },
        NOW,
      )
      expect(undoesEdit).toBe(failure === CONFLICT)
      expect(ended.state).toBe(state === 'claimed' ? 'reverting' : 'failed')
    }),
  )
})
