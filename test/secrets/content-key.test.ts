import { expect, test } from 'vitest'
import type { ProjectId } from '../../src/domain/ids.ts'
import {
  keyIdOf,
  newContentKey,
  rewrapContentKey,
  unwrapContentKey,
  wrapContentKey,
} from '../../src/secrets/content-key.ts'
import { newMasterKey, parseMasterKey } from '../../src/secrets/master-key.ts'

const [project, other] = ['aaaaaaaaaaaaaaaa', 'bbbbbbbbbbbbbbbb'] as [ProjectId, ProjectId]
const masterKey = parseMasterKey(newMasterKey())

test('a content key of 32 bytes opens for its own project and version only', () => {
  const stored = newContentKey(masterKey, project, 1)
  expect(unwrapContentKey(masterKey, project, stored)).toHaveLength(32)
  expect(() => unwrapContentKey(masterKey, other, stored)).toThrow(RangeError)
  expect(() => unwrapContentKey(masterKey, project, { ...stored, version: 2 })).toThrow(RangeError)
})

test('two new keys are never the same', () => {
  const open = (version: number) =>
    unwrapContentKey(masterKey, project, newContentKey(masterKey, project, version))
  expect(open(1)).not.toEqual(open(1))
})

test('a key that its owner brings is stored as it is', () => {
  const key = new Uint8Array(32).fill(3)
  const stored = wrapContentKey(masterKey, project, 4, key)
  expect(new Uint8Array(unwrapContentKey(masterKey, project, stored))).toEqual(key)
  expect(stored.sealed).not.toContain(Buffer.from(key).toString('base64'))
})

test('a new master key wraps the same content key again', () => {
  const older = newMasterKey()
  const stored = newContentKey(parseMasterKey(older), project, 1)
  const both = parseMasterKey(`${newMasterKey()},${older}`)
  const again = rewrapContentKey(both, project, stored)
  expect(again.masterKeyId).toBe(both.id)
  expect(again.version).toBe(1)
  expect(unwrapContentKey(both, project, again)).toEqual(unwrapContentKey(both, project, stored))
})

test('a site names its key by the version', () => {
  expect(keyIdOf(3)).toBe('k3')
})

test('a key that an earlier version sealed still opens', () => {
  const known = parseMasterKey(Buffer.alloc(32, 7).toString('base64'))
  const stored = {
    version: 1,
    masterKeyId: 'c1ea692c958a77a1',
    sealed: 'SLUYZN7Q2qhV7guBMCKvXz2+9azE+Nx0CzMjmk1Y/cvRdYQRkr9aX+9bqVcUu2prVk/mK7/FKneubMh/',
  }
  expect(new Uint8Array(unwrapContentKey(known, project, stored))).toEqual(new Uint8Array(32).fill(3))
})
