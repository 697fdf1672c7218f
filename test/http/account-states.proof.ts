import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openSqlite } from '../../src/db/sqlite.ts'
import { PERMISSIONS } from '../../src/domain/caller.ts'
import { type ProjectId, prefixed, readId, type UserId } from '../../src/domain/ids.ts'
import { type DashboardClient, PASSWORD, visitor } from '../support/dashboard.ts'
import { acceptOffers } from '../support/offers.ts'
import { pageBody, SQLITE, startService, type TestService } from '../support/service.ts'

const ADDRESS = '192.0.2.77'
const FROM = { 'X-Forwarded-For': ADDRESS }

let service: TestService
let people = 0

beforeAll(async () => {
  service = await startService({ env: { ...SQLITE, QUOIN_TRUST_PROXY: '127.0.0.1' } })
})
afterAll(() => service.close())

interface Person {
  readonly id: UserId
  readonly email: string
  readonly browser: DashboardClient
  readonly key: string
}

async function newPerson(): Promise<Person> {
  const email = `Person.${++people}@Example.org`
  const { accounts, setUpLinks } = service.server.service
  const { id } = await accounts.createUser(email, true)
  const fields = { link: await setUpLinks.issue(id), password: PASSWORD, again: PASSWORD }
  const { headers } = await visitor(service).post('/dashboard/set-up', fields, FROM)
  const browser = visitor(service, (headers.get('set-cookie') ?? '').split(';')[0])
  return { id, email, browser, key: await service.newKey({ user: id, permissions: PERMISSIONS }) }
}

async function newSite(
  key: string,
): Promise<{ readonly id: ProjectId; readonly page: string; readonly url: string }> {
  const project = (await service.call('POST', '/projects', { name: 'Site' }, { key })).body.data.id
  const page = (await service.call('POST', '/pages', pageBody(project), { key })).body.data.id
  const published = await service.call('POST', `/pages/${page}/publish`, {}, { key, headers: FROM })
  expect(published.status).toBe(200)
  const url = `${service.url}/public/${project}/a-page/`
  return { id: readId('proj', project) ?? expect.unreachable(), page, url }
}

const signIn = (email: string, password = PASSWORD) =>
  visitor(service).post('/dashboard/sign-in', { email, password }, FROM)

test('a locked account is refused in every way at once while its site stays live, and unlocking brings keys back', async () => {
  const { accounts, setUpLinks } = service.server.service
  const { id, email, browser, key } = await newPerson()
  const { page, url } = await newSite(key)
  const preview = (await service.call('POST', `/pages/${page}/preview`, {}, { key })).body.data.url
  const open = async (address: string) => (await fetch(address, { redirect: 'manual' })).status
  expect([await open(preview), await open(url), (await browser.get('/dashboard/account')).status]).toEqual([
    200, 200, 200,
  ])

  const link = await setUpLinks.issue(id)
  await accounts.lock(id, { isConfirmed: false })
  expect((await browser.get('/dashboard/account')).location).toContain('/dashboard/sign-in')
  expect(await service.call('GET', '/users/me', undefined, { key })).toMatchObject({
    status: 403,
    body: { name: 'invalid_api_key' },
  })
  expect([await open(preview), await open(url)]).toEqual([403, 200])
  const [right, wrong] = [await signIn(email), await signIn(email, 'not the password')]
  expect([right.status, right.html]).toEqual([wrong.status, wrong.html])
  const fields = { link, password: PASSWORD, again: PASSWORD }
  expect((await visitor(service).post('/dashboard/set-up', fields)).status).toBe(404)

  await accounts.unlock(id)
  expect((await service.call('GET', '/users/me', undefined, { key })).status).toBe(200)
  expect((await browser.get('/dashboard/account')).location).toContain('/dashboard/sign-in')
  expect((await signIn(email)).status).toBe(303)
})

