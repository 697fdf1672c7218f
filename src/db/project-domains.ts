import type { Knex } from 'knex'
import { type DomainProof, type DomainStatus, domainKey } from '../domain/domain-proof.ts'
import type { ProjectId } from '../domain/ids.ts'
import type { HostingMode, ProjectStatus } from '../domain/project.ts'

/* The custom domain in the row of a project. */

export interface DomainColumns {
  readonly custom_domain: string | null
  /** The custom domain without `www.`. */
  readonly domain_key: string | null
  readonly domain_status: DomainStatus | null
  /** The rest of the proof, JSON. */
  readonly domain_proof: string | null
}

/** The columns that a visitor's request needs. */
export interface HostRow extends DomainColumns {
  readonly id: ProjectId
  readonly status: ProjectStatus
  readonly hosting_mode: HostingMode
  readonly base_path: string
}

export const NO_DOMAIN: DomainColumns = {
  custom_domain: null,
  domain_key: null,
  domain_status: null,
  domain_proof: null,
}

export const HOST_COLUMNS = ['id', 'status', 'hosting_mode', 'base_path', 'custom_domain'] as const

/**
 * The projects that serve a domain, or its name with or without `www.`; that of this very name comes first. The
 * condition on the status is literal, so that SQLite can use the partial index.
 */
export async function projectsServing(db: Knex, domain: string): Promise<readonly HostRow[]> {
  const key = domainKey(domain)
  const rows = await db('projects')
    // If two projects from before proofs have the domain, the one with `www.` has that name as its key.
    .whereIn('domain_key', [key, `www.${key}`])
    .whereRaw("domain_status = 'active'")
    .select<HostRow[]>(...HOST_COLUMNS, 'domain_status', 'domain_proof')
  return rows.sort((a, b) => Number(b.custom_domain === domain) - Number(a.custom_domain === domain))
}

export function proofColumns(
  proof: DomainProof | null,
): Pick<DomainColumns, 'domain_status' | 'domain_proof'> {
  if (proof === null) return { domain_status: null, domain_proof: null }
  const { status, ...rest } = proof
  return { domain_status: status, domain_proof: JSON.stringify(rest) }
}

/** Reads the proof of a custom domain; null without one. */
export function toDomainProof({
  domain_status: status,
  domain_proof: rest,
}: DomainColumns): DomainProof | null {
  return status === null ? null : { status, ...JSON.parse(rest ?? '{}') }
}
