const INITIALISMS = new Set(['url', 'id', 'api', 'sku', 'isbn', 'faq', 'pdf', 'cpu', 'gpu', 'ram'])

/** Turns `release_date` and `releaseDate` into `Release date`. Leaves text that is already readable. */
export function humanise(key: string): string {
  if (/^\p{Lu}|\s/u.test(key)) return key.trim()
  const words = key
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .split(/[\s_-]+/)
    .filter((word) => word !== '')
    .map((word) => (INITIALISMS.has(word.toLowerCase()) ? word.toUpperCase() : word.toLowerCase()))
  const text = words.join(' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}
