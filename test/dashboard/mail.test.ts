import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { PASSWORD, signedIn, visitor } from '../support/dashboard.ts'
import { startService, type TestService } from '../support/service.ts'
import { type MailServer, startMailServer } from '../support/smtp.ts'

const FORGOTTEN = '/dashboard/forgotten'

let mailbox: MailServer
let service: TestService
const clock = { offset: 0 }

beforeAll(async () => {
  mailbox = await startMailServer()
  service = await startService({
    env: settings(mailbox.port),
    now: () => new Date(Date.now() + clock.offset).toISOString(),
  })
})
afterAll(async () => {
  await service?.close()
  await mailbox?.close()
})

function settings(port: number) {
  return {
    QUOIN_SMTP_URL: `smtp://quoin:p%40ss@127.0.0.1:${port}`,
    QUOIN_MAIL_FROM: 'Quoin <quoin@example.com>',
  }
}

/** The mail that this leads to. */
async function nextMail(act: () => Promise<unknown>) {
  const number = mailbox.mails.length + 1
  await act()
  return mailbox.mail(number)
}

const pathOf = (link: string) => link.slice(service.url.length)

async function choosePassword(link: string, password: string) {
  const token = new URL(link).searchParams.get('token') ?? ''
  const answer = await visitor(service).post('/dashboard/set-up', { link: token, password, again: password })
  const [cookie = null] = (answer.headers.get('set-cookie') ?? '').split(';')
  return visitor(service, cookie)
}

const signIn = (email: string, password: string) =>
  visitor(service).post('/dashboard/sign-in', { email, password })

test('a forgotten password is replaced by a link in a mail, in any spelling of the address', async () => {
  const user = await service.newUser()
  await signedIn(service, user)
  const { html } = await visitor(service).get('/dashboard/sign-in')
  expect(html).toContain(`href="${FORGOTTEN}"`)
  const mail = await nextMail(() => visitor(service).post(FORGOTTEN, { email: ' USER1@example.com ' }))
  expect(mail).toMatchObject({ to: 'user1@example.com', from: 'Quoin <quoin@example.com>' })
  expect(mail.text).toContain('within 24 hours')
  expect((await visitor(service).get(pathOf(mail.link))).html).toContain('user1@example.com')
  const client = await choosePassword(mail.link, 'another long password')
  expect((await client.get('/dashboard/account')).status).toBe(200)
  expect((await signIn('user1@example.com', PASSWORD)).status).toBe(401)
  expect((await visitor(service).get(pathOf(mail.link))).status).toBe(404)
})

test('whether an address has an account is not answered, and those without one get no mail', async () => {
  await service.newUser()
  const ask = (email: string) => visitor(service).post(FORGOTTEN, { email })
  const unknown = await ask('nobody@example.com')
  const placeholder = await ask('owner@localhost')
  const known = await nextMail(async () => {
    const answer = await ask('user2@example.com')
    expect([answer.status, answer.html]).toEqual([unknown.status, unknown.html])
    expect(placeholder.html).toBe(unknown.html)
  })
  expect(known.to).toBe('user2@example.com')
  expect(mailbox.mails.map(({ to }) => to)).not.toContain('nobody@example.com')
  const wrong = await ask('no address')
  expect([wrong.status, wrong.html.includes('must be an e-mail address')]).toEqual([422, true])
})

test('an address gets three mails an hour, however often others ask, and a client may ask 20 times', async () => {
  await service.newUser()
  const before = mailbox.mails.length
  const sizes = new Set<number>()
  const statuses: number[] = []
  for (let turn = 0; turn < 21; turn++) {
    const { status, html } = await visitor(service).post(FORGOTTEN, { email: 'user3@example.com' })
    statuses.push(status)
    if (status === 200) sizes.add(html.length)
  }
  await mailbox.mail(before + 3)
  expect([sizes.size, statuses.filter((status) => status === 200).length > 10]).toEqual([1, true])
  const others = Array.from({ length: 25 }, (_, index) => `person${index}@example.com`)
  const answers = []
  for (const email of others) answers.push((await visitor(service).post(FORGOTTEN, { email })).status)
  expect(answers.at(-1)).toBe(429)
  expect(mailbox.mails.length).toBe(before + 3)
  clock.offset += 61 * 60_000
})

test('an invitation leads a person without an account to the project, and others to sign in', async () => {
  const owner = await signedIn(service)
  const project = await service.newProject('A “site” Bcc: x@example.com')
  const members = `/dashboard/projects/${project}/members`
  const invite = (email: string) => owner.post(members, { email, role: 'author' })
  const mail = await nextMail(async () => {
    expect((await invite('New@Example.com')).location).toBe(`${members}?done=memberMailed`)
  })
  expect(mail.to).toBe('new@example.com')
  expect(mail.text).toContain('as an author')
  const person = await choosePassword(mail.link, PASSWORD)
  expect((await person.get(`/dashboard/projects/${project}`)).status).toBe(200)
  expect((await person.get('/dashboard/projects')).html).not.toContain('/dashboard/start')

  await signedIn(service, await service.newUser())
  const other = await nextMail(() => invite('user4@example.com'))
  expect(pathOf(other.link)).toBe(`/dashboard/projects/${project}`)
  expect(mailbox.mails.every(({ to }) => to !== 'x@example.com')).toBe(true)
  const key = await service.newKey({ permissions: ['read', 'write', 'manage'] })
  const body = { email: 'api@example.com', role: 'viewer' }
  const viaApi = await nextMail(async () => {
    expect((await service.call('POST', `/projects/${project}/members`, body, { key })).status).toBe(201)
  })
  expect(viaApi.to).toBe('api@example.com')
})

