import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { ProofResult } from '../../../src/domain/domain-proof.ts'
import type { ProjectId } from '../../../src/domain/ids.ts'
import { prefixed } from '../../../src/domain/ids.ts'
import { DOMAIN_CHECK } from '../../../src/domain/job.ts'
import { randomId as newId } from '../../../src/services/new-id.ts'
import { createDomainCheckJob } from '../../../src/services/projects/domain-check.ts'
import { createDomainOperations } from '../../../src/services/projects/domain-operations.ts'
import { createProjectService } from '../../../src/services/projects/projects.ts'
import { createServiceFixture, type ServiceFixture } from '../service-fixture.ts'

const DOMAIN = 'docs.acme.com'

let fixture: ServiceFixture
beforeEach(async () => {
  fixture = await createServiceFixture()
})
afterEach(() => fixture.close())

/** A project of a new account that names the domain. */
async function named(domain: string): Promise<ProjectId> {
  const projects = createProjectService({ ...fixture.context, needsProof: true, hasCdn: false })
  const caller = await fixture.newCaller()
  const { project } = await projects.create(caller, () => ({ name: 'Site', slugs: 'standard' }))
  await projects.update(caller, project.id, {
    changesOnlyStatus: () => false,
    read: () => ({ fields: { hosting: { customDomain: domain } }, settings: {} }),
  })
  return project.id
}

/** The domain's owner has published the token of this project only. */
const provedFor =
  (id: ProjectId | null) =>
  async (_: string, token: string): Promise<ProofResult> =>
    token === prefixed('proj', id ?? ('' as ProjectId)) ? { provedBy: 'dns' } : { problem: 'No record.' }

const operations = (id: ProjectId | null) =>
  createDomainOperations({ ...fixture.context, proveDomain: provedFor(id) })
const waitingChecks = async (id: ProjectId) =>
  (await fixture.db.read.jobs.listQueued(id, DOMAIN_CHECK, { limit: 10, offset: 0 })).items
const proofOf = async (id: ProjectId) => (await fixture.db.read.projects.find(id))?.domainProof

/** Claims the waiting check of a project and runs it. */
async function runCheck(id: ProjectId, proveDomain: (domain: string, token: string) => Promise<ProofResult>) {
  const { db, clock } = fixture
  const log = { info: () => {}, warn: () => {} }
  const kind = createDomainCheckJob({ db, proveDomain, newId, now: () => clock.now, log })
  const claimed = await db.write(({ jobs }) => jobs.claim({ name: DOMAIN_CHECK }, 'test', 10, clock.now))
  const { job, lease } = claimed.find(({ job: { projectId } }) => projectId === id) ?? expect.unreachable()
  return kind.run(job, lease, new AbortController().signal)
}

test('a domain that is set has one check, due at once, however often it changes', async () => {
  const id = await named(DOMAIN)
  expect(await waitingChecks(id)).toMatchObject([{ dueAt: fixture.clock.now }])
})

test('the operator’s verification gives the domain to the project whose token is published', async () => {
  const [squatter, owner] = [await named(DOMAIN), await named(DOMAIN)]
  const after = await operations(owner).verify(DOMAIN, null)
  expect(after.map(({ projectId, proof }) => [projectId, proof.status])).toEqual(
    expect.arrayContaining([
      [owner, 'active'],
      [squatter, 'pending'],
    ]),
  )
  expect(await waitingChecks(owner)).toMatchObject([{ dueAt: '2026-01-09T03:04:05.678Z' }])
})

test('a domain that the operator vouches for is not checked any more', async () => {
  const id = await named(DOMAIN)
  await operations(null).vouch(DOMAIN, null)
  expect(await proofOf(id)).toMatchObject({ status: 'active', provedBy: 'operator' })
  expect(await waitingChecks(id)).toEqual([])
})

test('a released domain can be named and proved by another account', async () => {
  const [former, next] = [await named(DOMAIN), await named(DOMAIN)]
  await operations(former).verify(DOMAIN, former)
  await operations(null).release(DOMAIN, null)
  expect(await proofOf(former)).toBeNull()
  expect(await waitingChecks(former)).toEqual([])
  await operations(next).verify(DOMAIN, null)
  expect(await proofOf(next)).toMatchObject({ status: 'active' })
})

test('a check that ends after its domain was changed records nothing and leaves the new one its check', async () => {
  const id = await named(DOMAIN)
  await runCheck(id, async () => {
    const { db, clock } = fixture
    await db.write(async ({ projects }) =>
      projects.update(id, { hosting: { customDomain: 'other.acme.com' } }, clock.now),
    )
    return { provedBy: 'dns' }
  })
  expect(await proofOf(id)).toMatchObject({ status: 'pending', checkedAt: null })
})

test('a check that was requested during another one is the only one that stays', async () => {
  const id = await named(DOMAIN)
  await runCheck(id, async () => {
    await operations(null).verify(DOMAIN, id)
    return { problem: 'No record.' }
  })
  expect(await waitingChecks(id)).toHaveLength(1)
})

test('a check that the service ends in the middle is repeated', async () => {
  const id = await named(DOMAIN)
  const { db, clock } = fixture
  const stopping = new AbortController()
  const kind = createDomainCheckJob({
    db,
    newId,
    now: () => clock.now,
    log: { info: () => {}, warn: () => {} },
    async proveDomain() {
      stopping.abort()
      return { problem: 'This operation was aborted' }
    },
  })
  const [claimed] = await db.write(({ jobs }) => jobs.claim({ name: DOMAIN_CHECK }, 'test', 1, clock.now))
  const { job, lease } = claimed ?? expect.unreachable()
  expect(await kind.run(job, lease, stopping.signal)).toBeNull()
  expect(await proofOf(id)).toMatchObject({ checkedAt: null, problem: null })
})

test('the check of a deleted project ends without one', async () => {
  const id = await named(DOMAIN)
  await fixture.db.write(({ projects }) => projects.markDeleted(id, fixture.clock.now))
  expect(await runCheck(id, async () => expect.unreachable())).toEqual([])
})

describe('where proofs were switched off', () => {
  const untested = async (): Promise<ProofResult> => ({ provedBy: null })

  test('a pending domain becomes active at its next check, and is not checked again', async () => {
    const id = await named(DOMAIN)
    await runCheck(id, untested)
    expect(await proofOf(id)).toMatchObject({ status: 'active', provedBy: null, provedAt: null })
    expect(await waitingChecks(id)).toEqual([])
  })

  test('it displaces no project that serves the domain', async () => {
    const [first, second] = [await named(DOMAIN), await named(DOMAIN)]
    await runCheck(first, untested)
    await fixture.db.write(({ jobs }) =>
      jobs.enqueue({
        id: newId<'job'>(),
        projectId: second,
        kind: DOMAIN_CHECK,
        subject: second,
        payload: null,
        total: 1,
        dueAt: fixture.clock.now,
        createdAt: fixture.clock.now,
      }),
    )
    await runCheck(second, untested)
    expect(await proofOf(first)).toMatchObject({ status: 'active' })
    expect(await proofOf(second)).toMatchObject({ status: 'failed' })
  })
})
