import { afterEach, beforeEach, expect, test } from 'vitest'
import { prefixed } from '../../../src/domain/ids.ts'
import type { PageContent } from '../../../src/domain/page.ts'
import type { Renderer } from '../../../src/renderer/renderer.ts'
import { createPreviewService } from '../../../src/services/pages/previews.ts'
import { createTestTimers } from '../../support/test-timers.ts'
import { createPeopleFixture, HOME, PASSWORD, type PeopleFixture } from '../accounts/people-fixture.ts'
import { errorOf } from '../service-fixture.ts'

const HOUR = 60 * 60
const DAY = 24 * HOUR

let fixture: PeopleFixture
beforeEach(async () => {
  fixture = await createPeopleFixture()
})
afterEach(() => fixture.close())

const DRAFT: PageContent = {
  title: 'Draft',
  slug: 'draft',
  subroute: '',
  type: 'page',
  description: '',
  ogImageUrl: null,
  meta: {},
  config: {},
  markdown: 'A draft.',
  ownFields: {},
}

/** A link to the preview of a draft, created by a person who signed in. */
async function linkOfPerson(seconds: number) {
  const { email } = await fixture.newPerson()
  const { token } = await fixture.sessions.signIn({ email, password: PASSWORD, ...HOME })
  const { caller } = (await fixture.sessions.authenticate(token)) ?? expect.unreachable()
  const { project } = await fixture.projects.create(caller, () => ({ name: 'Site', slugs: 'standard' }))
  const { page } = await fixture.pages.create(caller, project.id, () => DRAFT)
  const previews = createPreviewService({
    ...fixture.context,
    renderer: {
      themes: ['default'],
      preview: async () => ({ html: 'The draft', assets: [] }),
    } as unknown as Renderer,
    timers: createTestTimers(),
    signingKey: new Uint8Array(32),
    publishedMedia: { open: async () => null },
    turns: (_, work) => work(),
    baseUrl: 'https://quoin.example.com',
  })
  const ref = prefixed('page', page.id)
  const link = await previews.createLink(caller, ref, () => seconds)
  const open = () =>
    errorOf(previews.previewByToken(link.token, ref, null, new AbortController().signal, () => {}))
  return { token, caller, link, open }
}

test('a preview link that a person creates outlasts the idle session, and ends with the session', async () => {
  const { token, open } = await linkOfPerson(3 * DAY)
  expect(await open()).toBe('no error')
  fixture.pass(13 * HOUR)
  expect(await fixture.sessions.authenticate(token)).toBeNull()
  expect(await open()).toBe('no error')
  await fixture.sessions.signOut(token)
  expect(await open()).toBe('forbidden')
})

test('a new password ends the preview links of other sessions, and those of its own remain', async () => {
  const { caller, open } = await linkOfPerson(3 * DAY)
  await fixture.sessions.changePassword(caller, PASSWORD, 'a new long password')
  expect(await open()).toBe('no error')
  const { session } = await fixture.sessions.signIn({
    email: caller.email,
    password: 'a new long password',
    ...HOME,
  })
  const other = { ...caller, via: { kind: 'session', id: session.id } } as const
  await fixture.sessions.revokeOthers(other)
  expect(await open()).toBe('forbidden')
})

test('a preview link ends no later than the session can', async () => {
  const { link } = await linkOfPerson(40 * DAY)
  expect(Date.parse(link.expiresAt) - Date.parse(fixture.clock.now)).toBe(30 * DAY * 1000)
})

test('a preview link has a row of the audit log for its creation, and one for its end', async () => {
  const { caller, link, open } = await linkOfPerson(HOUR)
  const rows = async () => {
    const filter = { of: { userId: caller.userId }, act: null, createdAfter: null, createdBefore: null }
    const { items } = await fixture.db.read.audit.list(filter, { limit: 100, offset: 0 })
    return items.filter(({ act }) => act.startsWith('preview.')).reverse()
  }
  const [created] = await rows()
  expect(created).toMatchObject({ act: 'preview.create', before: null })
  expect(created?.actor).toMatchObject({ userId: caller.userId, via: caller.via })
  expect(JSON.stringify(created)).not.toContain(link.token)
  fixture.pass(HOUR - 1)
  expect(await open()).toBe('no error')
  expect(await rows()).toHaveLength(1)
  fixture.pass(1)
  expect([await open(), await open()]).toEqual(['forbidden', 'forbidden'])
  const [, ended, ...more] = await rows()
  expect(more).toEqual([])
  expect(ended).toMatchObject({
    act: 'preview.end',
    target: created?.target,
    before: created?.after,
    after: null,
    actor: { via: { kind: 'service' } },
  })
})
