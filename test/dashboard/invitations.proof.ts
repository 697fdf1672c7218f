import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type DashboardClient, PASSWORD, signedIn, visitor } from '../support/dashboard.ts'
import { pageBody, startService, type TestService } from '../support/service.ts'
import { type MailServer, startMailServer } from '../support/smtp.ts'

let mailbox: MailServer
let service: TestService
let owner: DashboardClient
let people = 0
const clock = { offset: 0 }

beforeAll(async () => {
  mailbox = await startMailServer({
    refuses: (recipient) => recipient.startsWith('nobody'),
    refusesContent: (recipient) => recipient.startsWith('picky'),
  })
  service = await startService({
    env: {
      QUOIN_SMTP_URL: `smtp://quoin:p%40ss@127.0.0.1:${mailbox.port}`,
      QUOIN_MAIL_FROM: 'Quoin <quoin@example.com>',
    },
    now: () => new Date(Date.now() + clock.offset).toISOString(),
  })
  owner = await signedIn(service)
})
afterAll(async () => {
  await service?.close()
  await mailbox?.close()
})

const INVITATION = '/dashboard/invitation'
const newAddress = () => `invited${++people}@example.org`
const fieldsOf = (link: string) => ({ link: new URL(link).searchParams.get('token') ?? '' })
const pathOf = (link: string) => link.slice(service.url.length)

/** Invites a person, by the dashboard. */
async function invite(project: string, email: string, role = 'author') {
  const { html } = await owner.post(`/dashboard/projects/${project}/members`, { email, role })
  const [shown = ''] = /http:\/\/[^<\s]+\/dashboard\/invitation\?token=[\w-]+/.exec(html) ?? []
  const find = () => mailbox.mails.find(({ to }) => to === email.toLowerCase())
  const mailed = async () => {
    await expect.poll(find, { timeout: 20_000 }).toBeDefined()
    return find()?.link ?? ''
  }
  return { shown, mailed }
}

/** Opens a link in a new browser and chooses a password there. */
async function join(link: string, password = PASSWORD) {
  const answer = await visitor(service).post(`${INVITATION}/join`, {
    ...fieldsOf(link),
    password,
    again: password,
  })
  const [cookie = null] = (answer.headers.get('set-cookie') ?? '').split(';')
  return { answer, client: visitor(service, cookie) }
}

async function memberOf(project: string, email: string) {
  const { body } = await service.call('GET', `/projects/${project}/members`)
  return body.data.find((member: { readonly email: string }) => member.email === email)
}

async function newPerson() {
  const { accounts } = service.server.service
  const email = newAddress()
  const { id } = await accounts.createUser(email, true)
  return { id, email, client: await signedIn(service, id) }
}

async function isVerified(email: string): Promise<boolean> {
  const user = await service.server.service.accounts.userByEmail(email)
  return user.verifiedAt !== null
}

