/** A list of the API stops before its answer is this long. Its first item is always in it, so that it can be read. */
export const MAX_LIST_BYTES = 8 * 1024 * 1024

/** Number of first items of these sizes that a list may have: at least one, if there is any. */
export function countWithin(sizes: readonly number[], maxBytes: number = MAX_LIST_BYTES): number {
  let bytes = 0
  const last = sizes.findIndex((size, index) => {
    bytes += size
    return index > 0 && bytes >= maxBytes
  })
  return last === -1 ? sizes.length : last
}
