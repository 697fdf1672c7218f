/* How many requests more a costly request counts against its limits. */

/** Bytes of a body that are read, validated and stored in about the time of a small request. */
const BODY_UNIT = 256 * 1024
const VALUES_UNIT = 5_000
/** Bytes of a rendered document; most pages have less. */
const PREVIEW_UNIT = 64 * 1024
/** For a preview that is refused: its page took all the time that a page may take. */
export const REFUSED_PREVIEW_COST = 20

export function costOfBytes(bytes: number): number {
  return Math.floor(bytes / BODY_UNIT)
}

export function costOfValues(values: number): number {
  return Math.floor(values / VALUES_UNIT)
}

export function costOfPreview(html: string): number {
  return Math.floor(html.length / PREVIEW_UNIT)
}
