/** What is under way when the service dies; each has its own place to start from. */
export type Scenario = 'publish' | 'take off' | 'put back'

export interface KillPoint {
  readonly scenario: Scenario
  /** As `victim.mjs` names it. */
  readonly point: string
  /** What must be true of the page once the service has recovered: the operation counts, or it never was. */
  readonly then: 'before' | 'after'
}

const KINDS = ['asset', 'page', 'nav', 'listing', 'site', 'manifest']

/** Before, half-way through and after each step of all that changes what is live, in their order. */
export const KILL_POINTS: readonly KillPoint[] = [
  ...points('publish', 'before', ['COMMIT of accept before']),
  ...points('publish', 'after', [
    'COMMIT of accept after',
    'leases take before',
    'leases take after',
    'COMMIT of claim before',
    'COMMIT of claim after',
    'releaseQueue claim after',
    'releaseQueue claimListings before',
    'releaseQueue claimListings after',
    ...KINDS.flatMap((kind) => [`put ${kind} before`, `rename ${kind} before`, `put ${kind} after`]),
    'releaseQueue commit before',
    'COMMIT of commit before',
    'COMMIT of commit after',
    'leases giveBack before',
    'leases giveBack after',
  ]),
  ...points('take off', 'after', [
    'COMMIT of accept after',
    'COMMIT of claim after',
    'put nav before',
    'put nav after',
    'put listing before',
    'put listing after',
    'put manifest before',
    'rename manifest before',
    'put manifest after',
    'delete page before',
    'unlink page after',
    'delete page after',
    'COMMIT of commit before',
    'COMMIT of commit after',
  ]),
  ...points('put back', 'after', ['releaseQueue startReverting before', 'COMMIT of reverting before']),
  ...points('put back', 'before', [
    'COMMIT of reverting after',
    'put page before',
    'put page after',
    'put listing before',
    'put listing after',
    'put manifest before',
    'rename manifest before',
    'put manifest after',
    'delete asset before',
    'delete asset after',
    'releaseQueue finishReverting before',
    'releaseQueue finishReverting after',
  ]),
]

/** Articles have a list, and docs pages their navigation. */
export function isOfListings({ point }: KillPoint): boolean {
  return /listing/i.test(point)
}

function points(scenario: Scenario, then: KillPoint['then'], names: readonly string[]): readonly KillPoint[] {
  return names.map((point) => ({ scenario, point, then }))
}
