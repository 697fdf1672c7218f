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

const tokenOf = (link: string) => ({ link: new URL(link).searchParams.get('token') ?? '' })

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
  expect(second.text).toContain('The account owner@localhost wants')
  const confirm = (link: string) => owner.post('/dashboard/email', tokenOf(link))
  expect((await confirm(first.link)).status).toBe(404)
  const { html } = await owner.get(pathOf(second.link))
  expect(html).toContain('ada@example.org')
  expect(html).toContain('The account owner@localhost signs in with it')
  expect((await signIn('ada@example.org', PASSWORD)).status).toBe(401)
  expect((await confirm(second.link)).location).toBe('/dashboard/account?done=emailConfirmed')
  expect((await confirm(second.link)).status).toBe(404)
  expect((await signIn('ada@example.org', PASSWORD)).status).toBe(303)

  const third = await nextMail(() => ask('ada@example.net'))
  const notice = await nextMail(() => confirm(third.link))
  expect([notice.to, notice.text.includes('ada@example.net')]).toEqual(['ada@example.org', true])

  clock.offset += 61 * 60_000
  const late = await nextMail(() => ask('ada@example.edu'))
  clock.offset += 61 * 60_000
  expect((await confirm(late.link)).status).toBe(404)
})

test('an address that an account has gets no link, with the same answer, whatever its spelling', async () => {
  const account = '/dashboard/account'
  const owner = await signedIn(service)
  const ask = (email: string) =>
    owner.submit(account, `${account}/email`, { email, current_password: PASSWORD })
  const next = await nextMail(async () => {
    expect((await ask('User1@Example.com')).location).toBe(`${account}?done=emailMailed`)
    expect((await ask('free@example.com')).location).toBe(`${account}?done=emailMailed`)
  })
  expect(next.to).toBe('free@example.com')
  for (const spelling of ['Free@example.com', 'FREE@example.com', 'free@EXAMPLE.com', 'frEe@example.com'])
    expect((await ask(spelling)).status).toBe(303)
  await nextMail(() => ask('other@example.com'))
  expect(mailbox.mails.filter(({ to }) => to.toLowerCase() === 'free@example.com')).toHaveLength(3)
})

test('a link to another address does nothing without a session or in another account, and says why', async () => {
  clock.offset += 61 * 60_000
  const account = '/dashboard/account'
  const stranger = await signedIn(service, await service.newUser())
  const { link } = await nextMail(() =>
    stranger.submit(account, `${account}/email`, {
      email: 'mallory@example.com',
      current_password: PASSWORD,
    }),
  )
  const without = await visitor(service).get(pathOf(link))
  const next = new URLSearchParams(without.location?.split('?')[1]).get('next')
  expect([without.status, next]).toEqual([303, pathOf(link)])
  expect((await visitor(service).post('/dashboard/email', tokenOf(link))).status).toBe(401)
  const other = await signedIn(service)
  for (const answer of [await other.get(pathOf(link)), await other.post('/dashboard/email', tokenOf(link))]) {
    expect(answer.status).toBe(403)
    expect(answer.html).toContain('Another account asked for this link.')
    expect(answer.html).not.toContain('mallory@example.com')
  }
  const after = await visitor(service).post('/dashboard/sign-in', {
    email: 'user4@example.com',
    password: PASSWORD,
    next: next ?? '',
  })
  expect(after.location).toBeTruthy()
  expect((await stranger.post('/dashboard/email', tokenOf(link))).location).toBe(
    '/dashboard/account?done=emailConfirmed',
  )
})

test('confirming an address accepts no invitation that waits for it, but shows it as an offer', async () => {
  const account = '/dashboard/account'
  const inviter = await signedIn(service)
  const project = await service.newProject('Shared')
  const members = `/dashboard/projects/${project}/members`
  await nextMail(() => inviter.post(members, { email: 'grace@example.net', role: 'author' }))
  const person = await signedIn(service, await service.newUser())
  const wanted = await nextMail(() =>
    person.submit(account, `${account}/email`, { email: 'grace@example.net', current_password: PASSWORD }),
  )
  expect((await person.get(account)).html).not.toContain('/dashboard/account/offers/')
  await nextMail(() => person.post('/dashboard/email', tokenOf(wanted.link)))
  expect((await signIn('grace@example.net', PASSWORD)).status).toBe(303)
  expect((await person.get(`/dashboard/projects/${project}`)).status).toBe(404)
  const [, offer = ''] = /action="([^"]+)\/accept"/.exec((await person.get(account)).html) ?? []
  expect((await person.get('/dashboard/projects')).html).toContain('One offer waits')
  expect((await person.post(`${offer}/accept`)).location).toBe('/dashboard/projects?done=offerAccepted')
  expect((await person.get(`/dashboard/projects/${project}`)).status).toBe(200)
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
  expect((await visitor(plain).get(FORGOTTEN)).status).toBe(404)
  expect((await (await signedIn(plain)).get('/dashboard/email?token=x')).status).toBe(404)
})
