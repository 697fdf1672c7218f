import { foldedAddress } from './slug.ts'

/* Tags of pages, and the addresses of the lists that they have on a site. */

/** Tags of a page. */
export const MAX_TAGS = 20
/** In code points. */
export const MAX_TAG_LENGTH = 50
/**
 * Maximum of an address in UTF-8: file systems store names of at most 255 bytes. Few names of that length have more.
 */
export const MAX_TAG_ADDRESS_BYTES = 250

/**
 * The last segment of a tag's address: letters and digits of any script in lower case, everything else as hyphens.
 * Names with one address are one tag, such as `Node JS` and `node-js`. `+` and `#` at the end of a word are spelt out,
 * so that C, C++ and C# stay three tags. Empty for a name without a letter or digit.
 */
export function tagAddress(name: string): string {
  const address = foldedAddress(name)
    .replace(/(?<=[\p{L}\p{N}+])\+/gu, '-plus')
    .replace(/(?<=[\p{L}\p{N}])#/gu, '-sharp')
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')
    .replace(/^[-\p{M}]+|-$/gu, '')
  // Again, because a sigma before a dot is not at the end of a word, but before a hyphen it is.
  return foldedAddress(address)
}

/** Reports whether a text can be the name of a tag. */
export function isTagName(text: string): boolean {
  if ([...text].length > MAX_TAG_LENGTH || /\p{Cc}/u.test(text)) return false
  const address = tagAddress(text)
  return address !== '' && Buffer.byteLength(address) <= MAX_TAG_ADDRESS_BYTES
}

/**
 * The names in a written value: a list of texts and numbers, or one of them. Other values are ignored, and so are names
 * after `MAX_TAGS`. Of several spellings of one tag the first counts.
 */
export function readTags(value: unknown): readonly string[] {
  if (value === undefined || value === null) return NO_TAGS
  const written = Array.isArray(value) ? value : [value]
  const names = written.flatMap((name) => {
    if (typeof name !== 'string' && typeof name !== 'number') return []
    const text = String(name).trim()
    return isTagName(text) ? [text] : []
  })
  return names.length === 0 ? NO_TAGS : distinctTags(names).slice(0, MAX_TAGS)
}

/** Without names whose address an earlier name has. */
export function distinctTags(names: readonly string[]): readonly string[] {
  const byAddress = new Map<string, string>()
  for (const name of names) {
    const address = tagAddress(name)
    if (!byAddress.has(address)) byAddress.set(address, name)
  }
  return [...byAddress.values()]
}

/** Shared, because most pages have none. */
export const NO_TAGS: readonly string[] = []
