/** One sample of Prometheus' text format. */
export interface Sample {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

export interface Family {
  readonly type: string
  readonly help: string
  readonly samples: readonly Sample[]
}

const NAME = '[a-zA-Z_:][a-zA-Z0-9_:]*'
const LABEL = '[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\\\\n]|\\\\["\\\\n])*"'
const SAMPLE = new RegExp(`^(${NAME})(?:\\{(${LABEL}(?:,${LABEL})*),?\\})? (NaN|[+-]Inf|[+-]?[0-9.eE+-]+)$`)
const SUFFIXES: Readonly<Record<string, readonly string[]>> = {
  counter: [''],
  gauge: [''],
  histogram: ['_bucket', '_sum', '_count'],
}

/**
 * Parses Prometheus' text format as strictly as `promtool check metrics`: each family has a help and a type before
 * its samples and is not interrupted, counters end in `_total`, units have no prefixes, series are unique, and
 * histograms are complete and cumulative.
 *
 * @throws {Error} naming the line or the family.
 */
export function parseMetrics(text: string): ReadonlyMap<string, Family> {
  if (!text.endsWith('\n')) throw new Error('The last line does not end.')
  const families = new Map<string, { type: string; help: string; samples: Sample[] }>()
  let current = ''
  for (const line of text.split('\n')) {
    if (line === '') continue
    const comment = new RegExp(`^# (HELP|TYPE) (${NAME}) (.+)$`).exec(line)
    if (comment !== null) {
      const [, kind, name = '', rest = ''] = comment
      if (kind === 'HELP') {
        if (families.has(name)) throw new Error(`${name} comes twice.`)
        families.set(name, { type: '', help: rest, samples: [] })
        current = name
      } else {
        const family = families.get(name)
        if (family === undefined || name !== current || family.type !== '' || SUFFIXES[rest] === undefined)
          throw new Error(`A type where none belongs: ${line}`)
        family.type = rest
      }
      continue
    }
    const family = families.get(current)
    const [, name = '', labels = '', value = ''] = SAMPLE.exec(line) ?? []
    if (family === undefined || !(SUFFIXES[family.type] ?? []).some((suffix) => name === current + suffix))
      throw new Error(`No sample of ${current || 'any family'}: ${line}`)
    family.samples.push({ name, labels: readLabels(labels), value: Number(value.replace('Inf', 'Infinity')) })
  }
  for (const [name, family] of families) check(name, family)
  return families
}

function readLabels(text: string): Readonly<Record<string, string>> {
  const pairs = text.match(new RegExp(LABEL, 'g')) ?? []
  const entries = pairs.map((pair) => {
    const [name = '', quoted = ''] = pair.split(/=(.*)/s)
    return [name, quoted.slice(1, -1)] as const
  })
  if (new Set(entries.map(([name]) => name)).size < entries.length)
    throw new Error(`A label comes twice: ${text}`)
  return Object.fromEntries(entries)
}

function check(name: string, { type, help, samples }: Family): void {
  if (type === '' || !/^[A-Z].*\.$/.test(help)) throw new Error(`${name} has no type, or no sentence to it.`)
  if ((type === 'counter') !== name.endsWith('_total')) throw new Error(`${name} is a ${type}.`)
  if (/_(milliseconds|ms|minutes|kilobytes|kb|megabytes|mb)(_|$)/.test(name))
    throw new Error(`The unit of ${name}.`)
  const series = samples.map((sample) => JSON.stringify([sample.name, Object.entries(sample.labels).sort()]))
  if (new Set(series).size < series.length) throw new Error(`A series of ${name} comes twice.`)
  if (type !== 'gauge' && samples.some(({ value }) => !(value >= 0)))
    throw new Error(`${name} goes below zero.`)
  if (type === 'histogram') checkHistogram(name, samples)
}

function checkHistogram(name: string, samples: readonly Sample[]): void {
  const groups = new Map<string, Sample[]>()
  for (const sample of samples) {
    const { le: _, ...labels } = sample.labels
    const key = JSON.stringify(labels)
    groups.set(key, [...(groups.get(key) ?? []), sample])
  }
  for (const group of groups.values()) {
    const buckets = group.filter((sample) => sample.name === `${name}_bucket`)
    const bounds = buckets.map(({ labels }) => Number(labels['le']?.replace('Inf', 'Infinity')))
    const grows = buckets.every(({ value }, i) => value >= (buckets[i - 1]?.value ?? 0))
    const isSorted = bounds.every((bound, i) => i === 0 || bound > (bounds[i - 1] ?? bound))
    const count = group.find((sample) => sample.name === `${name}_count`)
    const isWhole = count !== undefined && group.some((sample) => sample.name === `${name}_sum`)
    const ends = bounds.at(-1) === Number.POSITIVE_INFINITY && buckets.at(-1)?.value === count?.value
    if (!grows || !isSorted || !isWhole || !ends) throw new Error(`The histogram ${name} is not whole.`)
  }
}
