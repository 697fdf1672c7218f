import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type DashboardClient, PASSWORD, shownFields, signedIn, visitor } from '../support/dashboard.ts'
import { startService, type TestService } from '../support/service.ts'
import { type MailServer, startMailServer } from '../support/smtp.ts'
import { codeOf } from '../support/totp.ts'

const FORGOTTEN = '/dashboard/forgotten'
const STEP_MS = 30_000
/** Failed attempts in an hour, for an account and from an address. */
const GUESSES = 20

let mailbox: MailServer
let service: TestService
let owner: DashboardClient
const clock = { offset: 0 }
const now = () => Date.now() + clock.offset

beforeAll(async () => {
  mailbox = await startMailServer()
  service = await startService({
    env: {
      QUOIN_SMTP_URL: `smtp://quoin:p%40ss@127.0.0.1:${mailbox.port}`,
      QUOIN_MAIL_FROM: 'Quoin <quoin@example.com>',
      QUOIN_TRUST_PROXY: '127.0.0.1/32',
    },
    now: () => new Date(now()).toISOString(),
  })
  owner = await signedIn(service)
})
afterAll(async () => {
  await service?.close()
  await mailbox?.close()
})

let people = 0
/** Another user; the service numbers their addresses. */
async function newPerson() {
  const user = await service.newUser()
  people += 1
  return { user, email: `user${people}@example.com` }
}

/** A request from a client's address, as a proxy passes it on. */
const from = (address: string) => ({ 'X-Forwarded-For': address, 'X-Forwarded-Proto': 'https' })
const signIn = (email: string, password: string, address: string) =>
  visitor(service).post('/dashboard/sign-in', { email, password }, from(address))

/** An answer without what names the request: the address that was typed and the time to wait. */
function shape({ status, html, headers }: Awaited<ReturnType<typeof signIn>>, email: string) {
  const sent = [...headers].filter(
    ([name]) => !/^(date|x-request-id|(?:x-)?ratelimit|retry-after)/.test(name),
  )
  return { status, sent, html: html.replaceAll(email, 'ADDRESS').replace(/\d+ minutes/, 'MINUTES') }
}

describe('whether an address has an account', () => {
  test('is not answered by the sign-in, before its limit and beyond', async () => {
    const known = await newPerson()
    await signedIn(service, known.user)
    const ask = async (email: string, network: string) => {
      const answers = []
      for (let turn = 0; turn <= GUESSES; turn++)
        answers.push(shape(await signIn(email, 'a wrong password', `${network}.${turn}`), email))
      return answers
    }
    const answers = await ask(known.email, '203.0.113')
    expect(await ask('none1@example.com', '198.51.100')).toEqual(answers)
    expect([answers[0]?.status, answers.at(-1)?.status]).toEqual([401, 429])
  })

  test('is not answered by a forgotten password, before its limit and beyond', async () => {
    const known = await newPerson()
    const ask = async (email: string, address: string) => {
      const answers = []
      for (let turn = 0; turn <= GUESSES; turn++) {
        const answer = await visitor(service).post(FORGOTTEN, { email }, from(address))
        answers.push(shape(answer, email))
      }
      return answers
    }
    const answers = await ask(known.email, '192.0.2.1')
    expect(await ask('none2@example.com', '192.0.2.2')).toEqual(answers)
    expect(answers[0]?.status).toBe(200)
  })

  test('is not answered by an invitation, its list, its audit entry or its removal', async () => {
    const project = await service.newProject('Inviting')
    const at = `/dashboard/projects/${project}`
    const ask = async (email: string) => {
      const invited = await owner.post(`${at}/members`, { email, role: 'author' })
      const again = await owner.post(`${at}/members`, { email, role: 'author' })
      const list = await owner.get(`${at}/members`)
      const [, member = ''] = /members\/(mem_\w+)\/remove/.exec(list.html) ?? []
      const audit = await owner.get(`${at}/audit`)
      const removed = await owner.post(`${at}/members/${member}/remove`)
      const plain = (html: string) =>
        html
          .replaceAll(email, 'ADDRESS')
          .replaceAll(member, 'MEMBER')
          .replaceAll(/token=[\w-]+/g, 'TOKEN')
          .replaceAll(/<time[^>]*>[^<]*<\/time>/g, 'TIME')
      return [
        [invited.status, plain(invited.html)],
        [again.status, plain(again.html)],
        plain(list.html),
        // The newest entry: the list grows.
        plain(/<ul class="rows">\s*<li>[\s\S]*?<\/li>/.exec(audit.html)?.[0] ?? ''),
        [removed.status, removed.location],
      ]
    }
    const answers = await ask((await newPerson()).email)
    expect(await ask('none3@example.com')).toEqual(answers)
    expect(answers[2]).toContain('ADDRESS')
    expect(answers[3]).toContain('ADDRESS')
  })
})

