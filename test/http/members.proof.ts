import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { PERMISSIONS } from '../../src/domain/caller.ts'
import { readId, type UserId } from '../../src/domain/ids.ts'
import { MAX_MEMBERS } from '../../src/domain/member.ts'
import type { Role } from '../../src/domain/roles.ts'
import { acceptOffers } from '../support/offers.ts'
import { expectRefusal } from '../support/refusal.ts'
import { pageBody, startService, type TestService } from '../support/service.ts'

let service: TestService
let owner: string
let people = 0

beforeAll(async () => {
  service = await startService()
  owner = await service.newKey({ permissions: PERMISSIONS })
})
afterAll(() => service.close())

const call = (method: string, path: string, body?: unknown, key = owner, headers = {}) =>
  service.call(method, path, body, { key, headers })
const internal = (id: string) => readId('proj', id) ?? expect.unreachable()
const invite = (project: string, email: string, role: Role = 'viewer', key = owner) =>
  call('POST', `/projects/${project}/members`, { email, role }, key)

interface Person {
  readonly user: UserId
  readonly email: string
  readonly key: string
}

async function newPerson(): Promise<Person> {
  const email = `person${++people}@example.org`
  const { id } = await service.server.service.accounts.createUser(email, true)
  return { user: id, email, key: await service.newKey({ user: id, permissions: PERMISSIONS }) }
}

async function newMember(project: string, role: Role): Promise<Person & { readonly id: string }> {
  const person = await newPerson()
  const { status, body } = await invite(project, person.email, role)
  expect(status, JSON.stringify(body)).toBe(201)
  await acceptOffers(service, person.user)
  return { ...person, id: body.data.id }
}

async function newPage(project: string, key = owner): Promise<string> {
  const { body } = await call('POST', '/pages', pageBody(project, { slug: `page-${++people}` }), key)
  return body.data.id
}

