import { normalForm } from './normal-form.ts'
/** Prefix of the name of an asset in content: `/media/team/ada.jpg`. */
export const MEDIA_PATH = '/media/'

/** Leaves room for the names of variants within what file systems and buckets allow. */
const MAX_NAME_BYTES = 200

export const NAME_RULE =
  'must be 1 to 200 bytes: segments joined by "/" of letters and digits of any script, "-", "_", ".", "@", "+" and spaces, without a "." or a space at the start of a segment or a space at its end'

/** Marks belong to the letters of many scripts. */
const SEGMENT = /^(?![. ])[\p{L}\p{M}\p{N}\-_.@+ ]+(?<! )$/u

/** The name of an asset in its stored form, which is normalised (NFC); null for text that is not a name. */
export function readMediaName(text: string): string | null {
  if (text.length > MAX_NAME_BYTES) return null
  const name = normalForm(text)
  const isName =
    Buffer.byteLength(name) <= MAX_NAME_BYTES && name.split('/').every((segment) => SEGMENT.test(segment))
  return isName ? name : null
}

/** Returns the address of an asset in content: its path, percent-encoded where Markdown and CSS need it. */
export function mediaAlias(name: string): string {
  return (
    MEDIA_PATH +
    name.split('/').map(encodeURIComponent).join('/').replaceAll('%40', '@').replaceAll('%2B', '+')
  )
}