describe('the link of an invitation', () => {
  test('lets a new person choose a password when it was mailed, and proves the address', async () => {
    const project = await service.newProject('A “site” Bcc: x@example.com')
    const email = newAddress()
    const { mailed } = await invite(project, email.toUpperCase())
    const link = await mailed()
    const mail = mailbox.mails.at(-1)
    expect(mail).toMatchObject({ to: email })
    expect(mail?.text).toContain('as an author')
    const { html } = await visitor(service).get(pathOf(link))
    expect(html).toContain(email)
    const { answer, client } = await join(link)
    expect(answer.location).toBe(`/dashboard/projects/${project}?done=invitationAccepted`)
    expect((await client.get(`/dashboard/projects/${project}`)).status).toBe(200)
    expect((await client.get('/dashboard/projects')).html).not.toContain('/dashboard/start')
    expect(await isVerified(email)).toBe(true)
    expect(await memberOf(project, email)).toMatchObject({ state: 'active', mail: { status: 'sent' } })
    expect((await visitor(service).get(pathOf(link))).status).toBe(404)
    expect((await join(link)).answer.status).toBe(404)
    expect(mailbox.mails.every(({ to }) => to !== 'x@example.com')).toBe(true)
  })

  test('makes a new account too when it is shown, with an unproved address and nothing more', async () => {
    const [project, other] = [await service.newProject('Shown'), await service.newProject('Another')]
    const email = newAddress()
    const { shown } = await invite(project, email)
    await invite(other, email)
    const { client } = await join(shown)
    expect((await client.get(`/dashboard/projects/${project}`)).status).toBe(200)
    expect((await client.get(`/dashboard/projects/${other}`)).status).toBe(404)
    expect(await isVerified(email)).toBe(false)
    expect((await client.get('/dashboard/account')).html).not.toContain('/dashboard/account/offers/')
  })

  test('joins with the account of the session, whose address the list then shows', async () => {
    const project = await service.newProject('By another address')
    const invited = newAddress()
    const { shown, mailed } = await invite(project, invited)
    const link = await mailed()
    const person = await newPerson()
    const signIn = await visitor(service).get(pathOf(shown))
    expect(signIn.html).toContain(`next=${encodeURIComponent(pathOf(shown))}`)
    const page = await person.client.get(pathOf(link))
    expect(page.html).toContain(person.email)
    expect((await person.client.get(`/dashboard/projects/${project}`)).status).toBe(404)
    const accepted = await person.client.post(`${INVITATION}/accept`, fieldsOf(link))
    expect(accepted.location).toBe(`/dashboard/projects/${project}?done=invitationAccepted`)
    expect(await memberOf(project, invited)).toBeUndefined()
    expect(await memberOf(project, person.email)).toMatchObject({ state: 'active', role: 'author' })
    expect((await person.client.post(`${INVITATION}/accept`, fieldsOf(shown))).status).toBe(404)
  })

  test('is declined by its holder, and changes nothing by being opened', async () => {
    const project = await service.newProject('Not now')
    const email = newAddress()
    const { shown } = await invite(project, email)
    const { client } = await newPerson()
    for (const browser of [visitor(service), client]) await browser.get(pathOf(shown))
    expect((await memberOf(project, email)).state).toBe('invited')
    expect((await visitor(service).post(`${INVITATION}/decline`, fieldsOf(shown))).status).toBe(401)
    expect((await client.post(`${INVITATION}/decline`, fieldsOf(shown))).status).toBe(303)
    expect((await memberOf(project, email)).state).toBe('declined')
    expect((await client.get(pathOf(shown))).status).toBe(404)
  })

  test('ends after 14 days, when it is taken back, and when a new one is made', async () => {
    const project = await service.newProject('Ended')
    const at = `/dashboard/projects/${project}/members`
    const [first, second, third] = [newAddress(), newAddress(), newAddress()]
    const late = await invite(project, first)
    const back = await invite(project, second)
    const former = await invite(project, third)
    const formerMailed = await former.mailed()
    const [a, b, c] = [
      await memberOf(project, first),
      await memberOf(project, second),
      await memberOf(project, third),
    ]
    await owner.post(`${at}/${b.id}/remove`)
    expect((await visitor(service).get(pathOf(back.shown))).status).toBe(404)
    const { html } = await owner.post(`${at}/${c.id}/invitation`)
    const [renewed = ''] = /http:\/\/[^<\s]+\?token=[\w-]+/.exec(html) ?? []
    for (const link of [former.shown, formerMailed])
      expect((await visitor(service).get(pathOf(link))).status).toBe(404)
    expect((await visitor(service).get(pathOf(renewed))).status).toBe(200)
    clock.offset += 14 * 24 * 3_600_000 + 1_000
    owner = await signedIn(service)
    expect((await memberOf(project, first)).state).toBe('expired')
    expect((await visitor(service).get(pathOf(late.shown))).status).toBe(404)
    expect((await owner.get(at)).html).toContain('Expired')
    await owner.post(`${at}/${a.id}/invitation`)
    expect((await memberOf(project, first)).state).toBe('invited')
  })

  test('signs in when an account has the address, and tells its holder nothing else', async () => {
    const project = await service.newProject('Known address')
    const person = await newPerson()
    const { shown } = await invite(project, person.email)
    const { answer } = await join(shown)
    expect([answer.status, answer.html.includes('Sign in to it')]).toEqual([400, true])
    expect((await person.client.post(`${INVITATION}/accept`, fieldsOf(shown))).status).toBe(303)
  })
})

