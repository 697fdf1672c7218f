import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decryptPage } from '../../src/client/decrypt-page.ts'
import type { ProjectId } from '../../src/domain/ids.ts'
import { newContentKey, rewrapContentKey, unwrapContentKey } from '../../src/secrets/content-key.ts'
import { newMasterKey, parseMasterKey } from '../../src/secrets/master-key.ts'
import { open, openBytes, openFile, seal, sealBytes, sealFile } from '../../src/secrets/seal.ts'

const key = randomBytes(32)
const plaintext = Buffer.from(JSON.stringify({ title: 'Öffnungszeiten 🕘' }))

describe('what is sealed', () => {
  test('opens to the same bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array(), fc.uint8Array(), (bytes, context) => {
        expect(Buffer.from(open(seal(bytes, key, context), key, context))).toEqual(Buffer.from(bytes))
        expect(Buffer.from(openBytes(sealBytes(bytes, key, context), key, context))).toEqual(
          Buffer.from(bytes),
        )
        expect(Buffer.from(openFile(sealFile(bytes, key), key))).toEqual(Buffer.from(bytes))
      }),
    )
  })

  test('opens with plain WebCrypto', async () => {
    const file = JSON.parse(Buffer.from(sealFile(plaintext, key)).toString())
    expect(Object.keys(file)).toEqual(['iv', 'ciphertext', 'tag'])
    expect(await decryptPage(key.toString('base64'), file)).toEqual({ title: 'Öffnungszeiten 🕘' })
  })

  test.each(['iv', 'ciphertext', 'tag'] as const)('is refused when any bit of its %s was changed', (part) => {
    const sealed = seal(plaintext, key)
    const bytes = Buffer.from(sealed[part])
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const changed = Buffer.from(bytes)
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      expect(() => open({ ...sealed, [part]: changed }, key)).toThrow(RangeError)
    }
  })

  test('is refused with a tag cut short, another key, another context', () => {
    const sealed = seal(plaintext, key, Buffer.from('a'))
    expect(() => open({ ...sealed, tag: sealed.tag.subarray(0, 4) }, key, Buffer.from('a'))).toThrow(
      RangeError,
    )
    expect(() => open(sealed, randomBytes(32), Buffer.from('a'))).toThrow(RangeError)
    expect(() => open(sealed, key, Buffer.from('b'))).toThrow(RangeError)
  })

  test('has another iv each time', () => {
    const ivs = new Set(
      Array.from({ length: 100_000 }, () => Buffer.from(seal(plaintext, key).iv).toString('hex')),
    )
    expect(ivs.size).toBe(100_000)
  })
})

describe('a content key', () => {
  const [old, newer] = [newMasterKey(), newMasterKey()]
  const project = 'aaaaaaaaaaaaaaaa' as ProjectId
  const other = 'bbbbbbbbbbbbbbbb' as ProjectId
  const masterKey = parseMasterKey(old)

  test('is kept wrapped, for its project and version alone', () => {
    const kept = newContentKey(masterKey, project, 1)
    expect(unwrapContentKey(masterKey, project, kept)).toHaveLength(32)
    expect(kept.sealed).not.toContain(
      Buffer.from(unwrapContentKey(masterKey, project, kept)).toString('base64'),
    )
    expect(() => unwrapContentKey(masterKey, other, kept)).toThrow(RangeError)
    expect(() => unwrapContentKey(masterKey, project, { ...kept, version: 2 })).toThrow(RangeError)
    expect(() => unwrapContentKey(parseMasterKey(newer), project, kept)).toThrow(/master key/)
  })

  test('comes under a new master key without being changed', () => {
    const kept = newContentKey(masterKey, project, 1)
    const both = parseMasterKey(`${newer},${old}`)
    expect(unwrapContentKey(both, project, kept)).toEqual(unwrapContentKey(masterKey, project, kept))
    const moved = rewrapContentKey(both, project, kept)
    expect(moved.masterKeyId).toBe(both.id)
    expect(unwrapContentKey(parseMasterKey(newer), project, moved)).toEqual(
      unwrapContentKey(masterKey, project, kept),
    )
  })
})
