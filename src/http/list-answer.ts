import { MAX_LIST_BYTES } from '../domain/list-bytes.ts'

/** Bytes that everything but the items takes, at most. */
const ENVELOPE_BYTES = 4 * 1024

/**
 * The JSON of a list with as many of the items as fit, at least with one. Clients continue at the offset after the last
 * item that they got.
 *
 * @param present the item in the answer.
 * @param metaOf the `meta` of an answer with this number of items.
 */
export function listText<Item>(
  items: readonly Item[],
  present: (item: Item) => object,
  metaOf: (shown: number) => object,
): string {
  const texts: string[] = []
  let bytes = ENVELOPE_BYTES
  for (const item of items) {
    const text = JSON.stringify(present(item))
    bytes += Buffer.byteLength(text) + 1
    if (bytes >= MAX_LIST_BYTES && texts.length > 0) break
    texts.push(text)
  }
  return `{"data":[${texts.join(',')}],"meta":${JSON.stringify(metaOf(texts.length))}}`
}