test('the mailbox takes an account over that a link holder created for its address', async () => {
  const project = await service.newProject('Squatted')
  const email = newAddress()
  const { shown, mailed } = await invite(project, email)
  await mailed()
  const { client } = await join(shown)
  const created = await client.post('/dashboard/keys', [
    ['name', 'Mine'],
    ['permissions', 'read'],
  ])
  const [key = ''] = /qn_live_\w+/.exec(created.html) ?? []
  expect((await service.call('GET', '/users/me', undefined, { key })).status).toBe(200)
  const number = mailbox.mails.length + 1
  await visitor(service).post('/dashboard/forgotten', { email })
  const { link } = await mailbox.mail(number)
  const password = 'another long password'
  await visitor(service).post('/dashboard/set-up', { ...fieldsOf(link), password, again: password })
  expect((await service.call('GET', '/users/me', undefined, { key })).status).toBe(403)
  expect((await client.get('/dashboard/account')).status).toBe(303)
  expect(await isVerified(email)).toBe(true)
})

describe('the mail of an invitation', () => {
  test.each([
    ['nobody', 'address_refused', 'refused the address'],
    ['picky', 'content_refused', 'refused the mail'],
  ])(
    'to %s that the server refuses for good fails at once, is shown, and others go on',
    async (name, problem, shown) => {
      const project = await service.newProject('Refused')
      const email = `${name}${++people}@example.org`
      const at = `/dashboard/projects/${project}/members`
      await owner.post(at, { email, role: 'viewer' })
      const { mailed } = await invite(project, newAddress())
      expect(await mailed()).toContain(INVITATION)
      await expect
        .poll(async () => (await memberOf(project, email)).mail, { timeout: 20_000 })
        .toMatchObject({ status: 'failed', problem })
      expect((await owner.get(at)).html).toContain(shown)
      const metrics = await (await fetch(`${service.url}/metrics`)).text()
      expect(metrics).toMatch(new RegExp(`quoin_mails_total\\{outcome="${problem}"\\} \\d`))
    },
  )

  test('goes three times an hour to one address, and every answer still has a link', async () => {
    const project = await service.newProject('Patient')
    const email = newAddress()
    const { mailed } = await invite(project, email)
    await mailed()
    const { id } = await memberOf(project, email)
    const statuses = []
    const key = await service.newKey({ permissions: ['read', 'manage'] })
    for (let turn = 0; turn < 3; turn++) {
      const path = `/projects/${project}/members/${id}/invitation`
      const { status, body } = await service.call('POST', path, undefined, { key })
      expect([status, typeof body.data.invitation_url]).toEqual([201, 'string'])
      statuses.push(body.data.mail.status)
    }
    expect(statuses).toEqual(['queued', 'queued', 'none'])
    const spelled = await service.call(
      'POST',
      `/projects/${project}/members`,
      { email: email.toUpperCase(), role: 'viewer' },
      { key },
    )
    expect([spelled.status, spelled.body.data.mail.status]).toEqual([200, 'none'])
  })

  test('is given up when no server takes it for a day, and the operator sees it', async () => {
    const closed = await startMailServer()
    await closed.close()
    const time = { offset: 0 }
    const alone = await startService({
      env: {
        QUOIN_SMTP_URL: `smtp://quoin:p%40ss@127.0.0.1:${closed.port}`,
        QUOIN_MAIL_FROM: 'Quoin <quoin@example.com>',
      },
      now: () => new Date(Date.now() + time.offset).toISOString(),
    })
    onTestFinished(() => alone.close())
    const project = await alone.newProject('Unreachable')
    const key = await alone.newKey({ permissions: ['read', 'manage'] })
    const path = `/projects/${project}/members`
    const { body } = await alone.call('POST', path, { email: newAddress(), role: 'viewer' }, { key })
    const mail = async () => (await alone.call('GET', `${path}/${body.data.id}`)).body.data.mail
    expect(await mail()).toMatchObject({ status: 'queued', problem: null })
    await expect
      .poll(
        async () => {
          time.offset += 13 * 3_600_000
          // Another mail wakes the sender.
          await visitor(alone).post('/dashboard/forgotten', { email: `other${time.offset}@example.org` })
          return mail()
        },
        { timeout: 60_000, interval: 500 },
      )
      .toMatchObject({ status: 'failed', problem: 'server_unreachable' })
    const status = await (await fetch(`${alone.url}/internal/status`)).text()
    expect(status).toContain('Mails that were given up within 24 hours: 1 (server_unreachable).')
  })

  test('goes to one mailbox, whatever its recipient says', async () => {
    const project = await service.newProject('Strict')
    const before = mailbox.mails.length
    for (const email of ['x<victim@x.test>', 'a@x.test, victim@x.test', '"a b"@x.test', 'victim@[127.0.0.1]'])
      expect(
        (await owner.post(`/dashboard/projects/${project}/members`, { email, role: 'viewer' })).status,
      ).toBe(422)
    expect(mailbox.mails.length).toBe(before)
  })
})

