/** Whether tests run in their long form: every look of every page, each law tried often, a real S3 server. CI does. */
export const LONG_FORM = process.env['QUOIN_LONG'] === '1'

/** How often a law is tried that the long form tries so often. */
export function runs(often: number): number {
  return LONG_FORM ? often : Math.ceil(often / 4)
}