test('another address is a person’s once its mailbox has proved it, and the old one hears of it', async () => {
  const account = '/dashboard/account'
  const owner = await signedIn(service)
  const ask = (email: string, password = PASSWORD) =>
    owner.submit(account, `${account}/email`, { email, current_password: password })
  expect((await ask('ada@example.com', 'wrong password')).status).toBe(422)
  const first = await nextMail(() => ask('ada@example.com'))
  const second = await nextMail(async () => {
    expect((await ask('ada@example.org')).location).toBe(`${account}?done=emailMailed`)
  })
  expect([first.to, second.to]).toEqual(['ada@example.com', 'ada@example.org'])
  const confirm = (link: string) =>
    visitor(service).post('/dashboard/email', { link: new URL(link).searchParams.get('token') ?? '' })
  expect((await confirm(first.link)).status).toBe(404)
  expect((await visitor(service).get(pathOf(second.link))).html).toContain('ada@example.org')
  expect((await signIn('ada@example.org', PASSWORD)).status).toBe(401)
  expect((await confirm(second.link)).location).toBe('/dashboard/sign-in?done=emailConfirmed')
  expect((await confirm(second.link)).status).toBe(404)
  expect((await signIn('ada@example.org', PASSWORD)).status).toBe(303)

  const third = await nextMail(() => ask('ada@example.net'))
  const told = await nextMail(() => confirm(third.link))
  expect([told.to, told.text.includes('ada@example.net')]).toEqual(['ada@example.org', true])

  const taken = await nextMail(() => ask('user1@example.com'))
  expect((await confirm(taken.link)).status).toBe(404)
  expect((await signIn('user1@example.com', 'another long password')).status).toBe(303)
})

test('a member with another address by now is invited by it as anyone is, and stays a member by either', async () => {
  clock.offset += 61 * 60_000
  const account = '/dashboard/account'
  const inviter = await signedIn(service)
  const project = await service.newProject('Shared')
  const at = `/dashboard/projects/${project}`
  const invite = (email: string) => nextMail(() => inviter.post(`${at}/members`, { email, role: 'author' }))
  const person = await choosePassword((await invite('grace@example.org')).link, PASSWORD)
  const wanted = await nextMail(() =>
    person.submit(account, `${account}/email`, { email: 'grace@example.net', current_password: PASSWORD }),
  )
  const link = new URL(wanted.link).searchParams.get('token') ?? ''
  await nextMail(() => visitor(service).post('/dashboard/email', { link }))
  // That both addresses are of one person is not answered.
  expect((await invite('grace@example.net')).to).toBe('grace@example.net')
  const { html } = await inviter.get(`${at}/members`)
  const [, first = ''] = /grace@example\.org[\s\S]*?members\/(mem_\w+)\/remove/.exec(html) ?? []
  await inviter.post(`${at}/members/${first}/remove`)
  expect((await person.get(at)).status).toBe(200)
  const [, second = ''] = /members\/(mem_\w+)\/remove/.exec((await inviter.get(`${at}/members`)).html) ?? []
  await inviter.post(`${at}/members/${second}/remove`)
  expect((await person.get(at)).status).toBe(404)
})

test('a person who is invited by another address of theirs takes it into the account that they have', async () => {
  clock.offset += 61 * 60_000
  const account = '/dashboard/account'
  const inviter = await signedIn(service)
  const project = await service.newProject('Shared too')
  const at = `/dashboard/projects/${project}`
  const invite = (email: string) => nextMail(() => inviter.post(`${at}/members`, { email, role: 'author' }))
  const other = await service.newProject('Another')
  const first = await nextMail(() =>
    inviter.post(`/dashboard/projects/${other}/members`, { email: 'mary@example.org', role: 'viewer' }),
  )
  const person = await choosePassword(first.link, PASSWORD)
  const unused = await invite('mary@example.net')
  const wanted = await nextMail(() =>
    person.submit(account, `${account}/email`, { email: 'mary@example.net', current_password: PASSWORD }),
  )
  const link = new URL(wanted.link).searchParams.get('token') ?? ''
  await nextMail(() => visitor(service).post('/dashboard/email', { link }))
  expect((await person.get(at)).status).toBe(200)
  expect((await person.get(`/dashboard/projects/${other}`)).status).toBe(200)
  expect((await signIn('mary@example.net', PASSWORD)).status).toBe(303)
  expect((await visitor(service).get(pathOf(unused.link))).status).toBe(404)
})

test('a mail in the language of the dashboard is German', async () => {
  clock.offset += 61 * 60_000
  const mail = await nextMail(() =>
    visitor(service).post(FORGOTTEN, { email: 'user2@example.com' }, { 'Accept-Language': 'de' }),
  )
  expect(mail.text).toContain('innerhalb von 24 Stunden')
})

test('a mail waits while the server is down, and no request waits for it', async () => {
  const port = mailbox.port
  await mailbox.close()
  const { status } = await visitor(service).post(FORGOTTEN, { email: 'user3@example.com' })
  expect(status).toBe(200)
  mailbox = await startMailServer({ port })
  clock.offset += 2 * 60_000
  const mail = await nextMail(() => visitor(service).post(FORGOTTEN, { email: 'none@example.com' }))
  expect(mail.to).toBe('user3@example.com')
}, 60_000)

test('without a mail server the dashboard names no such pages', async () => {
  const plain = await startService()
  onTestFinished(() => plain.close())
  expect((await visitor(plain).get('/dashboard/sign-in')).html).not.toContain(FORGOTTEN)
  for (const path of [FORGOTTEN, '/dashboard/email?token=x'])
    expect((await visitor(plain).get(path)).status).toBe(404)
})