describe('a project that is offered', () => {
  test('becomes one of the receiver’s account, with its pages, and its former owner stays as an owner', async () => {
    const from = await newPerson()
    const to = await newPerson()
    const [fromKey, toKey] = [
      await service.newKey({ user: from.id, permissions: ['read', 'write', 'manage'] }),
      await service.newKey({ user: to.id, permissions: ['read', 'write', 'manage'] }),
    ]
    const project = (await service.call('POST', '/projects', { name: 'Handed over' }, { key: fromKey })).body
      .data.id
    await service.call('POST', '/pages', pageBody(project), { key: fromKey })
    const at = `/dashboard/projects/${project}`
    const number = mailbox.mails.length + 1
    expect((await from.client.post(`${at}/transfer`, { email: to.email })).location).toBe(
      `${at}/members?done=projectOffered`,
    )
    expect((await mailbox.mail(number)).text).toContain('Handed over')
    expect((await from.client.get(`${at}/members`)).html).toContain(`Offered to ${to.email}`)
    expect((await to.client.get(at)).status).toBe(404)
    const { html } = await to.client.get('/dashboard/account')
    expect(html).toContain(`${from.email} hands it over`)
    const [, offer = ''] = /action="([^"]+)\/accept"/.exec(html) ?? []
    expect((await from.client.post(`${offer}/accept`)).status).toBe(404)
    expect((await to.client.post(`${offer}/accept`)).location).toBe('/dashboard/projects?done=offerAccepted')
    const members = await service.call('GET', `/projects/${project}/members`, undefined, { key: fromKey })
    expect(members.body.data).toMatchObject([
      { email: to.email, role: 'owner' },
      { email: from.email, role: 'owner', state: 'active' },
    ])
    const usage = async (key: string) =>
      (await service.call('GET', '/users/me/usage', undefined, { key })).body.data.account.projects.used
    expect([await usage(fromKey), await usage(toKey)]).toEqual([0, 1])
    const again = { email: from.email }
    expect(
      (await service.call('POST', `/projects/${project}/transfer`, again, { key: fromKey })).status,
    ).toBe(403)
  })

  test('is refused where the account has no room, and names the limit, and nothing has moved', async () => {
    const [from, to] = [await newPerson(), await newPerson()]
    await service.server.service.accounts.setLimits(to.id, { projects: 0 })
    const fromKey = await service.newKey({ user: from.id, permissions: ['read', 'write', 'manage'] })
    const toKey = await service.newKey({ user: to.id, permissions: ['read', 'manage'] })
    const create = await service.call('POST', '/projects', { name: 'Too many' }, { key: fromKey })
    const project = create.body.data.id
    const offer = await service.call(
      'POST',
      `/projects/${project}/transfer`,
      { email: to.email },
      { key: fromKey },
    )
    const unknown = await service.call(
      'POST',
      `/projects/${project}/transfer`,
      { email: 'unknown@example.org' },
      { key: fromKey },
    )
    expect([offer.status, unknown.status]).toEqual([202, 202])
    expect(Object.keys(offer.body.data)).toEqual(Object.keys(unknown.body.data))
    // A second offer replaces the first one.
    const offersOf = async () =>
      (await service.call('GET', '/users/me/offers', undefined, { key: toKey })).body.data
    expect(await offersOf()).toEqual([])
    await service.call('POST', `/projects/${project}/transfer`, { email: to.email }, { key: fromKey })
    const [{ id, kind, role, from: sender }] = await offersOf()
    expect([kind, role, sender]).toEqual(['transfer', 'owner', from.email])
    const refused = await service.call('POST', `/users/me/offers/${id}/accept`, undefined, { key: toKey })
    expect([refused.status, refused.body.name]).toEqual([403, 'forbidden'])
    expect(refused.body.message).toContain('projects')
    expect((await service.call('GET', `/projects/${project}`, undefined, { key: toKey })).status).toBe(404)
    const taken = await service.call('DELETE', `/projects/${project}/transfer`, undefined, { key: fromKey })
    expect([taken.status, taken.body.data]).toEqual([200, { id: project, withdrawn: true }])
    expect(await offersOf()).toEqual([])
    const none = await service.call('DELETE', `/projects/${project}/transfer`, undefined, { key: fromKey })
    expect(none.status).toBe(404)
  })
})

