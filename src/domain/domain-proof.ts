import { type ProjectId, prefixed } from './ids.ts'

/*
 * Proof that the owner of a project controls its custom domain: a TXT record, or a file on its present web server. A
 * site is served on its domain only while the proof is `active`.
 */

export type DomainStatus = 'pending' | 'active' | 'failed'

/** State of the proof of a project's custom domain. */
export interface DomainProof {
  readonly status: DomainStatus
  /** The method or person that proved the domain; null when it was never proved. */
  readonly provedBy: 'dns' | 'http' | 'operator' | null
  /** Time of the last successful check. */
  readonly provedAt: string | null
  /** When the domain was set, or its check was requested again. */
  readonly since: string
  /** Time of the last check. */
  readonly checkedAt: string | null
  /** Consecutive failed checks of an active domain. */
  readonly failures: number
  /** Why the last check failed, for the owner; null after a successful one. */
  readonly problem: string | null
}

/** Result of one check. `provedBy` is null where domains need no proof. */
export type ProofResult = { readonly provedBy: 'dns' | 'http' | null } | { readonly problem: string }

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

/** Time between two checks of a pending domain. DNS records need minutes to spread. */
const PENDING_CHECK_MS = 5 * MINUTE_MS
/** Pending domains without proof fail after this, so that forgotten ones are not checked forever. */
const PENDING_LIMIT_MS = 7 * DAY_MS
/** Time between two checks of an active domain. */
const ACTIVE_CHECK_MS = 7 * DAY_MS
/** Time between two checks of an active domain whose last check failed. */
const FAILING_CHECK_MS = DAY_MS
/** Consecutive failed checks, a day apart, that end an active proof: an outage of DNS takes no site down. */
const MAX_FAILURES = 7

export const DOMAIN_CONFLICT = 'Another account has proved this domain.'

/** The proof of a domain that has just been set. */
export function newDomainProof(status: 'pending' | 'active', now: string): DomainProof {
  return {
    status,
    provedBy: null,
    provedAt: null,
    since: now,
    checkedAt: null,
    failures: 0,
    problem: null,
  }
}

/** The state after a check. */
export function afterDomainCheck(proof: DomainProof, result: ProofResult, now: string): DomainProof {
  if ('provedBy' in result) {
    const active = { ...proof, status: 'active', checkedAt: now, failures: 0, problem: null } as const
    return result.provedBy === null ? active : { ...active, provedBy: result.provedBy, provedAt: now }
  }
  const checked = { ...proof, checkedAt: now, problem: result.problem }
  if (proof.status === 'active') {
    // An active domain that was never proved is served on the operator's responsibility.
    if (!isChecked(proof)) return checked
    const failures = proof.failures + 1
    return { ...checked, failures, status: failures < MAX_FAILURES ? 'active' : 'failed' }
  }
  const isExpired = Date.parse(now) - Date.parse(proof.since) >= PENDING_LIMIT_MS
  return isExpired ? { ...checked, status: 'failed' } : checked
}

/** The state of a domain that another project has proved. */
export function lostDomain(proof: DomainProof, now: string): DomainProof {
  return { ...proof, status: 'failed', checkedAt: now, problem: DOMAIN_CONFLICT }
}

/** The state of a domain whose check was requested again. */
export function reopenedProof(proof: DomainProof, now: string): DomainProof {
  return proof.status === 'active' ? proof : { ...proof, status: 'pending', since: now, problem: null }
}

/** The state of a domain that the operator vouches for. It is not checked again. */
export function vouchedProof(proof: DomainProof, now: string): DomainProof {
  return { ...proof, status: 'active', provedBy: 'operator', provedAt: now, failures: 0, problem: null }
}

/** When to check the domain next; null: not again. */
export function nextDomainCheck(proof: DomainProof, now: string): string | null {
  if (proof.status === 'failed' || (proof.status === 'active' && !isChecked(proof))) return null
  const delay =
    proof.status === 'pending' ? PENDING_CHECK_MS : proof.failures > 0 ? FAILING_CHECK_MS : ACTIVE_CHECK_MS
  return new Date(Date.parse(now) + delay).toISOString()
}

/** Reports whether the proof is checked again: not the operator's word, nor a domain from before proofs. */
function isChecked({ provedBy }: DomainProof): boolean {
  return provedBy === 'dns' || provedBy === 'http'
}

/** Path of the file that proves a domain. */
export const CHALLENGE_PATH = '/.well-known/quoin-challenge'

/** Name of the TXT record that proves a domain. */
export function challengeRecord(domain: string): string {
  return `_quoin-challenge.${domain}`
}

/** Returns the token that the owner publishes. It needs no secrecy: it proves the domain for this project only. */
export function challengeToken(id: ProjectId): string {
  return prefixed('proj', id)
}

/** Returns the name without `www.`. Both spellings are one site: the one that is not set redirects to the other. */
export function domainKey(domain: string): string {
  return domain.replace(/^(?:www\.)+(?=[^.]+\.)/, '')
}
