import { afterEach, beforeEach, expect, test } from 'vitest'
import { createServiceFixture, errorOf, type ServiceFixture } from '../service-fixture.ts'

let fixture: ServiceFixture
beforeEach(async () => {
  fixture = await createServiceFixture()
})
afterEach(() => fixture.close())

const archive = {
  changesOnlyStatus: () => true,
  read: () => ({ fields: { status: 'archived' as const }, settings: {} }),
}
const rename = {
  changesOnlyStatus: () => false,
  read: () => ({ fields: { name: 'New name' }, settings: {} }),
}

test('projects of one owner with the same name get different slugs', async () => {
  const caller = await fixture.newCaller()
  const first = await fixture.projects.create(caller, () => ({ name: 'My site', slugs: 'standard' }))
  const second = await fixture.projects.create(caller, () => ({ name: 'My site', slugs: 'standard' }))
  const other = await fixture.projects.create(await fixture.newCaller(), () => ({
    name: 'My site',
    slugs: 'standard',
  }))
  expect(first.project.slug).toBe('my-site')
  expect(second.project.slug).not.toBe('my-site')
  expect(other.project.slug).toBe('my-site')
})

test('a user without permission, and a key of one project, cannot create projects', async () => {
  const unprivileged = await fixture.newCaller({ canCreateProjects: false })
  expect(
    await errorOf(fixture.projects.create(unprivileged, () => ({ name: 'Site', slugs: 'standard' }))),
  ).toBe('forbidden')
  const caller = await fixture.newCaller()
  const { project } = await fixture.projects.create(caller, () => ({ name: 'Site', slugs: 'standard' }))
  const scoped = { ...caller, projectScope: project.id }
  expect(await errorOf(fixture.projects.create(scoped, () => ({ name: 'Site', slugs: 'standard' })))).toBe(
    'forbidden',
  )
})

test('a repeated request with the same idempotency key creates one project', async () => {
  const caller = await fixture.newCallerWithKey('once', '/projects')
  const first = await fixture.projects.create(caller, () => ({ name: 'Site', slugs: 'standard' }))
  const second = await fixture.projects.create(caller, () => ({ name: 'Site', slugs: 'standard' }))
  expect(second.project.id).toBe(first.project.id)
})

test('the project of another user does not exist for a caller', async () => {
  const { project } = await fixture.projects.create(await fixture.newCaller(), () => ({
    name: 'Site',
    slugs: 'standard',
  }))
  const stranger = await fixture.newCaller()
  expect(await errorOf(fixture.projects.get(stranger, project.id))).toBe('not_found')
})

test('existence is checked before scope, scope before permission', async () => {
  const caller = await fixture.newCaller()
  const { project } = await fixture.projects.create(caller, () => ({ name: 'Site', slugs: 'standard' }))
  const { project: other } = await fixture.projects.create(caller, () => ({
    name: 'Other',
    slugs: 'standard',
  }))
  const scoped = { ...caller, projectScope: other.id, permissions: [] }
  expect(await errorOf(fixture.projects.get(scoped, project.id))).toBe('project_scope_violation')
  expect(await errorOf(fixture.projects.get(scoped, other.id))).toBe('forbidden')
})

test('an archived project accepts a change of its status only', async () => {
  const caller = await fixture.newCaller()
  const { project } = await fixture.projects.create(caller, () => ({ name: 'Site', slugs: 'standard' }))
  await fixture.projects.update(caller, project.id, archive)
  expect(await errorOf(fixture.projects.update(caller, project.id, rename))).toBe('forbidden')
  expect(await errorOf(fixture.projects.update(caller, project.id, archive))).toBe('no error')
})

test('a suspended project accepts no change', async () => {
  const caller = await fixture.newCaller()
  const { project } = await fixture.projects.create(caller, () => ({ name: 'Site', slugs: 'standard' }))
  await fixture.projects.setStatus(project.id, 'suspended')
  expect(await errorOf(fixture.projects.update(caller, project.id, archive))).toBe('forbidden')
  expect(await errorOf(fixture.projects.updateSettings(caller, project.id, () => ({})))).toBe('forbidden')
})

test('an update that is refused stores nothing', async () => {
  const caller = await fixture.newCaller()
  const { project } = await fixture.projects.create(caller, () => ({ name: 'Site', slugs: 'standard' }))
  const refusing = {
    changesOnlyStatus: () => false,
    read: (): never => {
      throw new RangeError('invalid')
    },
  }
  expect(await errorOf(fixture.projects.update(caller, project.id, refusing))).toBe('RangeError')
  expect((await fixture.projects.get(caller, project.id)).project.name).toBe('Site')
})

test('each update of the settings moves updated_at, even when the clock stands still', async () => {
  const caller = await fixture.newCaller()
  const { project, settings } = await fixture.projects.create(caller, () => ({
    name: 'Site',
    slugs: 'standard',
  }))
  const update = (footerText: string) =>
    fixture.projects.updateSettings(caller, project.id, () => ({ footerText }))
  const first = await update('one')
  const second = await update('two')
  const times = [settings, first.settings, second.settings].map(({ updatedAt }) => updatedAt)
  expect(new Set(times).size).toBe(3)
  expect([...times].sort()).toEqual(times)
  expect(second.settings.version).toBe(settings.version + 2)
})