describe('an invitation', () => {
  test('has one time, however far the clock goes during the request', async () => {
    let unix = Date.now()
    const ticking = await startService({ now: () => new Date(unix++).toISOString() })
    onTestFinished(() => ticking.close())
    const key = await ticking.newKey({ permissions: PERMISSIONS })
    const members = `/projects/${await ticking.newProject()}/members`
    const body = { email: 'ada@example.org', role: 'viewer' }
    const { data: invited } = (await ticking.call('POST', members, body, { key })).body
    const { data: again } = (await ticking.call('POST', members, body, { key })).body
    expect(invited.invited_at).toBe(invited.created_at)
    expect(again.invited_at).toBe(again.updated_at)
  })

  test('makes a person a member once they accept it, and not before', async () => {
    const project = await service.newProject('Invited')
    const person = await newPerson()
    const { status, body } = await invite(project, person.email.toUpperCase(), 'viewer')
    expect(status).toBe(201)
    const { invitation_url, ...shown } = body.data
    expect(invitation_url).toMatch(/\/dashboard\/invitation\?token=[\w-]{43}$/)
    expect(shown).toEqual({
      id: expect.stringMatching(/^mem_/),
      email: person.email,
      role: 'viewer',
      state: 'invited',
      invited_at: shown.created_at,
      expires_at: new Date(Date.parse(shown.created_at) + 14 * 86_400_000).toISOString(),
      source: 'hand',
      mail: { status: 'none', at: null, problem: null },
      created_at: expect.any(String),
      updated_at: expect.any(String),
    })
    expectRefusal(await call('GET', `/projects/${project}`, undefined, person.key), 'not_found')
    const offers = await call('GET', '/users/me/offers', undefined, person.key)
    expect(offers.body.data).toEqual([
      {
        id: expect.stringMatching(/^off_/),
        kind: 'membership',
        project: { id: project, name: 'Invited' },
        role: 'viewer',
        from: 'owner@localhost',
        expires_at: shown.expires_at,
      },
    ])
    const [{ id }] = offers.body.data
    const accepted = await call('POST', `/users/me/offers/${id}/accept`, undefined, person.key)
    expect([accepted.status, accepted.body.data]).toEqual([200, { id, accepted: true }])
    expect((await call('GET', `/projects/${project}`, undefined, person.key)).status).toBe(200)
    expect((await call('GET', `/projects/${project}/members/${shown.id}`)).body.data).toMatchObject({
      state: 'active',
      expires_at: null,
    })
    expectRefusal(await call('POST', `/users/me/offers/${id}/accept`, undefined, person.key), 'not_found')
    expect((await call('GET', '/users/me/offers', undefined, person.key)).body.data).toEqual([])
  })

  test('gives no rights when it is declined, and can be made again, with another role and link', async () => {
    const project = await service.newProject('Declined')
    const person = await newPerson()
    const first = (await invite(project, person.email, 'owner')).body.data
    const offersOf = async () => (await call('GET', '/users/me/offers', undefined, person.key)).body.data
    const [{ id }] = await offersOf()
    const declined = await call('POST', `/users/me/offers/${id}/decline`, undefined, person.key)
    expect(declined.body.data).toEqual({ id, declined: true })
    expect(await offersOf()).toEqual([])
    const path = `/projects/${project}/members/${first.id}`
    expect((await call('GET', path)).body.data.state).toBe('declined')
    const again = await invite(project, person.email, 'viewer')
    expect([again.status, again.body.data.id, again.body.data.state]).toEqual([200, first.id, 'invited'])
    expect(again.body.data.invitation_url).not.toBe(first.invitation_url)
    const renewed = await call('POST', `${path}/invitation`)
    expect(renewed.status).toBe(201)
    expect(Object.keys(renewed.body.data)).toEqual(['invitation_url', 'expires_at', 'mail'])
    expect(await offersOf()).toMatchObject([{ role: 'viewer' }])
    await acceptOffers(service, person.user)
    expectRefusal(await call('POST', `${path}/invitation`), 'conflict')
    expectRefusal(await invite(project, person.email), 'conflict', 'email')
  })

  test('is seen by no account that merely claims the address, or that a stranger was invited by', async () => {
    const project = await service.newProject('Claimed')
    const [person, stranger] = [await newPerson(), await newPerson()]
    const member = (await invite(project, person.email)).body.data.id
    const id = member.replace('mem_', 'off_')
    for (const answer of ['accept', 'decline'])
      expectRefusal(
        await call('POST', `/users/me/offers/${id}/${answer}`, undefined, stranger.key),
        'not_found',
      )
    expect((await call('GET', '/users/me/offers', undefined, stranger.key)).body.data).toEqual([])
    const reader = await service.newKey({ user: person.user, permissions: ['read'] })
    expect((await call('GET', '/users/me/offers', undefined, reader)).body.data).toHaveLength(1)
    expectRefusal(
      await call('POST', `/users/me/offers/${id}/accept`, undefined, reader),
      'forbidden',
      'manage',
    )
  })

  test('is answered and listed alike whether the address has an account or not, also when one comes later', async () => {
    const project = await service.newProject('Alike')
    const person = await newPerson()
    const answers = [await invite(project, person.email), await invite(project, 'unknown@example.org')]
    const shapes = answers.map(({ status, body, headers }) => [
      status,
      Object.entries(body.data).map(([name, value]) => [name, typeof value]),
      [...headers.keys()].sort(),
    ])
    expect(shapes[0]).toEqual(shapes[1])
    const path = `/projects/${project}/members/${answers[1]?.body.data.id}`
    const before = await call('GET', path)
    await service.server.service.accounts.createUser('unknown@example.org', false)
    const after = await call('GET', path)
    expect([after.body, after.headers.get('etag')]).toEqual([before.body, before.headers.get('etag')])
  })

  test('is refused for an address that is a member already, and for the owner', async () => {
    const project = await service.newProject('Twice')
    const { email } = await newMember(project, 'viewer')
    expectRefusal(await invite(project, email.toUpperCase(), 'owner'), 'conflict', 'email')
    const [first] = (await call('GET', `/projects/${project}/members`)).body.data
    expectRefusal(await invite(project, first.email), 'conflict', 'email')
  })

  test.each([
    ['no address', { role: 'viewer' }, 'missing_required_field', 'email'],
    ['no role', { email: 'a@example.org' }, 'missing_required_field', 'role'],
    ['a name for an address', { email: 'Ada', role: 'viewer' }, 'validation_error', 'email'],
    ['two addresses', { email: 'a@b.org, c@d.org', role: 'viewer' }, 'validation_error', 'email'],
    ['a long address', { email: `${'a'.repeat(250)}@b.org`, role: 'viewer' }, 'validation_error', 'email'],
    ['an unknown role', { email: 'a@example.org', role: 'admin' }, 'validation_error', 'role'],
    [
      'an unknown field',
      { email: 'a@example.org', role: 'viewer', user_id: 'x' },
      'validation_error',
      'user_id',
    ],
  ] as const)('with %s is refused', async (_, body, name, field) => {
    const project = await service.newProject('Invalid')
    expectRefusal(await call('POST', `/projects/${project}/members`, body), name, field)
  })

  test(`is refused beyond ${MAX_MEMBERS} members`, async () => {
    const project = await service.newProject('Full')
    for (let n = 0; n < MAX_MEMBERS; n++)
      expect((await invite(project, `many${n}@example.org`)).status).toBe(201)
    expectRefusal(await invite(project, 'one-more@example.org'), 'conflict', String(MAX_MEMBERS))
  }, 60_000)

  test('repeated with its idempotency key invites once', async () => {
    const project = await service.newProject('Repeated')
    const body = { email: 'again@example.org', role: 'viewer' }
    const send = () =>
      call('POST', `/projects/${project}/members`, body, owner, { 'Idempotency-Key': 'once' })
    const [first, second] = [await send(), await send()]
    expect([first.status, second.status]).toEqual([201, 201])
    const { invitation_url: url, ...shown } = first.body.data
    const { invitation_url: other, ...same } = second.body.data
    expect(same).toEqual(shown)
    // The first answer was not received, so that its link ends.
    expect(other).not.toBe(url)
    expect((await call('GET', `/projects/${project}/members`)).body.data).toHaveLength(2)
  })

  test('needs the permission "manage" of an owner’s key', async () => {
    const project = await service.newProject('Unmanaged')
    expectRefusal(await invite(project, 'a@example.org', 'viewer', service.key), 'forbidden', 'manage')
  })
})

