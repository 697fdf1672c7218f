import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { BuiltObject } from '../../src/deploy/built-folder.ts'
import { planDeploy } from '../../src/deploy/deploy-plan.ts'
import type { DeployedFile } from '../../src/deploy/deploy-record.ts'
import { STAGES } from '../../src/domain/artifact.ts'

const NOW = '2026-11-25T12:00:00.000Z'
const KEYS = ['_assets/a.css', '_assets/b.js', 'a/index.html', 'b/index.html', 'index.html', '_index.json']
const hoursAgo = (hours: number) => new Date(Date.parse(NOW) - hours * 3_600_000).toISOString()

const anyStage = fc.constantFrom(...STAGES)
const anyDigest = fc.constantFrom('1', '2')
const anyBuilt = fc
  .uniqueArray(fc.record({ key: fc.constantFrom(...KEYS), digest: anyDigest, stage: anyStage }), {
    selector: ({ key }) => key,
  })
  .map((objects) =>
    objects.map(
      (object): BuiltObject => ({ ...object, file: `/dist/${object.key}`, size: 1, bodyDigest: '' }),
    ),
  )
const anyFile: fc.Arbitrary<DeployedFile> = fc.record(
  {
    digest: fc.option(anyDigest, { nil: null }),
    stage: anyStage,
    goneSince: fc.constantFrom(hoursAgo(1), hoursAgo(25)),
  },
  { requiredKeys: ['digest', 'stage'] },
)
const anyFiles = fc.dictionary(fc.constantFrom(...KEYS), anyFile)
const anyKeys = fc.uniqueArray(fc.constantFrom(...KEYS, 'foreign.txt')).map((keys) => new Set(keys))

const plan = (
  built: readonly BuiltObject[],
  files: Readonly<Record<string, DeployedFile>>,
  there: ReadonlySet<string>,
  { now = NOW, all = false } = {},
) => planDeploy(built, { run: '', files }, there, { now, all })

describe('a deploy', () => {
  test('leaves the target with exactly the built files, and assets of the last day', () => {
    fc.assert(
      fc.property(anyBuilt, anyFiles, anyKeys, (built, files, there) => {
        const { uploads, deletes, retired } = plan(built, files, there)
        const after = new Set(there)
        for (const { key } of uploads) after.add(key)
        for (const key of deletes) after.delete(key)
        for (const { key } of built) expect(after).toContain(key)
        for (const key of after) {
          const isBuilt = built.some((object) => object.key === key)
          expect(isBuilt || key in retired || !(key in files)).toBe(true)
        }
      }),
    )
  })

  test('never removes a file that no deploy put there, nor one that it uploads or retires', () => {
    fc.assert(
      fc.property(anyBuilt, anyFiles, anyKeys, (built, files, there) => {
        const { uploads, deletes, retired } = plan(built, files, there)
        for (const key of deletes) {
          expect(Object.keys(files)).toContain(key)
          expect(Object.keys(retired)).not.toContain(key)
          expect(uploads.map((upload) => upload.key)).not.toContain(key)
        }
      }),
    )
  })

  test('uploads what is new, changed or missing, and nothing else', () => {
    fc.assert(
      fc.property(anyBuilt, anyFiles, anyKeys, (built, files, there) => {
        const { uploads, unchanged } = plan(built, files, there)
        const isCurrent = ({ key, digest }: BuiltObject) => there.has(key) && files[key]?.digest === digest
        expect(uploads.map(({ key }) => key)).toEqual(
          built.filter((one) => !isCurrent(one)).map(({ key }) => key),
        )
        expect(unchanged + uploads.length).toBe(built.length)
      }),
    )
  })

  test('has nothing to upload or to remove right after it has succeeded', () => {
    fc.assert(
      fc.property(anyBuilt, anyFiles, anyKeys, (built, files, there) => {
        const { retired } = plan(built, files, there)
        const recorded = Object.fromEntries(built.map(({ key, digest, stage }) => [key, { digest, stage }]))
        const next = plan(built, { ...retired, ...recorded }, new Set([...KEYS]))
        expect(next.uploads).toEqual([])
        expect(next.deletes).toEqual([])
        expect(next.retired).toEqual(retired)
      }),
    )
  })

  test('uploads every file once when it is of everything, current files as such', () => {
    fc.assert(
      fc.property(anyBuilt, anyFiles, anyKeys, (built, files, there) => {
        const some = new Map(plan(built, files, there).uploads.map(({ key, reason }) => [key, reason]))
        const { uploads } = plan(built, files, there, { all: true })
        expect(uploads.map(({ key, reason }) => [key, reason])).toEqual(
          built.map(({ key }) => [key, some.get(key) ?? 'again']),
        )
      }),
    )
  })

  test('names the files that it would put over what others put there', () => {
    fc.assert(
      fc.property(anyBuilt, anyFiles, anyKeys, (built, files, there) => {
        const foreign = built.map(({ key }) => key).filter((key) => there.has(key) && !(key in files))
        expect(plan(built, files, there).foreign).toEqual(foreign)
      }),
    )
  })

  test('removes what names other files before the files that it names', () => {
    fc.assert(
      fc.property(anyFiles, (files) => {
        const { deletes } = plan([], files, new Set(KEYS))
        const stages = deletes.map((key) => STAGES.indexOf(files[key]?.stage ?? 'asset'))
        expect(stages).toEqual(stages.toSorted((a, b) => b - a))
      }),
    )
  })
})

describe('a file of a deploy that was interrupted', () => {
  const built: BuiltObject = {
    key: 'a/index.html',
    file: '/dist/a',
    size: 1,
    bodyDigest: '',
    digest: '1',
    stage: 'page',
  }

  test('is uploaded again, since it is not known which of its bytes arrived', () => {
    const files = { 'a/index.html': { digest: null, stage: 'page' } } as const
    expect(plan([built], files, new Set(['a/index.html'])).uploads).toMatchObject([{ reason: 'changed' }])
    expect(plan([built], files, new Set()).uploads).toMatchObject([{ reason: 'new' }])
  })
})

describe('an asset that the site no longer has', () => {
  const asset = (goneSince?: string, key = '_assets/a.css') => ({
    [key]: { digest: '1', stage: 'asset' as const, ...(goneSince !== undefined && { goneSince }) },
  })

  test.each(['_assets/a.css', '_media/photo.1f2e-320.webp'])(
    'stays for a day after the first deploy without it, for pages that are open: %s',
    (key) => {
      const existing = new Set([key])
      expect(plan([], asset(undefined, key), existing)).toMatchObject({
        deletes: [],
        retired: { [key]: { goneSince: NOW } },
      })
      expect(plan([], asset(hoursAgo(23), key), existing).retired).toEqual(asset(hoursAgo(23), key))
      expect(plan([], asset(hoursAgo(24), key), existing)).toMatchObject({ deletes: [key], retired: {} })
    },
  )

  test('is forgotten when someone removed it from the target', () => {
    expect(plan([], asset(), new Set())).toMatchObject({ deletes: [], retired: {} })
  })

  test('stays neither as a page nor under a name that only looks like an asset', () => {
    const files = { 'docs/_assets/a.css': { digest: '1', stage: 'page' } } as const
    expect(plan([], files, new Set(Object.keys(files))).deletes).toEqual(['docs/_assets/a.css'])
  })
})
