/** The operation during which the service is killed; each has its own initial state. */
export type Scenario = 'publish' | 'take off' | 'put back'

export interface KillPoint {
  readonly scenario: Scenario
  /** The point's name in `victim.mjs`. */
  readonly point: string
  /** The state of the page after recovery: as before the operation, or as after it. */
  readonly then: 'before' | 'after'
}

const KINDS = ['asset', 'media', 'page', 'nav', 'listing', 'tag', 'site', 'manifest']

/** Points before, within and after each step that changes the live site, in order. */
export const KILL_POINTS: readonly KillPoint[] = [
  ...points('publish', 'before', ['COMMIT of accept before']),
  ...points('publish', 'after', [
    'COMMIT of accept after',
    'leases take before',
    'leases take after',
    'COMMIT of claim before',
    'COMMIT of claim after',
    'releaseQueue claim after',
    'releaseQueue claimFiles before',
    'releaseQueue claimFiles after',
    ...KINDS.flatMap((kind) => [`put ${kind} before`, `rename ${kind} before`, `put ${kind} after`]),
    'delete tag before',
    'unlink tag after',
    'delete tag after',
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
    'put tag before',
    'put tag after',
    'put manifest before',
    'rename manifest before',
    'put manifest after',
    'delete tag before',
    'unlink tag after',
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
    'put tag before',
    'put tag after',
    'put manifest before',
    'rename manifest before',
    'put manifest after',
    'delete tag before',
    'delete tag after',
    'delete asset before',
    'delete asset after',
    'delete media before',
    'delete media after',
    'releaseQueue finishReverting before',
    'releaseQueue finishReverting after',
  ]),
]

/** Articles have a list and tags, docs pages have navigation. */
export function isOfArticles({ point }: KillPoint): boolean {
  return /listing|tag/i.test(point)
}

/** A first publish deletes nothing. */
export function isOfFirstPublish({ scenario, point }: KillPoint): boolean {
  return scenario === 'publish' && !/delete|unlink/.test(point)
}

function points(scenario: Scenario, then: KillPoint['then'], names: readonly string[]): readonly KillPoint[] {
  return names.map((point) => ({ scenario, point, then }))
}
