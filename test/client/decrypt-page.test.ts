import { createCipheriv, randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decryptPage, type SealedPage } from '../../src/client/decrypt-page.ts'
import { runs } from '../support/long-form.ts'

/** Seals as the CDN layout says: AES-256-GCM, twelve bytes of IV, sixteen of tag, no additional data. */
function seal(key: Buffer, page: object): SealedPage {
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, iv, { authTagLength: 16 })
  const ciphertext = Buffer.concat([cipher.update(JSON.stringify(page), 'utf8'), cipher.final()])
  return {
    iv: iv.toString('base64'),
    ciphertext: ciphertext.toString('base64'),
    tag: cipher.getAuthTag().toString('base64'),
  }
}

const key = randomBytes(32)
const shown = key.toString('base64')
const page = { project_id: 'proj_a', id: 'page_a', title: 'Öffnungszeiten 🕘', html: '<p>…</p>' }

describe('decryptPage', () => {
  test('opens whatever was sealed', async () => {
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.string(), fc.jsonValue()), async (fields) => {
        const any = { ...page, config: fields }
        expect(await decryptPage(shown, seal(key, any))).toEqual(JSON.parse(JSON.stringify(any)))
      }),
      { numRuns: runs(50) },
    )
  })

  test('opens the page that is expected, and no other', async () => {
    const sealed = seal(key, page)
    await expect(decryptPage(shown, sealed, { project_id: 'proj_a', id: 'page_a' })).resolves.toEqual(page)
    await expect(decryptPage(shown, sealed, { id: 'page_b' })).rejects.toThrow('not the expected one')
  })

  test('refuses a key of another project', async () => {
    await expect(decryptPage(randomBytes(32).toString('base64'), seal(key, page))).rejects.toThrow()
  })

  test.each(['iv', 'ciphertext', 'tag'] as const)(
    'refuses a file whose %s was changed anywhere',
    async (part) => {
      const sealed = seal(key, page)
      const bytes = Buffer.from(sealed[part], 'base64')
      for (let i = 0; i < bytes.length; i += 5) {
        const changed = Buffer.from(bytes)
        changed[i] = (changed[i] ?? 0) ^ 1
        await expect(decryptPage(shown, { ...sealed, [part]: changed.toString('base64') })).rejects.toThrow()
      }
    },
  )

  test('refuses a tag that was cut short', async () => {
    const sealed = seal(key, page)
    const short = Buffer.from(sealed.tag, 'base64').subarray(0, 4).toString('base64')
    await expect(decryptPage(shown, { ...sealed, tag: short })).rejects.toThrow()
  })
})
