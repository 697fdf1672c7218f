/** How a text may travel, best first. */
export const CODINGS = ['br', 'gzip'] as const
export type Coding = (typeof CODINGS)[number]

/**
 * What a text is best sent as to a client with this `Accept-Encoding`: what it prefers, and of what it
 * likes equally well the smallest. Null for the text as it is, which also whoever refuses that gets
 * when nothing else is left.
 */
export function acceptedCoding(header: string): Coding | null {
  const weights = new Map(header.toLowerCase().split(',').map(readPart))
  const weightOf = (coding: string) => weights.get(coding) ?? weights.get('*') ?? 0
  const plain = weights.get('identity') ?? 0
  const acceptable = CODINGS.filter((coding) => weightOf(coding) > 0 && weightOf(coding) >= plain)
  return acceptable.sort((one, other) => weightOf(other) - weightOf(one))[0] ?? null
}

/** `gzip;q=0.5` as `['gzip', 0.5]`; a weight that is none counts as refusal. */
function readPart(part: string): [coding: string, weight: number] {
  const [coding = '', ...parameters] = part.split(';').map((piece) => piece.trim())
  const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice('q='.length) ?? '1'
  return [
    coding === 'x-gzip' ? 'gzip' : coding,
    /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(weight) ? Number(weight) : 0,
  ]
}
