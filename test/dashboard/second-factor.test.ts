import { afterAll, beforeAll, expect, test } from 'vitest'
import { type DashboardClient, PASSWORD, shownFields, signedIn, visitor } from '../support/dashboard.ts'
import { startService, type TestService } from '../support/service.ts'
import { codeOf } from '../support/totp.ts'

const STEP_MS = 30_000
const CODES = '/dashboard/account/codes'

let service: TestService
let owner: DashboardClient
let secret: string
const clock = { offset: 0 }
const now = () => Date.now() + clock.offset

beforeAll(async () => {
  service = await startService({ now: () => new Date(now()).toISOString() })
  owner = await signedIn(service)
})
afterAll(() => service?.close())

/** A code that no sign-in has used. */
function nextCode(): string {
  clock.offset += STEP_MS
  return codeOf(secret, now())
}

/** The page that asks for a code. */
async function askedForCode(): Promise<string> {
  const { status, html, headers } = await visitor(service).post('/dashboard/sign-in', {
    email: 'owner@localhost',
    password: PASSWORD,
    next: '/dashboard/keys',
  })
  expect([status, headers.get('set-cookie')]).toEqual([200, null])
  return html
}

const sendCode = async (code: string) =>
  visitor(service).post('/dashboard/sign-in/code', {
    ...shownFields(await askedForCode(), '/dashboard/sign-in/code'),
    code,
  })

test('an app is added with the password and a code, and the recovery codes are shown once', async () => {
  const wrong = await owner.submit(CODES, `${CODES}/begin`, { current_password: 'wrong' })
  expect([wrong.status, wrong.html.includes('is not your current password.')]).toEqual([422, true])
  expect((await owner.submit(CODES, `${CODES}/begin`, { current_password: PASSWORD })).location).toBe(CODES)

  const { html, headers } = await owner.get(CODES)
  expect(headers.get('cache-control')).toBe('no-store')
  const [, shown = ''] = /<code class="secret">([A-Z2-7 ]+)<\/code>/.exec(html) ?? []
  secret = shown
  expect(html).toContain('href="otpauth://totp/Quoin%3Aowner%40localhost?')

  const refused = await owner.submit(CODES, `${CODES}/enable`, { code: '12' })
  expect([refused.status, refused.html.includes(shown)]).toEqual([422, true])
  const enabled = await owner.submit(CODES, `${CODES}/enable`, { code: nextCode() })
  expect(enabled.html.match(/<li>([a-z2-7]{4}-){3}[a-z2-7]{4}<\/li>/g)).toHaveLength(10)
  expect((await owner.get(CODES)).html).toContain('10 recovery codes are left.')
  expect((await owner.get(CODES)).html).not.toContain(shown)
})

test('a sign-in asks for a code, says what is wrong with it, and leads to where it began', async () => {
  const wrong = await sendCode('000 000')
  expect([wrong.status, wrong.headers.get('set-cookie')]).toEqual([422, null])
  expect(wrong.html).toMatch(/id="field-code"[^>]*aria-invalid="true"/)
  const again = shownFields(wrong.html, '/dashboard/sign-in/code')
  const right = await visitor(service).post('/dashboard/sign-in/code', { ...again, code: nextCode() })
  expect([right.status, right.location]).toEqual([303, '/dashboard/keys'])
  const [cookie = null] = (right.headers.get('set-cookie') ?? '').split(';')
  expect((await visitor(service, cookie).get('/dashboard/account')).status).toBe(200)
})

test('a challenge that is made up or too old leads back to the password', async () => {
  const fields = shownFields(await askedForCode(), '/dashboard/sign-in/code')
  const made = await visitor(service).post('/dashboard/sign-in/code', { challenge: 'x', code: nextCode() })
  expect(made.location).toBe('/dashboard/sign-in?done=signInAgain')
  clock.offset += 11 * 60_000
  const late = await visitor(service).post('/dashboard/sign-in/code', { ...fields, code: nextCode() })
  expect([late.location, late.headers.get('set-cookie')]).toEqual([
    '/dashboard/sign-in?done=signInAgain',
    null,
  ])
})

test('a set-up link asks for a code too, after the password was set', async () => {
  const link = await service.server.service.setUpLinks.issue(service.userId)
  const chosen = await visitor(service).post('/dashboard/set-up', {
    link,
    password: PASSWORD,
    again: PASSWORD,
  })
  expect([chosen.status, chosen.headers.get('set-cookie')]).toEqual([200, null])
  const fields = shownFields(chosen.html, '/dashboard/sign-in/code')
  const right = await visitor(service).post('/dashboard/sign-in/code', { ...fields, code: nextCode() })
  expect([right.status, right.location]).toEqual([303, '/dashboard/projects'])
  const [cookie = null] = (right.headers.get('set-cookie') ?? '').split(';')
  owner = visitor(service, cookie)
})

test('recovery codes are renewed, and the codes turned off, with the password', async () => {
  const renewed = await owner.submit(CODES, `${CODES}/renew`, { current_password: PASSWORD })
  const [, recovery = ''] = /<li>([a-z2-7-]{19})<\/li>/.exec(renewed.html) ?? []
  expect((await sendCode(recovery)).status).toBe(303)
  const off = await owner.post(`${CODES}/disable`, {
    ...shownFields((await owner.get(CODES)).html, `${CODES}/renew`),
    current_password: PASSWORD,
  })
  expect(off.location).toBe(`${CODES}?done=codesDisabled`)
  const plain = await visitor(service).post('/dashboard/sign-in', {
    email: 'owner@localhost',
    password: PASSWORD,
  })
  expect(plain.status).toBe(303)
})
