import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectRefusal } from '../../support/refusal.ts'
import { startService, type TestService } from '../../support/service.ts'

let service: TestService
let off: string
let on: string

beforeAll(async () => {
  service = await startService()
  off = await service.newProject('Off')
  on = await service.newProject('On')
  await service.call('POST', `/projects/${on}/data-mode/enable`)
})
afterAll(() => service.close())

const read = async (path: string) => (await service.call('GET', path)).body

/** Each way to ask for an action. */
const SPELLINGS = {
  legacy: (id: string, action: string) => service.call('POST', `/v1/projects/${id}/data-mode`, { action }),
  unprefixed: (id: string, action: string) => service.call('POST', `/projects/${id}/data-mode`, { action }),
  current: (id: string, action: string) => service.call('POST', `/projects/${id}/data-mode/${action}`),
}
const ways = Object.entries(SPELLINGS)

describe('the status', () => {
  test('is read from the stored state, in the envelope of each surface', async () => {
    const never = { enabled: false, enabled_at: null }
    expect(await read(`/v1/projects/${off}/data-mode`)).toEqual({ success: true, data: never })
    expect(await read(`/projects/${off}/data-mode`)).toEqual({ data: never })
    const since = { enabled: true, enabled_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) }
    expect(await read(`/v1/projects/${on}/data-mode`)).toEqual({ success: true, data: since })
    expect(await read(`/projects/${on}/data-mode`)).toEqual({ data: since })
  })

  test('is in the settings too, always without the key', async () => {
    const { data_mode: dataMode } = (await read(`/v1/projects/${on}/settings`)).data
    expect(dataMode).toEqual({ enabled: true, content_key: null })
    const { data_mode: current, hosting_mode: mode } = (await read(`/projects/${on}/settings`)).data
    expect(current).toEqual({
      enabled: true,
      cdn_base: expect.stringMatching(`/${on}/$`),
      plaintext_pages: 0,
    })
    expect(mode).toBe('data')
  })
})

describe.each(ways)('an action the %s way', (_, ask) => {
  test.each(['disable', 'regenerate-key'])('%s is not_enabled where Data Mode is off', async (action) => {
    expectRefusal(await ask(off, action), 'not_enabled')
  })

  test('enable is already_enabled where it is on', async () => {
    expectRefusal(await ask(on, 'enable'), 'already_enabled')
  })

  test('shows a key of 32 bytes by enable and by regenerate-key, each time another, and nowhere else', async () => {
    const project = await service.newProject('Both')
    const enabled = await ask(project, 'enable')
    const regenerated = await ask(project, 'regenerate-key')
    expect([enabled.status, regenerated.status]).toEqual([200, 200])
    const keys = [enabled, regenerated].map(({ body: { data } }) => data.encryption_key ?? data.contentKey)
    for (const key of keys) {
      expect(key).toMatch(/^[A-Za-z0-9+/]{43}=$/)
      expect(Buffer.from(key, 'base64')).toHaveLength(32)
    }
    expect(new Set(keys).size).toBe(2)
    expectRefusal(await ask(project, 'enable'), 'already_enabled')
    expect((await ask(project, 'disable')).status).toBe(200)
    expectRefusal(await ask(project, 'disable'), 'not_enabled')
  })

  test('is not for an unknown project', async () => {
    expectRefusal(await ask('aaaaaaaaaaaaaaaa', 'enable'), 'not_found')
  })

  test('is not for an archived project', async () => {
    const archived = await service.newProject('Archived')
    await service.call('PUT', `/projects/${archived}`, { status: 'archived' })
    expectRefusal(await ask(archived, 'disable'), 'forbidden', 'archived')
  })
})

describe.each(['/v1', ''])('POST %s/projects/:id/data-mode', (prefix) => {
  const post = (body: unknown) => service.call('POST', `${prefix}/projects/${off}/data-mode`, body)

  test.each([{}, { action: null }])('%j lacks the action', async (body) => {
    expectRefusal(await post(body), 'missing_required_field', 'action: required.')
  })

  test.each(['rotate', 'Enable', '', 5, ['enable']])('the action %j does not exist', async (action) => {
    expectRefusal(await post({ action }), 'validation_error', 'action: must be enable, disable')
  })

  test('needs a body with an action', async () => {
    expectRefusal(await post(undefined), 'invalid_request')
  })

  test('ignores other fields of the body', async () => {
    expectRefusal(await post({ action: 'disable', more: 1 }), 'not_enabled')
  })
})

describe('POST /projects/:id/data-mode/:action', () => {
  test('takes no body or an empty object', async () => {
    const path = `/projects/${off}/data-mode/disable`
    expectRefusal(await service.call('POST', path, {}), 'not_enabled')
    expectRefusal(await service.call('POST', path, { now: true }), 'validation_error', 'now: unknown field.')
  })

  test('does not exist for another action, nor under /v1', async () => {
    expectRefusal(await service.call('POST', `/projects/${off}/data-mode/rotate`), 'not_found')
    expectRefusal(await service.call('POST', `/v1/projects/${off}/data-mode/disable`), 'not_found')
  })
})
