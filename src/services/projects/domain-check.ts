import type { ProveDomain } from '../../custom-domains/prove-domain.ts'
import type { Database, Repositories } from '../../db/repositories.ts'
import { type Actor, SERVICE } from '../../domain/audit.ts'
import {
  afterDomainCheck,
  challengeToken,
  type DomainProof,
  lostDomain,
  nextDomainCheck,
  type ProofResult,
} from '../../domain/domain-proof.ts'
import { type ProjectId, prefixed } from '../../domain/ids.ts'
import { DOMAIN_CHECK } from '../../domain/job.ts'
import type { JobKind } from '../../jobs/job-kind.ts'
import type { JobLease } from '../../jobs/job-queue.ts'
import { recordAct } from '../audit/record-act.ts'
import type { ServiceContext } from '../context.ts'
import type { NewId } from '../new-id.ts'

/** Checks that one process runs concurrently. Each waits for name servers and web servers of others. */
const CONCURRENCY = 8
/** Concurrent checks of one account: its name servers may be slow on purpose. */
const PER_ACCOUNT = 2
/** Delay after a run that could not write to the database. */
const RETRY_DELAY_MS = 60_000

export interface DomainCheckPorts {
  readonly db: Database
  readonly proveDomain: ProveDomain
  readonly newId: NewId
  /** Current time, ISO 8601 UTC. */
  readonly now: () => string
  readonly log: {
    info(fields: Readonly<Record<string, unknown>>, message: string): void
    warn(fields: Readonly<Record<string, unknown>>, message: string): void
  }
}

/** The job that checks a project's domain: when it was set, while it is pending, and as long as it is active. */
export function createDomainCheckJob({ db, proveDomain, newId, now, log }: DomainCheckPorts): JobKind {
  return {
    name: DOMAIN_CHECK,
    concurrency: CONCURRENCY,
    perAccount: PER_ACCOUNT,
    perSubject: 1,
    deleteWhenDone: true,
    // The schedule ends with the domain's state, not with a number of attempts.
    attempts: Number.MAX_SAFE_INTEGER,
    backoff: () => RETRY_DELAY_MS,

    async run({ projectId }, lease, stopping) {
      const record = await db.read.projects.find(projectId)
      const domain = record?.project.hosting.customDomain ?? null
      if (domain === null || record?.domainProof?.status === 'failed') return []
      const result = await proveDomain(domain, challengeToken(projectId), stopping)
      if (stopping.aborted) return null
      const proof = await db.write(async (repositories) => {
        const recorded = await recordDomainCheck(
          repositories,
          { newId, now },
          SERVICE,
          projectId,
          domain,
          result,
        )
        await scheduleNext(repositories, projectId, lease, recorded)
        return recorded
      })
      if (proof !== null && proof.status !== record?.domainProof?.status) logEnd(projectId, domain, proof)
      return 'ended'
    },

    faultsOf: () => [],
  }

  function logEnd(projectId: ProjectId, domain: string, { status, provedBy, problem }: DomainProof): void {
    const about = { project: prefixed('proj', projectId), domain }
    if (status === 'active') log.info({ ...about, proved_by: provedBy }, 'A custom domain became active.')
    else log.warn({ ...about, problem }, 'A custom domain could not be proved.')
  }

  async function scheduleNext(
    { jobs }: Repositories,
    projectId: ProjectId,
    lease: JobLease,
    proof: DomainProof | null,
  ): Promise<void> {
    const dueAt = proof === null ? null : nextDomainCheck(proof, now())
    // The domain was set, or its check requested, during this one: that check schedules the next.
    const { total: waiting } = await jobs.listQueued(projectId, DOMAIN_CHECK, { limit: 1, offset: 0 })
    if (dueAt === null || waiting > 0) await jobs.delete(lease)
    else await jobs.postpone(lease, dueAt)
  }
}

/**
 * Records the result of a check. Of several projects that name one domain, the first proved one serves it.
 *
 * @returns the state after it; null when the project has another domain meanwhile.
 */
export async function recordDomainCheck(
  repositories: Pick<Repositories, 'projects' | 'audit'>,
  ports: Pick<ServiceContext, 'newId' | 'now'>,
  actor: Actor,
  id: ProjectId,
  domain: string,
  result: ProofResult,
): Promise<DomainProof | null> {
  const { projects } = repositories
  const now = ports.now()
  const record = await projects.find(id)
  const proof = record?.domainProof ?? null
  if (proof === null || record?.project.hosting.customDomain !== domain) return null
  const rivals = (await projects.domainHolders(domain)).filter((holder) => holder.id !== id)
  const isLost = rivals.some((rival) => rival.proof.provedAt !== null || !isEvidence(result))
  const next = isLost && 'provedBy' in result ? lostDomain(proof, now) : afterDomainCheck(proof, result, now)
  if (next.status === 'active')
    for (const rival of rivals)
      await setProof(repositories, ports, actor, rival.id, rival.proof, lostDomain(rival.proof, now))
  await setProof(repositories, ports, actor, id, proof, next)
  return next
}

/** Stores a proof, and records when the domain becomes active or fails by it. */
export async function setProof(
  repositories: Pick<Repositories, 'projects' | 'audit'>,
  ports: Pick<ServiceContext, 'newId' | 'now'>,
  actor: Actor,
  id: ProjectId,
  before: DomainProof,
  after: DomainProof,
): Promise<void> {
  await repositories.projects.setDomainProof(id, after)
  if (after.status === before.status || after.status === 'pending') return
  const act = after.status === 'active' ? 'domain.activate' : 'domain.fail'
  await recordAct(repositories, ports, actor, { act, of: { projectId: id }, target: id })
}

/** False where proofs are not required. */
function isEvidence(result: ProofResult): boolean {
  return 'provedBy' in result && result.provedBy !== null
}
