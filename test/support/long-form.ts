/** Whether tests run in their long form: all pages in all themes, more runs of property tests, a real S3 server. Set in CI. */
export const LONG_FORM = process.env['QUOIN_LONG'] === '1'

/** The number of runs of a property test. @param often the number in the long form. */
export function runs(often: number): number {
  return LONG_FORM ? often : Math.ceil(often / 8)
}

/**
 * Every nth value, starting at another one for each turn, so that all values are used over the turns. In the long
 * form all values, for each turn.
 */
export function shareOf<T>(values: readonly T[], oneOf: number, turn: number): readonly T[] {
  return LONG_FORM ? values : values.filter((_, index) => index % oneOf === turn % oneOf)
}

/** All cases in the long form. Otherwise every nth case. */
export function some<Case>(cases: readonly Case[], every = 3): readonly Case[] {
  return cases.filter((_, index) => LONG_FORM || index % every === 0)
}
