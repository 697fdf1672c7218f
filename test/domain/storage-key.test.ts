import { posix } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ProjectId } from '../../src/domain/ids.ts'
import {
  assertSafeKey,
  assertSafePrefix,
  isSafeKey,
  projectPrefix,
  storageKey,
} from '../../src/domain/storage-key.ts'

const project = 'aaaaaaaaaaaaaaaa' as ProjectId
const segment = fc.oneof(fc.constantFrom('', '.', '..', 'a', 'a.b', '...', 'é'), fc.string({ maxLength: 5 }))

describe('storage keys', () => {
  test('stay below the prefix of their project, whatever is asked for', () => {
    fc.assert(
      fc.property(fc.array(segment, { maxLength: 6 }), (segments) => {
        const key = segments.join('/')
        if (!isSafeKey(`${projectPrefix(project)}${key}`)) {
          expect(() => storageKey(project, key)).toThrow(RangeError)
          return
        }
        const full = storageKey(project, key)
        expect(posix.normalize(`/root/${full}`)).toBe(`/root/${full}`)
        expect(full.startsWith('proj_aaaaaaaaaaaaaaaa/')).toBe(true)
      }),
    )
  })

  test.each([
    '',
    '/etc/passwd',
    '../other',
    'a/../b',
    'a/./b',
    'a//b',
    'a/',
    'a\\b',
    'a\u0000b',
    'a\nb',
    'a\ud800',
    `${'é'.repeat(512)}x`,
  ])('are refused in the form %j', (key) => {
    expect(isSafeKey(key)).toBe(false)
    expect(() => assertSafeKey(key)).toThrow(/^Unsafe storage key: /)
  })

  test('may have up to 1024 bytes, as in a bucket', () => {
    expect(isSafeKey('x'.repeat(1024))).toBe(true)
    expect(isSafeKey('x'.repeat(1025))).toBe(false)
    expect(isSafeKey('é'.repeat(512))).toBe(true)
  })

  test('an error quotes only the beginning of a long key', () => {
    expect(() => assertSafeKey(`../${'x'.repeat(10_000)}`)).toThrow(/^.{1,300}$/)
  })

  test('a prefix may be empty or end within a segment, but may not leave the root', () => {
    for (const prefix of ['', 'docs/', 'docs/in', 'proj_a/'])
      expect(() => assertSafePrefix(prefix)).not.toThrow()
    for (const prefix of ['/', '../', 'a//', 'a\\'])
      expect(() => assertSafePrefix(prefix)).toThrow(RangeError)
  })
})
