import { fromBase64 } from './base64.ts'
import type { SealedAsset } from './decrypt-asset.ts'

/** An encrypted file on the CDN; each part is base64. */
export interface SealedPage {
  readonly iv: string
  readonly ciphertext: string
  readonly tag: string
}

/** The content of an encrypted file; an `article` and a `docs` page also have their own fields. */
export interface OpenedPage {
  readonly project_id: string
  readonly id: string
  readonly title: string
  readonly slug: string
  readonly subroute: string
  readonly type: 'page' | 'article' | 'docs' | 'item'
  readonly url: string
  readonly description: string
  readonly og_image_url: string | null
  readonly meta: Readonly<Record<string, string | null>>
  readonly config: Readonly<Record<string, unknown>>
  readonly markdown_content: string | null
  /** The content as sanitised HTML. */
  readonly html: string
  /** The images and files that the page shows, by their address in `html`; absent for none. */
  readonly assets?: Readonly<Record<string, SealedAsset>>
  readonly published_at: string
  readonly release_id: string
  readonly [field: string]: unknown
}

/**
 * Decrypts a page of a project in Data Mode, in browsers and in Node.
 *
 * @param key the content key from the answer that enabled Data Mode.
 * @param expected the expected ids: an attacker who can write to the CDN could swap two files of one key.
 * @throws when the key is wrong, or the file is damaged or not the expected one.
 */
export async function decryptPage(
  key: string,
  { iv, ciphertext, tag }: SealedPage,
  expected: Partial<Pick<OpenedPage, 'project_id' | 'id'>> = {},
): Promise<OpenedPage> {
  const contentKey = await crypto.subtle.importKey('raw', fromBase64(key), 'AES-GCM', false, ['decrypt'])
  const algorithm = { name: 'AES-GCM', iv: fromBase64(iv), tagLength: 128 }
  const plaintext = await crypto.subtle.decrypt(algorithm, contentKey, fromBase64(ciphertext, tag))
  const page: OpenedPage = JSON.parse(new TextDecoder().decode(plaintext))
  const isOther = Object.entries(expected).some(([field, value]) => page[field] !== value)
  if (isOther)
    throw new Error(`The file holds page ${page.id} of project ${page.project_id}, not the expected one.`)
  return page
}