describe('people', () => {
  test('delete their own account after their password and address, once no project is theirs', async () => {
    const person = await newPerson()
    const key = await service.newKey({ user: person.id, permissions: ['read', 'write', 'manage'] })
    const project = (await service.call('POST', '/projects', { name: 'Mine' }, { key })).body.data.id
    const path = '/dashboard/account/delete'
    const { html } = await person.client.get(path)
    expect(html).toContain('Mine')
    expect(html).not.toContain('name="current_password"')
    const send = (fields: Record<string, string>) =>
      person.client.post(path, { email: person.email, current_password: PASSWORD, ...fields })
    expect((await send({})).status).toBe(400)
    await service.call('PUT', `/projects/${project}`, { status: 'archived' }, { key })
    expect((await service.call('DELETE', `/projects/${project}`, undefined, { key })).status).toBe(200)
    expect((await send({ email: 'other@example.org' })).status).toBe(422)
    expect((await send({ current_password: 'not the password' })).status).toBe(422)
    expect((await person.client.get('/dashboard/account')).status).toBe(200)
    const deleted = await send({ email: person.email.toUpperCase() })
    expect(deleted.location).toBe('/dashboard/sign-in?done=accountDeleted')
    expect((await person.client.get('/dashboard/account')).status).toBe(303)
    expect((await service.call('GET', '/users/me', undefined, { key })).status).toBe(403)
    const again = await visitor(service).post('/dashboard/sign-in', {
      email: person.email,
      password: PASSWORD,
    })
    expect(again.status).toBe(401)
    expect((await service.server.service.accounts.createUser(person.email, false)).id).not.toBe(person.id)
  })
})