describe('the owner', () => {
  test('comes first in the list, keeps the role, and cannot be removed', async () => {
    const project = await service.newProject('Owned')
    const other = await newMember(project, 'owner')
    const { data } = (await call('GET', `/projects/${project}/members`)).body
    expect(data.map(({ role }: { role: string }) => role)).toEqual(['owner', 'owner'])
    const path = `/projects/${project}/members/${data[0].id}`
    expect((await call('GET', path)).body.data).toEqual(data[0])
    for (const key of [owner, other.key]) {
      expectRefusal(await call('PUT', path, { role: 'viewer' }, key), 'conflict')
      expectRefusal(await call('DELETE', path, undefined, key), 'conflict')
    }
    expect((await call('GET', `/projects/${project}`)).status).toBe(200)
  })

  test('may be several people, each with all rights', async () => {
    const project = await service.newProject('Shared')
    const other = await newMember(project, 'owner')
    const third = await invite(project, 'third@example.org', 'viewer', other.key)
    expect(third.status).toBe(201)
    const removed = await call(
      'DELETE',
      `/projects/${project}/members/${third.body.data.id}`,
      undefined,
      other.key,
    )
    expect(removed.body.data).toEqual({ id: third.body.data.id, deleted: true })
    expect((await call('PUT', `/projects/${project}`, { status: 'archived' }, other.key)).status).toBe(200)
    expect((await call('DELETE', `/projects/${project}`, undefined, other.key)).status).toBe(200)
  })
})

