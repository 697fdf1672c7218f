import { isPicture, type MediaSource } from '../../domain/media.ts'
import type { FileBody } from '../../platform/file-body.ts'
import type { SitePictures } from './site-pictures.ts'

/** Media that the pages of a site in Data Mode may show. A publish seals the ones they do show. */
export interface SealedMedia {
  /** All files of the site. */
  readonly media: MediaSource
  /** Bytes of these files and of smaller images, by digest. */
  readonly originals: ReadonlyMap<string, FileBody>
}

/**
 * The files of a site as originals, from which a publish copies the media of a page.
 *
 * @param bodies the files of the assets, by path on the site.
 * @param pictures with the images without metadata, which replace the originals of the folder.
 */
export function sealedMedia(
  bodies: ReadonlyMap<string, FileBody>,
  { media, files }: Pick<SitePictures, 'media' | 'files'>,
): SealedMedia {
  const derived = new Map(files.map((file) => [file.key, file]))
  const originals = new Map<string, FileBody>()
  const shown = [...bodies].map(([path, body]) => {
    const { digest, size } = original(derived.get(path) ?? body)
    const known = media[path]
    const file = { ...known, key: path, digest, bytes: size }
    if (known === undefined || !isPicture(known)) return [path, file] as const
    const variants = known.variants.map((variant) => {
      const stored = derived.get(variant.key)
      if (stored === undefined) throw new Error(`The variant ${variant.key} was not derived.`)
      original(stored)
      return { ...variant, stored: { digest: stored.digest, bytes: stored.size } }
    })
    return [path, { ...known, ...file, variants }] as const
  })
  return { media: Object.fromEntries(shown), originals }

  function original(body: FileBody): FileBody {
    originals.set(body.digest, body)
    return body
  }
}
