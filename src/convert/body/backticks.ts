/** Returns a run of backticks that can enclose the code: at least `fewest`, and more than any run in it. */
export function backticksFor(code: string, fewest: number): string {
  const longest = [...code.matchAll(/`+/g)].reduce((most, [run]) => Math.max(most, run.length), 0)
  return '`'.repeat(Math.max(fewest, longest + 1))
}