describe('a member', () => {
  test('loses the project at once when removed, with every key, and their preview links end', async () => {
    const project = await service.newProject('Removed')
    const member = await newMember(project, 'editor')
    const page = await newPage(project)
    const scoped = await call('POST', '/keys', { name: 'Scoped', project_scope: project }, member.key)
    expect(scoped.status).toBe(201)
    const keys: readonly string[] = [member.key, scoped.body.data.key]
    const link = (await call('POST', `/pages/${page}/preview`, {}, member.key)).body.data.url
    expect((await fetch(link)).status).toBe(200)
    for (const key of keys) expect((await call('GET', `/pages/${page}`, undefined, key)).status).toBe(200)

    expect((await call('DELETE', `/projects/${project}/members/${member.id}`)).status).toBe(200)

    for (const key of keys) {
      expectRefusal(await call('GET', `/pages/${page}`, undefined, key), 'not_found')
      expectRefusal(await call('GET', `/projects/${project}`, undefined, key), 'not_found')
      expectRefusal(await call('PUT', `/pages/${page}`, { title: 'Mine' }, key), 'not_found')
      expect((await call('GET', '/projects', undefined, key)).body.data).toEqual([])
    }
    expect((await fetch(link)).status).toBe(404)
    const usage = await call('GET', '/users/me/usage', undefined, keys[1])
    expect(JSON.stringify(usage.body)).not.toContain(project)
  })

  test('with fewer rights than before loses them at once, and links that needed them end', async () => {
    const project = await service.newProject('Demoted')
    const member = await newMember(project, 'editor')
    const page = await newPage(project)
    const link = (await call('POST', `/pages/${page}/preview`, {}, member.key)).body.data.url
    const path = `/projects/${project}/members/${member.id}`
    const changed = await call('PUT', path, { role: 'viewer' })
    expect(changed.body.data).toMatchObject({ id: member.id, role: 'viewer' })
    expectRefusal(await call('PUT', `/pages/${page}`, { title: 'T' }, member.key), 'forbidden', 'viewer')
    const opened = await fetch(link)
    expect(opened.status).toBe(403)
    expect(await opened.text()).not.toContain('viewer')
  })

  test('may leave, and remove or change nobody else', async () => {
    const project = await service.newProject('Left')
    const [member, other] = [await newMember(project, 'editor'), await newMember(project, 'viewer')]
    const path = (id: string) => `/projects/${project}/members/${id}`
    expectRefusal(await call('DELETE', path(other.id), undefined, member.key), 'forbidden', 'editor')
    expectRefusal(await call('PUT', path(member.id), { role: 'owner' }, member.key), 'forbidden', 'editor')
    expectRefusal(await invite(project, 'friend@example.org', 'viewer', member.key), 'forbidden', 'editor')
    expect((await call('DELETE', path(member.id), undefined, member.key)).status).toBe(200)
    expectRefusal(await call('GET', `/projects/${project}`, undefined, member.key), 'not_found')
  })

  test('may leave a project that takes no changes', async () => {
    const project = await service.newProject('Closed')
    const member = await newMember(project, 'editor')
    await call('PUT', `/projects/${project}`, { status: 'archived' })
    expectRefusal(await invite(project, 'late@example.org'), 'forbidden', 'archived')
    const left = await call('DELETE', `/projects/${project}/members/${member.id}`, undefined, member.key)
    expect(left.status).toBe(200)
  })

  test('is changed only as somebody else left them, when the request says so', async () => {
    const project = await service.newProject('Guarded')
    const { id } = await newMember(project, 'viewer')
    const path = `/projects/${project}/members/${id}`
    const etag = (await call('GET', path)).headers.get('etag') ?? ''
    expect((await call('PUT', path, { role: 'author' }, owner, { 'If-Match': etag })).status).toBe(200)
    expectRefusal(
      await call('PUT', path, { role: 'editor' }, owner, { 'If-Match': etag }),
      'precondition_failed',
    )
    expectRefusal(await call('DELETE', path, undefined, owner, { 'If-Match': etag }), 'precondition_failed')
  })

  test('acts with the rights of the role and the permissions of the key, whichever are fewer', async () => {
    const project = await service.newProject('Narrow')
    const email = 'narrow@example.org'
    const { id: user } = await service.server.service.accounts.createUser(email, false)
    await invite(project, email, 'editor')
    await acceptOffers(service, user)
    const page = await newPage(project)
    const reader = await service.newKey({ user, permissions: ['read'] })
    const publisher = await service.newKey({ user, project: internal(project), permissions: ['publish'] })
    expectRefusal(await call('PUT', `/pages/${page}`, { title: 'T' }, reader), 'forbidden', 'write')
    expect((await call('POST', `/pages/${page}/publish`, undefined, publisher)).status).toBe(200)
    expectRefusal(await call('GET', `/pages/${page}`, undefined, publisher), 'forbidden', 'read')
  })

  test('is a stranger to another project of the same owner', async () => {
    const [project, other] = [await service.newProject('Here'), await service.newProject('There')]
    const member = await newMember(project, 'owner')
    const page = await newPage(other)
    const unknown = await call('GET', `/pages/page_${'a'.repeat(16)}`, undefined, member.key)
    const hidden = await call('GET', `/pages/${page}`, undefined, member.key)
    expect(hidden.body.message.replace(page, '')).toBe(unknown.body.message.replace(/page_a+/, ''))
    expectRefusal(await invite(other, 'x@example.org', 'viewer', member.key), 'not_found')
    const asset = `/projects/${other}/assets?name=a.txt`
    expectRefusal(await call('POST', asset, Buffer.from('text'), member.key), 'not_found')
    // The id of a member belongs to one project.
    expectRefusal(await call('DELETE', `/projects/${other}/members/${member.id}`), 'not_found')
  })
})

