import type { ProjectFields, ProjectRecord } from '../../db/repositories/projects.ts'
import type { Repositories } from '../../db/repositories.ts'
import {
  DOMAIN_CONFLICT,
  type DomainProof,
  domainKey,
  newDomainProof,
  reopenedProof,
} from '../../domain/domain-proof.ts'
import { fieldFailure } from '../../domain/field-errors.ts'
import type { ProjectId } from '../../domain/ids.ts'
import { DOMAIN_CHECK } from '../../domain/job.ts'
import type { NewId } from '../new-id.ts'

export interface DomainChangePorts {
  /** True when a domain must be proved before it is served. */
  readonly needsProof: boolean
  readonly newId: NewId
  /** Current time, ISO 8601 UTC. */
  readonly now: () => string
}

/**
 * The proof that belongs to a change of a project's domain; no fields when the domain stays. Call it inside the
 * transaction of the change.
 *
 * @param wanted the new domain, null for none; undefined leaves it unchanged.
 * @throws {ServiceError} `conflict` when another account has proved the domain.
 */
export async function domainChange(
  repositories: Repositories,
  { project, domainProof }: ProjectRecord,
  wanted: string | null | undefined,
  ports: DomainChangePorts,
): Promise<Pick<ProjectFields, 'domainProof'>> {
  const { id, hosting } = project
  if (wanted === undefined || wanted === hosting.customDomain) return {}
  if (wanted === null) {
    await repositories.jobs.deleteQueued(id, DOMAIN_CHECK)
    return { domainProof: null }
  }
  await refuseHeld(repositories, id, wanted, ports.needsProof)
  await scheduleDomainCheck(repositories, id, ports.now(), ports)
  return { domainProof: proofOf(wanted, hosting.customDomain, domainProof, ports) }
}

/** Throws when another project holds the domain, unless its proof is pending: the first proved one wins. */
async function refuseHeld(
  { projects }: Repositories,
  id: ProjectId,
  domain: string,
  needsProof: boolean,
): Promise<void> {
  const holders = (await projects.domainHolders(domain)).filter((holder) => holder.id !== id)
  if (!holders.some(({ proof }) => !needsProof || proof.provedAt !== null)) return
  const message = needsProof ? DOMAIN_CONFLICT : IN_USE
  throw fieldFailure('conflict', [{ path: 'domain', message, code: 'taken' }])
}

const IN_USE = 'this domain is in use by another project.'

/** A site that moves between `www.` and the name without it stays live while the new name is checked. */
function proofOf(
  wanted: string,
  stored: string | null,
  proof: DomainProof | null,
  { needsProof, now }: DomainChangePorts,
): DomainProof {
  const isSameSite = stored !== null && domainKey(stored) === domainKey(wanted)
  if (proof !== null && isSameSite) return reopenedProof(proof, now())
  return newDomainProof(needsProof ? 'pending' : 'active', now())
}

/** Replaces the waiting check of the project's domain, so that it has one at most. */
export async function scheduleDomainCheck(
  { jobs }: Repositories,
  projectId: ProjectId,
  dueAt: string,
  { newId, now }: Pick<DomainChangePorts, 'newId' | 'now'>,
): Promise<void> {
  await jobs.deleteQueued(projectId, DOMAIN_CHECK)
  await jobs.enqueue({
    id: newId<'job'>(),
    projectId,
    kind: DOMAIN_CHECK,
    subject: projectId,
    payload: null,
    total: 1,
    dueAt,
    createdAt: now(),
  })
}