describe('guesses', () => {
  test('at a password end after 20 in an hour, and a session of the person goes on', async () => {
    const { user, email } = await newPerson()
    const person = await signedIn(service, user)
    const statuses = []
    for (let turn = 0; turn < GUESSES + 5; turn++)
      statuses.push((await signIn(email, `guess ${turn}`, `203.0.113.${100 + turn}`)).status)
    expect(statuses).toEqual([...Array(GUESSES).fill(401), ...Array(5).fill(429)])
    expect((await signIn(email, PASSWORD, '203.0.113.200')).status).toBe(429)
    expect((await person.get('/dashboard/account')).status).toBe(200)
    clock.offset += 61 * 60_000
    expect((await signIn(email, PASSWORD, '203.0.113.200')).status).toBe(303)
  })

  test('at the current password of a stolen session end as well', async () => {
    const thief = await signedIn(service, (await newPerson()).user)
    const account = '/dashboard/account'
    const statuses = []
    for (let turn = 0; turn <= GUESSES; turn++) {
      const fields = {
        current_password: `guess ${turn}`,
        new_password: 'words of a thief',
        again: 'words of a thief',
      }
      statuses.push((await thief.submit(account, `${account}/password`, fields)).status)
    }
    expect(statuses).toEqual([...Array(GUESSES).fill(422), 429])
  })

  test('at links that are mailed or shown are answered like links that were used', async () => {
    const tokens = ['guess', 'A'.repeat(43), '']
    const pages = await Promise.all(
      tokens.flatMap((token) => [
        visitor(service).get(`/dashboard/set-up?token=${token}`),
        owner.get(`/dashboard/email?token=${token}`),
        visitor(service).get(`/dashboard/invitation?token=${token}`),
      ]),
    )
    for (const { status } of pages) expect(status).toBe(404)
    const [first, , third, second, , fourth] = pages
    expect(second?.html.replaceAll('A'.repeat(43), 'guess')).toBe(first?.html)
    expect(fourth?.html.replaceAll('A'.repeat(43), 'guess')).toBe(third?.html)
  })
})

describe('a code of an app', () => {
  test('is refused when it was used once, in another browser and at the same time too', async () => {
    const codes = '/dashboard/account/codes'
    // The guesses of other tests from this address count no more.
    clock.offset += 61 * 60_000
    const { user, email } = await newPerson()
    const person = await signedIn(service, user)
    await person.submit(codes, `${codes}/begin`, { current_password: PASSWORD })
    const { html } = await person.get(codes)
    const [, secret = ''] = /<code class="secret">([A-Z2-7 ]+)<\/code>/.exec(html) ?? []
    const next = () => {
      clock.offset += STEP_MS
      return codeOf(secret, now())
    }
    await person.submit(codes, `${codes}/enable`, { code: next() })

    const asked = async (address: string) => {
      const answer = await signIn(email, PASSWORD, address)
      expect([answer.status, answer.html]).toEqual([200, expect.stringContaining('challenge')])
      return shownFields(answer.html, '/dashboard/sign-in/code')
    }
    const send = async (code: string, address: string, fields = asked(address)) =>
      visitor(service).post('/dashboard/sign-in/code', { ...(await fields), code }, from(address))

    const code = next()
    const seen = await asked('192.0.2.10')
    expect((await send(code, '192.0.2.10', Promise.resolve(seen))).status).toBe(303)
    // The same form again, and a form of its own with the code that was looked at.
    for (const fields of [Promise.resolve(seen), asked('192.0.2.11')]) {
      const { status, location, headers } = await send(code, '192.0.2.11', fields)
      expect([status, location, headers.get('set-cookie')]).toEqual([422, null, null])
    }
    const twice = next()
    const forms = await Promise.all([asked('192.0.2.12'), asked('192.0.2.13')])
    const answers = await Promise.all(
      forms.map((fields, turn) => send(twice, `192.0.2.${12 + turn}`, Promise.resolve(fields))),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 422])
  })
})
