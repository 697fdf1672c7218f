import { domainToUnicode } from 'node:url'
import type { ProveDomain } from '../../custom-domains/prove-domain.ts'
import type { ProjectRecord } from '../../db/repositories/projects.ts'
import type { Repositories } from '../../db/repositories.ts'
import { OPERATOR } from '../../domain/audit.ts'
import {
  challengeToken,
  DOMAIN_CONFLICT,
  type DomainProof,
  domainKey,
  lostDomain,
  nextDomainCheck,
  reopenedProof,
  vouchedProof,
} from '../../domain/domain-proof.ts'
import { ServiceError } from '../../domain/errors.ts'
import { type ProjectId, prefixed, type UserId } from '../../domain/ids.ts'
import { DOMAIN_CHECK } from '../../domain/job.ts'
import { laterOf } from '../../domain/later-of.ts'
import { recordAct } from '../audit/record-act.ts'
import { scheduleDomainCheck } from './domain-change.ts'
import { recordDomainCheck, setProof } from './domain-check.ts'
import type { DomainServicePorts } from './domains.ts'

/** A domain that a project names, as the operator sees it. */
export interface NamedDomain {
  readonly domain: string
  /** The name as users write it; equal to `domain` for names in ASCII. */
  readonly unicode: string
  readonly projectId: ProjectId
  readonly userId: UserId
  readonly proof: DomainProof
}

export type DomainOperations = ReturnType<typeof createDomainOperations>

/** Tools of the operator for domains, which need no API key. */
export function createDomainOperations({
  db,
  proveDomain,
  newId,
  now,
}: DomainServicePorts & { readonly proveDomain: ProveDomain }) {
  return {
    /** All domains that projects name, in alphabetical order. */
    async list(): Promise<readonly NamedDomain[]> {
      const named = (await db.read.projects.all()).flatMap(toNamed)
      return named.sort((a, b) => (a.domain < b.domain ? -1 : a.domain > b.domain ? 1 : 0))
    },

    /**
     * Checks a domain now, for every project that names it until one is proved.
     *
     * @param projectId limits it to one project; null for all.
     * @returns the domains as they are then.
     * @throws {ServiceError} `not_found` when no project names it.
     */
    async verify(domain: string, projectId: ProjectId | null): Promise<readonly NamedDomain[]> {
      const stopping = new AbortController().signal
      for (const { projectId: id } of await namedBy(domain, projectId)) {
        const result = await proveDomain(domain, challengeToken(id), stopping)
        await db.write(async (repositories) => {
          await reopen(repositories, id)
          const proof = await recordDomainCheck(repositories, { newId, now }, OPERATOR, id, domain, result)
          const dueAt = proof === null ? null : nextDomainCheck(proof, now())
          if (dueAt !== null) await scheduleDomainCheck(repositories, id, dueAt, { newId, now })
        })
      }
      return namedBy(domain, projectId)
    },

    /**
     * Makes a domain active on the operator's word. It is not checked again.
     *
     * @throws {ServiceError} `not_found`; `conflict` when several projects name it and none is given, or another
     *   project has proved it.
     */
    async vouch(domain: string, projectId: ProjectId | null): Promise<NamedDomain> {
      const { projectId: id, proof } = one(await namedBy(domain, projectId))
      await db.write(async (repositories) => {
        const rivals = (await repositories.projects.domainHolders(domain)).filter(
          (holder) => holder.id !== id,
        )
        const proved = rivals.find((rival) => rival.proof.provedAt !== null)
        if (proved !== undefined)
          throw new ServiceError(
            'conflict',
            `${DOMAIN_CONFLICT} Release it first: project ${prefixed('proj', proved.id)}.`,
          )
        for (const rival of rivals)
          await setProof(
            repositories,
            { newId, now },
            OPERATOR,
            rival.id,
            rival.proof,
            lostDomain(rival.proof, now()),
          )
        await setProof(repositories, { newId, now }, OPERATOR, id, proof, vouchedProof(proof, now()))
        await repositories.jobs.deleteQueued(id, DOMAIN_CHECK)
      })
      return one(await namedBy(domain, id))
    },

    /**
     * Takes a domain from a project. Without a project, from the project that serves it, or the only one to name it.
     *
     * @throws {ServiceError} `not_found`; `conflict` when several name it and none serves it.
     */
    async release(domain: string, projectId: ProjectId | null): Promise<NamedDomain> {
      const named = await namedBy(domain, projectId)
      const released = named.find(({ proof }) => proof.status === 'active') ?? one(named)
      await db.write(async (repositories) => {
        const { projects, jobs } = repositories
        const record = await projects.find(released.projectId)
        const moment = laterOf(now(), record?.project.updatedAt ?? now())
        await projects.update(
          released.projectId,
          { hosting: { customDomain: null }, domainProof: null },
          moment,
        )
        await jobs.deleteQueued(released.projectId, DOMAIN_CHECK)
        await recordAct(repositories, { newId, now }, OPERATOR, {
          act: 'domain.release',
          of: { projectId: released.projectId },
          target: released.projectId,
        })
      })
      return released
    },
  }

  async function namedBy(domain: string, projectId: ProjectId | null): Promise<readonly NamedDomain[]> {
    const named = (await db.read.projects.all()).flatMap(toNamed)
    const found = named.filter(
      (each) => each.domain === domain && (projectId === null || each.projectId === projectId),
    )
    if (found.length > 0) return found
    const twin = named.find((each) => domainKey(each.domain) === domainKey(domain))
    const hint =
      twin === undefined ? '' : ` Project ${prefixed('proj', twin.projectId)} names ${twin.domain}.`
    throw new ServiceError(
      'not_found',
      `No project${projectId === null ? '' : ' with this id'} names the domain ${domain}.${hint}`,
    )
  }

  async function reopen({ projects }: Repositories, id: ProjectId): Promise<void> {
    const proof = (await projects.find(id))?.domainProof ?? null
    if (proof !== null) await projects.setDomainProof(id, reopenedProof(proof, now()))
  }
}

function toNamed({ project, domainProof: proof }: ProjectRecord): readonly NamedDomain[] {
  const { customDomain: domain } = project.hosting
  if (domain === null || proof === null) return []
  return [{ domain, unicode: domainToUnicode(domain), projectId: project.id, userId: project.userId, proof }]
}

/** @throws {ServiceError} `conflict` when there are several. */
function one(named: readonly NamedDomain[]): NamedDomain {
  const [first] = named
  if (first !== undefined && named.length === 1) return first
  const projects = named.map(({ projectId }) => prefixed('proj', projectId)).join(', ')
  throw new ServiceError(
    'conflict',
    `Several projects name this domain (${projects}). Choose one with --project.`,
  )
}