describe('an author', () => {
  test('changes every page, publishes none, and shares previews of own pages', async () => {
    const project = await service.newProject('Written')
    const author = await newMember(project, 'author')
    const theirs = await newPage(project)
    const own = await newPage(project, author.key)
    for (const page of [theirs, own]) {
      expect((await call('PUT', `/pages/${page}`, { title: 'Better' }, author.key)).status).toBe(200)
      expect((await call('GET', `/render/${page}`, undefined, author.key)).status).toBe(200)
      expectRefusal(
        await call('POST', `/pages/${page}/publish`, undefined, author.key),
        'forbidden',
        'author',
      )
    }
    expectRefusal(await call('POST', `/pages/${theirs}/preview`, {}, author.key), 'forbidden', 'author')
    const link = await call('POST', `/pages/${own}/preview`, {}, author.key)
    expect(link.status).toBe(201)
    expect((await fetch(link.body.data.url)).status).toBe(200)
  })

  test('deletes drafts, and no page that is live', async () => {
    const project = await service.newProject('Deleted')
    const author = await newMember(project, 'author')
    const [draft, live] = [await newPage(project), await newPage(project)]
    await call('POST', `/pages/${live}/publish`)
    expect((await call('DELETE', `/pages/${draft}`, undefined, author.key)).status).toBe(200)
    expectRefusal(await call('DELETE', `/pages/${live}`, undefined, author.key), 'forbidden', 'author')
  })
})

describe('an editor', () => {
  test('changes settings and domains, and neither archives, deletes nor seals the project', async () => {
    const project = await service.newProject('Edited')
    const { key } = await newMember(project, 'editor')
    const change = (body: object) => call('PUT', `/projects/${project}`, body, key)
    expect((await change({ domain: 'edited.example.com', settings: { theme: 'dark' } })).status).toBe(200)
    expect((await change({ name: 'New name', status: 'active' })).status).toBe(200)
    expectRefusal(await change({ status: 'archived' }), 'forbidden', 'archive')
    expectRefusal(await change({ name: 'Other name', status: 'archived' }), 'forbidden')
    expect((await call('GET', `/projects/${project}`)).body.data).toMatchObject({
      name: 'New name',
      status: 'active',
    })
    const enabling = await call('POST', `/projects/${project}/data-mode/enable`, undefined, key)
    expectRefusal(enabling, 'forbidden', 'Data Mode')
    await call('PUT', `/projects/${project}`, { status: 'archived' })
    expectRefusal(await change({ status: 'active' }), 'forbidden')
    expectRefusal(await call('DELETE', `/projects/${project}`, undefined, key), 'forbidden')
  })
})

