/** The entries of `wanted` that occur less often in `present`. */
export function missingFrom(wanted: readonly string[], present: readonly string[]): readonly string[] {
  const counts = new Map<string, number>()
  for (const each of present) counts.set(each, (counts.get(each) ?? 0) + 1)
  return wanted.filter((each) => {
    const count = counts.get(each) ?? 0
    counts.set(each, count - 1)
    return count <= 0
  })
}
