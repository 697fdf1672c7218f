import { createCipheriv, createHash, randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { decryptAsset } from '../../src/client/decrypt-asset.ts'

/** Seals as the CDN layout says: twelve bytes of IV, the ciphertext, sixteen bytes of tag, no additional data. */
function seal(key: Buffer, plaintext: Uint8Array): Uint8Array<ArrayBuffer> {
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, iv, { authTagLength: 16 })
  return new Uint8Array(Buffer.concat([iv, cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]))
}

const key = randomBytes(32)
const shown = key.toString('base64')
const picture = randomBytes(10_000)
const asset = { file: '_media/a.bin', digest: createHash('sha256').update(picture).digest('hex') }

describe('decryptAsset', () => {
  test('opens a file from an array buffer or from bytes, and an empty one', async () => {
    const sealed = seal(key, picture)
    expect(await decryptAsset(shown, sealed, asset)).toEqual(new Uint8Array(picture))
    expect(await decryptAsset(shown, sealed.buffer, asset)).toEqual(new Uint8Array(picture))
    const empty = { ...asset, digest: createHash('sha256').digest('hex') }
    expect(await decryptAsset(shown, seal(key, new Uint8Array()), empty)).toHaveLength(0)
  })

  test('refuses a key of another project', async () => {
    await expect(
      decryptAsset(randomBytes(32).toString('base64'), seal(key, picture), asset),
    ).rejects.toThrow()
  })

  test('refuses a file that was changed anywhere, or cut off', async () => {
    const sealed = seal(key, picture)
    for (const at of [0, 11, 12, 5_000, sealed.length - 17, sealed.length - 16, sealed.length - 1]) {
      const changed = sealed.map((byte, index) => (index === at ? byte ^ 1 : byte))
      await expect(decryptAsset(shown, changed, asset), `${at}`).rejects.toThrow()
    }
    for (const end of [0, 5, 12, 27, 28, 9_000, sealed.length - 1])
      await expect(decryptAsset(shown, sealed.slice(0, end), asset), `${end}`).rejects.toThrow()
  })

  test('refuses another file of the same key', async () => {
    const other = seal(key, randomBytes(10_000))
    await expect(decryptAsset(shown, other, asset)).rejects.toThrow('holds another file than the page names')
  })
})
