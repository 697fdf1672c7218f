/** Whether tests run in their long form: every look of every page, each law tried often, a real S3 server. CI does. */
export const LONG_FORM = process.env['QUOIN_LONG'] === '1'

/** How often a law is tried that the long form tries so often. */
export function runs(often: number): number {
  return LONG_FORM ? often : Math.ceil(often / 8)
}

/**
 * Of many values every so-manieth, beginning at another for each turn, so that over the turns all come up;
 * in the long form all of them every time.
 */
export function shareOf<T>(values: readonly T[], oneOf: number, turn: number): readonly T[] {
  return LONG_FORM ? values : values.filter((_, index) => index % oneOf === turn % oneOf)
}

/** All of the cases in the long form, else the first of every few. */
export function some<Case>(cases: readonly Case[], every = 3): readonly Case[] {
  return cases.filter((_, index) => LONG_FORM || index % every === 0)
}
