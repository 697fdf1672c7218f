/** Content codings, best first. */
export const CODINGS = ['br', 'gzip'] as const
export type Coding = (typeof CODINGS)[number]

/**
 * Chooses the coding for an `Accept-Encoding` header: the one with the highest weight, and of equal weights the
 * smallest. Null: identity, also for a client that refuses it when no other coding is acceptable.
 */
export function acceptedCoding(header: string): Coding | null {
  const weights = new Map(header.toLowerCase().split(',').map(readPart))
  const weightOf = (coding: string) => weights.get(coding) ?? weights.get('*') ?? 0
  const plain = weights.get('identity') ?? 0
  const acceptable = CODINGS.filter((coding) => weightOf(coding) > 0 && weightOf(coding) >= plain)
  return acceptable.sort((one, other) => weightOf(other) - weightOf(one))[0] ?? null
}

/** Parses `gzip;q=0.5` as `['gzip', 0.5]`; a malformed weight counts as 0. */
function readPart(part: string): [coding: string, weight: number] {
  const [coding = '', ...parameters] = part.split(';').map((piece) => piece.trim())
  const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice('q='.length) ?? '1'
  return [
    coding === 'x-gzip' ? 'gzip' : coding,
    /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(weight) ? Number(weight) : 0,
  ]
}
