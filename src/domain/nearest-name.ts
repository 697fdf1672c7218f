/**
 * A question that suggests the nearest name, to follow a sentence: ` Is it title?`. Empty when no name is near.
 */
export function didYouMean(written: string, names: Iterable<string>): string {
  const most = Math.min(MAX_STEPS, Math.floor(written.length / 2))
  const all = [...names]
  const long = written.length < MIN_ABBREVIATION ? undefined : all.find((name) => name.startsWith(written))
  if (long !== undefined) return ` Is it ${long}?`
  const [near] = all
    .filter((name) => Math.abs(name.length - written.length) <= most)
    .map((name) => ({ name, steps: stepsBetween(written, name) }))
    .filter(({ steps }) => steps <= most)
    .sort((a, b) => a.steps - b.steps)
  return near === undefined ? '' : ` Is it ${near.name}?`
}

const MAX_STEPS = 2
/** A word of this length that starts a name is taken for it: `warn` for `warning`. */
const MIN_ABBREVIATION = 4

/** Levenshtein distance. */
function stepsBetween(one: string, other: string): number {
  let row = [...Array(other.length + 1).keys()]
  for (const [at, letter] of [...one].entries()) {
    const next = [at + 1]
    for (const [place, against] of [...other].entries()) {
      const changed = (row[place] ?? 0) + (letter === against ? 0 : 1)
      next.push(Math.min(changed, (row[place + 1] ?? 0) + 1, (next[place] ?? 0) + 1))
    }
    row = next
  }
  return row.at(-1) ?? 0
}
