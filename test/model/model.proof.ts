import fc from 'fast-check'
import { afterAll, beforeAll, test } from 'vitest'
import type { ProjectId, UserId } from '../../src/domain/ids.ts'
import { acceptOffers } from '../support/offers.ts'
import { runs } from '../support/long-form.ts'
import { startService, type TestService } from '../support/service.ts'
import { allCommands, type Model } from './commands.ts'
import { expectInvariants } from './invariants.ts'
import { type CreatePage, createPage } from './page-rules.ts'
import type { PageFields } from './page-writes.ts'
import { createProject } from './project-rules.ts'
import { type Real, runStep } from './run-step.ts'
import { KEYS, type KeyName, type Role } from './step.ts'
import type { World } from './world.ts'

/*
 * Sequences of requests, both surfaces mixed, against a model of projects, pages and settings.
 * A short run with every test run; `npm run model` makes a long one.
 */

const sequences = Number(process.env['QUOIN_MODEL_RUNS'] ?? runs(40))

let service: TestService
let sequence = 0

beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

test(`${sequences} sequences of requests are answered as the model predicts`, { timeout: 0 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.commands(allCommands(), { maxCommands: 36, size: 'max' }), async (commands) => {
      const { model, real } = await newSequence()
      await fc.asyncModelRun(() => ({ model, real }), commands)
      await expectInvariants(model.world, real)
    }),
    { numRuns: sequences },
  )
})

/** The pages a sequence begins with. */
const START: readonly CreatePage[] = [
  { title: 'Guide', slug: 'index', subroute: 'docs', type: 'docs' },
  { title: 'Install', slug: 'one', subroute: 'docs', type: 'docs', parent: 0 },
  { title: 'News', slug: 'one', subroute: 'blog', type: 'article', markdown_content: 'Hello.' },
  { title: 'By train', slug: 'two', subroute: 'blog', type: 'article', tags: ['Trains'] },
].map((fields) => ({
  key: 'full',
  surface: 'current',
  isPrefixed: true,
  project: 0,
  fields: fields as PageFields,
  spelling: { title: 'title', legacyTypes: false },
  fault: null,
}))

/** A user of its own with a first project, which one of the keys is scoped to. */
async function newSequence(): Promise<{ model: Model; real: Real }> {
  const user = await service.newUser()
  const world: World = { sequence: ++sequence, url: service.url, projects: [], pages: [] }
  let first: ProjectId | null = null
  const made = new Map<KeyName, Promise<string>>()
  const real: Real = { service, tags: new Map(), keyNamed }
  const steps = [
    (now: World) => createProject(now, { key: 'full', surface: 'current', name: 'Site' }),
    ...START.map((page) => (now: World) => createPage(now, page)),
  ]
  const model: Model = { world }
  for (const step of steps) {
    model.world = await runStep(model.world, step(model.world), real)
    first ??= model.world.projects[0]?.id as ProjectId
  }
  // While there is a project to restrict them to, or to be a member of.
  for (const name of ['scoped', 'editor', 'author', 'viewer'] as const) await keyNamed(name)
  return { model, real }

  /** A user who may create no projects, with this role in the first one. */
  async function newPerson(role: Role): Promise<UserId> {
    const email = `${role}-${sequence}@example.net`
    const { id } = await service.server.service.accounts.createUser(email, false)
    if (role === 'none') return id
    const manager = await service.newKey({ user, permissions: ['read', 'manage'] })
    const path = `/projects/${first}/members`
    const { status } = await service.call('POST', path, { email, role }, { key: manager })
    if (status !== 201) throw new Error(`The invitation was answered ${status}.`)
    await acceptOffers(service, id)
    return id
  }

  /** Made when it is first needed. */
  function keyNamed(name: KeyName): Promise<string> {
    const key = made.get(name) ?? newKey(name)
    made.set(name, key)
    return key
  }

  async function newKey(name: KeyName): Promise<string> {
    const { may, role, scope } = KEYS[name]
    return service.newKey({
      user: role === 'owner' ? user : await newPerson(role),
      permissions: may,
      ...(scope === 0 && first !== null && { project: first }),
    })
  }
}
