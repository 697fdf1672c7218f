import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Artifact } from '../../../src/domain/artifact.ts'
import type { PageId, ReleaseId } from '../../../src/domain/ids.ts'
import type { LiveObject } from '../../../src/publish/ledger/live-state.ts'
import { type Plan, plan } from '../../../src/publish/pipeline/plan.ts'

const release = 'aaaaaaaaaaaaaaaa' as ReleaseId
const stamp = { releaseId: release, publishedAt: '2026-03-03T10:00:00.000Z' }
const owner = { kind: 'page', id: 'bbbbbbbbbbbbbbbb' as PageId } as const
const artifact = (key: string, text: string): Artifact => ({
  key,
  stage: 'page',
  owner,
  body: Buffer.from(text),
})
const planned = (artifacts: readonly Artifact[], live: readonly LiveObject[]) =>
  plan(artifacts, live, { keyId: null, stampOf: () => stamp })

/** The objects after a plan is deployed. */
const lying = (live: readonly LiveObject[], { uploads, deletes }: Plan): readonly LiveObject[] => [
  ...live.filter(
    ({ key }) =>
      !deletes.some((removal) => removal.key === key) &&
      !uploads.some(({ artifact }) => artifact.key === key),
  ),
  ...uploads.map(({ artifact: { key }, digest, headerDigest, keyId, writtenBy }) => {
    return { key, owner, digest, headerDigest, keyId, writtenBy }
  }),
]

const site = fc.uniqueArray(
  fc
    .tuple(fc.constantFrom('a', 'b', 'c', 'd', 'e'), fc.string())
    .map(([name, text]) => artifact(`${name}.html`, text)),
  { selector: ({ key }) => key },
)

describe('a plan', () => {
  test('leaves exactly the artifacts, whatever existed before', () => {
    fc.assert(
      fc.property(site, site, (first, second) => {
        const live = lying([], planned(first, []))
        const keys = lying(live, planned(second, live)).map(({ key }) => key)
        expect([...keys].sort()).toEqual(second.map(({ key }) => key).sort())
      }),
    )
  })

  test('for the same site again changes nothing', () => {
    fc.assert(
      fc.property(site, (artifacts) => {
        const live = lying([], planned(artifacts, []))
        const { uploads, keeps, deletes } = planned(artifacts, live)
        expect([uploads, deletes, keeps.length]).toEqual([[], [], artifacts.length])
      }),
    )
  })

  test('has a reason for each upload', () => {
    const live = lying([], planned([artifact('same.html', 'x'), artifact('changed.html', 'x')], []))
    const reheadered = live.map((object) =>
      object.key === 'same.html' ? { ...object, headerDigest: 'other' } : object,
    )
    const next = [artifact('same.html', 'x'), artifact('changed.html', 'y'), artifact('new.html', 'z')]
    expect(planned(next, reheadered).uploads.map(({ artifact, reason }) => [artifact.key, reason])).toEqual([
      ['same.html', 'headers'],
      ['changed.html', 'changed'],
      ['new.html', 'new'],
    ])
  })

  test('treats a claim as a missing object', () => {
    const claim = { key: 'a.html', owner, digest: null, headerDigest: null, keyId: null, writtenBy: null }
    expect(planned([artifact('a.html', 'x')], [claim]).uploads[0]?.reason).toBe('new')
    expect(planned([], [claim]).deletes).toEqual([])
  })

  test('never deletes an asset, which other pages may reference', () => {
    const asset = {
      key: '_assets/theme.0123456789abcdef.css',
      owner,
      digest: 'x',
      headerDigest: 'x',
      keyId: null,
      writtenBy: stamp,
    }
    expect(planned([], [asset]).deletes).toEqual([])
  })
})
