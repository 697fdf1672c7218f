import type { Database } from '../../db/repositories.ts'
import type { Caller } from '../../domain/caller.ts'
import { type DomainProof, reopenedProof } from '../../domain/domain-proof.ts'
import { ServiceError } from '../../domain/errors.ts'
import { accessProject, assertWritable } from '../access.ts'
import { recordAct } from '../audit/record-act.ts'
import type { NewId } from '../new-id.ts'
import { scheduleDomainCheck } from './domain-change.ts'
import type { ProjectWithSettings } from './projects.ts'

/** Time between two requested checks of a domain, so that a request costs others' name servers little. */
const MIN_CHECK_GAP_MS = 10_000

export interface DomainServicePorts {
  readonly db: Database
  readonly newId: NewId
  /** Current time, ISO 8601 UTC. */
  readonly now: () => string
}

export type DomainService = ReturnType<typeof createDomainService>

/** Actions of a project's owner on its domain, beyond setting it. */
export function createDomainService({ db, newId, now }: DomainServicePorts) {
  return {
    /**
     * Checks the domain again soon. A failed one is pending again.
     *
     * @param readNothing refuses a body with fields, once the project is known to be the caller's.
     * @throws {ServiceError} `conflict` when the project has no domain.
     */
    async requestCheck(caller: Caller, ref: string, readNothing: () => void): Promise<ProjectWithSettings> {
      return db.write(async (repositories) => {
        const record = await accessProject(repositories, caller, ref, ['settings'])
        assertWritable(record.project)
        readNothing()
        const { id } = record.project
        if (record.domainProof === null)
          throw new ServiceError('conflict', 'The project has no custom domain.')
        const proof = reopenedProof(record.domainProof, now())
        await repositories.projects.setDomainProof(id, proof)
        await scheduleDomainCheck(repositories, id, nextAllowed(proof), { newId, now })
        await recordAct(repositories, { newId, now }, caller, {
          act: 'domain.check',
          of: { projectId: id },
          target: id,
        })
        return { ...record, domainProof: proof, settings: await repositories.settings.find(id) }
      })
    },
  }

  function nextAllowed({ checkedAt }: DomainProof): string {
    if (checkedAt === null) return now()
    const earliest = new Date(Date.parse(checkedAt) + MIN_CHECK_GAP_MS).toISOString()
    return earliest > now() ? earliest : now()
  }
}
