import { afterAll, beforeAll, expect, test } from 'vitest'
import type { UserId } from '../../src/domain/ids.ts'
import { createAuthenticator } from '../support/authenticator.ts'
import { type DashboardClient, PASSWORD, signedIn } from '../support/dashboard.ts'
import { startService, type TestService } from '../support/service.ts'

const PASSKEYS = '/dashboard/account/passkeys'
const DELETION = '/dashboard/account/delete'

let service: TestService
let people = 0

beforeAll(async () => {
  const started = await startService()
  // Addresses have no passkeys.
  service = { ...started, url: started.url.replace('127.0.0.1', 'localhost') }
})
afterAll(() => service?.close())

interface Person {
  readonly id: UserId
  readonly email: string
  readonly client: DashboardClient
}

async function newPerson(): Promise<Person> {
  const email = `person${++people}@example.org`
  const { id } = await service.server.service.accounts.createUser(email, true)
  return { id, email, client: await signedIn(service, id) }
}

/** Adds a passkey by the pages of the dashboard. */
async function addPasskey(client: DashboardClient) {
  const authenticator = createAuthenticator()
  const { html } = await client.submit(PASSKEYS, `${PASSKEYS}/begin`, { current_password: PASSWORD })
  const [, options = ''] = /data-options="([^"]*)"/.exec(html) ?? []
  const response = authenticator.create(options.replaceAll('&quot;', '"'), service.url)
  const added = await client.post(PASSKEYS, { response, name: 'Phone' })
  expect(added.location).toBe(`${PASSKEYS}?done=passkeyAdded`)
  return authenticator
}

const optionsOf = async (client: DashboardClient) => (await client.get(`${DELETION}/passkey`)).html

test('a person deletes the account with a passkey and the address, without the password', async () => {
  const { email, client } = await newPerson()
  expect((await client.get(DELETION)).html).not.toContain(`action="${DELETION}/passkey"`)
  const authenticator = await addPasskey(client)
  expect((await client.get(DELETION)).html).toContain(`action="${DELETION}/passkey"`)
  const answer = async () => authenticator.get(await optionsOf(client), service.url)
  const send = (fields: Record<string, string>) => client.post(`${DELETION}/passkey`, fields)
  expect((await send({ email: 'other@example.org', response: await answer() })).status).toBe(422)
  expect((await send({ email, response: '{}' })).status).toBe(403)
  const deleted = await send({ email, response: await answer() })
  expect(deleted.location).toBe('/dashboard/sign-in?done=accountDeleted')
  expect((await client.get('/dashboard/account')).status).toBe(303)
})

test('an account is deleted by no passkey of another person, and by no answer to another page or session', async () => {
  const [person, stranger] = [await newPerson(), await newPerson()]
  const [own, other] = [await addPasskey(person.client), await addPasskey(stranger.client)]
  const elsewhere = await signedIn(service, person.id)
  const { client, email } = { ...person, client: elsewhere }
  const signInOptions = (await client.get('/dashboard/sign-in/passkey')).html
  for (const response of [
    other.get(await optionsOf(client), service.url),
    own.get(signInOptions, service.url),
    own.get(await optionsOf(stranger.client), service.url),
    own.get(await optionsOf(client), 'http://localhost:1'),
  ])
    expect((await client.post(`${DELETION}/passkey`, { email, response })).status).toBe(403)
  expect((await client.get('/dashboard/account')).status).toBe(200)
})

test('the last account that may create projects is not deleted by its person', async () => {
  const started = await startService()
  try {
    const owner = await signedIn(started)
    const answer = await owner.post(DELETION, { email: 'owner@localhost', current_password: PASSWORD })
    expect([answer.status, answer.html.includes('No other account may create projects')]).toEqual([400, true])
    expect((await owner.get('/dashboard/account')).status).toBe(200)
  } finally {
    await started.close()
  }
})