test('a user with projects is deleted only once they have another owner, and then no table knows the person', async () => {
  const { accounts } = service.server.service
  const kim = await newPerson()
  const lea = await newPerson()
  const { id: project, page, url } = await newSite(kim.key)
  const shared = await newSite(lea.key)
  const leas = prefixed('proj', shared.id)
  await service.call(
    'POST',
    `/projects/${leas}/members`,
    { email: kim.email, role: 'editor' },
    { key: lea.key },
  )
  await acceptOffers(service, kim.id)
  const other = prefixed('proj', (await newSite(lea.key)).id)
  const named = { email: kim.email, role: 'viewer' }
  await service.call('POST', `/projects/${other}/members`, named, { key: lea.key })
  await service.call('POST', `/projects/${other}/transfer`, { email: kim.email }, { key: lea.key })
  await signIn(kim.email, 'not the password')
  const how = { transferTo: null, deletesProjects: false, isConfirmed: false }
  await expect(accounts.remove(kim.id, how)).rejects.toMatchObject({ name: 'conflict' })

  expect(await everyRow()).toMatch(/person\.2@example\.org/i)
  expect(await everyRow()).toContain(`"clientAddress\\":\\"${ADDRESS}`)
  expect(await accounts.remove(kim.id, { ...how, transferTo: lea.id })).toEqual([project])
  const rows = await everyRow()
  expect(rows).not.toMatch(/person\.2@example\.org/i)
  expect(ofUser(rows, kim.id)).not.toContain(ADDRESS)

  expect((await kim.browser.get('/dashboard/account')).location).toContain('/dashboard/sign-in')
  expect((await service.call('GET', '/users/me', undefined, { key: kim.key })).status).toBe(403)
  expect((await fetch(url)).status).toBe(200)
  expect((await service.call('GET', `/pages/${page}`, undefined, { key: lea.key })).status).toBe(200)
  const { body } = await service.call('GET', `/projects/${leas}/members`, undefined, { key: lea.key })
  expect(body.data.map(({ email }: { readonly email: string }) => email)).toEqual([lea.email.toLowerCase()])
  expect((await accounts.createUser(kim.email, false)).id).not.toBe(kim.id)
})

test('a project that changes its owner is the new one’s from the next request on, and the former one stays an owner in it', async () => {
  const { accounts } = service.server.service
  const [kim, lea] = [await newPerson(), await newPerson()]
  const { id, page } = await newSite(kim.key)
  const read = (key: string) => service.call('GET', `/pages/${page}`, undefined, { key })
  expect([(await read(kim.key)).status, (await read(lea.key)).status]).toEqual([200, 404])
  await accounts.transferProject(id, lea.id)
  expect([(await read(kim.key)).status, (await read(lea.key)).status]).toEqual([200, 200])
  const path = `/projects/${prefixed('proj', id)}/members`
  const { data } = (await service.call('GET', path, undefined, { key: lea.key })).body
  expect(data).toMatchObject([
    { email: lea.email.toLowerCase(), role: 'owner' },
    { email: kim.email.toLowerCase(), role: 'owner' },
  ])
  const removed = await service.call('DELETE', `${path}/${data[1].id}`, undefined, { key: lea.key })
  expect(removed.status).toBe(200)
  expect((await read(kim.key)).status).toBe(404)
})

test('projects are deleted with their user where the operator says so, and the last account that creates projects stays', async () => {
  const { accounts } = service.server.service
  const kim = await newPerson()
  const { id } = await newSite(kim.key)
  await accounts.remove(kim.id, { transferTo: null, deletesProjects: true, isConfirmed: false })
  expect((await service.call('GET', `/projects/${prefixed('proj', id)}`)).status).toBe(404)
  for (const user of await accounts.listUsers())
    if (user.id !== service.userId && user.canCreateProjects && user.lockedAt === null)
      await accounts.lock(user.id, { isConfirmed: false })
  await expect(accounts.lock(service.userId, { isConfirmed: false })).rejects.toMatchObject({
    name: 'conflict',
    message: expect.stringContaining('--yes'),
  })
  await accounts.lock(service.userId, { isConfirmed: true })
  await accounts.unlock(service.userId)
})

/** Every row of every table as JSON, one a line. */
async function everyRow(): Promise<string> {
  const { writer, reader } = openSqlite(join(service.data, 'quoin.db'))
  try {
    const tables: readonly { readonly name: string }[] = await reader('sqlite_master').where({
      type: 'table',
    })
    const rows = await Promise.all(tables.map(async ({ name }) => reader(name).select()))
    return rows
      .flat()
      .map((row) => JSON.stringify(row))
      .join('\n')
  } finally {
    await Promise.all([writer.destroy(), reader.destroy()])
  }
}

function ofUser(rows: string, id: UserId): string {
  return rows
    .split('\n')
    .filter((row) => row.includes(id))
    .join('\n')
}