describe('the account of a project', () => {
  test('pays for what members store, with its own limits', async () => {
    const { accounts } = service.server.service
    const payer = await accounts.createUser('payer@example.org', true)
    const payerKey = await service.newKey({ user: payer.id, permissions: PERMISSIONS })
    const project = (await call('POST', '/projects', { name: 'Paid' }, payerKey)).body.data.id
    const member = await newPerson()
    await invite(project, member.email, 'author', payerKey)
    await acceptOffers(service, member.user)
    await accounts.setLimits(payer.id, { pages_per_project: 1, media_bytes: 10, members: 1 })
    const create = (slug: string) => call('POST', '/pages', pageBody(project, { slug }), member.key)
    expect((await create('one')).status).toBe(201)
    expectRefusal(await create('two'), 'forbidden', 'pages_per_project')
    const upload = call(
      'POST',
      `/projects/${project}/assets?name=a.txt`,
      Buffer.from('a'.repeat(20)),
      member.key,
    )
    expectRefusal(await upload, 'forbidden', 'media_bytes')
    expectRefusal(await invite(project, 'second@example.org', 'viewer', payerKey), 'forbidden', 'members')
    const used = async (key: string) =>
      (await call('GET', '/users/me/usage', undefined, key)).body.data.account
    expect((await used(payerKey)).pages_per_project).toMatchObject({ used: 1, allowed: 1 })
    expect((await used(payerKey)).members).toMatchObject({ used: 1, allowed: 1 })
    expect(await used(member.key)).toMatchObject({
      projects: { used: 0 },
      pages_per_project: { used: 0 },
      draft_bytes: { used: 0 },
    })
  })
})

describe('a list of projects', () => {
  test('has own and shared projects in one order, counts both, and filters both', async () => {
    const member = await newPerson()
    const create = async (name: string, key: string) =>
      (await call('POST', '/projects', { name }, key)).body.data.id
    const ids: string[] = []
    for (const [name, key] of [
      ['Delta', owner],
      ['Alpha', member.key],
      ['Charlie', owner],
      ['Bravo', member.key],
    ] as const) {
      const id = await create(name, key)
      ids.push(id)
      if (key === owner) await invite(id, member.email)
    }
    await acceptOffers(service, member.user)
    await call('PUT', `/projects/${ids[0]}`, { status: 'archived' })
    const names = async (query: string) => {
      const { data, meta } = (await call('GET', `/projects${query}`, undefined, member.key)).body
      return `${data.map(({ name }: { name: string }) => name).join(' ')} of ${meta.total}`
    }
    expect(await names('?sort=name&order=asc&status=active')).toBe('Alpha Bravo Charlie of 3')
    expect(await names('?sort=name&order=asc&status=all')).toBe('Alpha Bravo Charlie Delta of 4')
    expect(await names('?status=archived')).toBe('Delta of 1')
    expect(await names('?sort=name&status=all&limit=2&offset=1')).toBe('Charlie Bravo of 4')
    await call('PUT', `/projects/${ids[0]}`, { status: 'active' })
    expect(await names('?sort=created_at&order=asc')).toBe('Delta Alpha Charlie Bravo of 4')
    const scoped = await call('POST', '/keys', { name: 'One', project_scope: ids[2] }, member.key)
    const seen = await call('GET', '/projects', undefined, scoped.body.data.key)
    expect(seen.body.data.map(({ id }: { id: string }) => id)).toEqual([ids[2]])
  })
})
