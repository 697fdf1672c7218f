import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openSqlite } from '../../../src/db/sqlite.ts'
import { readId } from '../../../src/domain/ids.ts'
import { expectRefusal } from '../../support/refusal.ts'
import { startService, type TestService } from '../../support/service.ts'

const ENABLED_AT = '2026-01-02T03:04:05.678Z'

let service: TestService
let off: string
let on: string

beforeAll(async () => {
  service = await startService()
  off = await service.newProject('Off')
  on = await service.newProject('On')
  await switchOn(on)
})
afterAll(() => service.close())

/** No request can do this yet. */
async function switchOn(id: string): Promise<void> {
  const { writer, reader } = openSqlite(join(service.data, 'quoin.db'))
  await writer('projects')
    .where({ id: readId('proj', id) ?? expect.unreachable() })
    .update({ hosting_mode: 'data_mode', data_mode_enabled_at: ENABLED_AT })
  await Promise.all([writer.destroy(), reader.destroy()])
}

const read = async (path: string) => (await service.call('GET', path)).body

/** Each way to ask for an action. */
const SPELLINGS = {
  legacy: (id: string, action: string) => service.call('POST', `/v1/projects/${id}/data-mode`, { action }),
  unprefixed: (id: string, action: string) => service.call('POST', `/projects/${id}/data-mode`, { action }),
  current: (id: string, action: string) => service.call('POST', `/projects/${id}/data-mode/${action}`),
}
const ways = Object.entries(SPELLINGS)

describe('the status', () => {
  test('is read from what is stored, in the envelope of each surface', async () => {
    const never = { enabled: false, enabled_at: null }
    expect(await read(`/v1/projects/${off}/data-mode`)).toEqual({ success: true, data: never })
    expect(await read(`/projects/${off}/data-mode`)).toEqual({ data: never })
    const since = { enabled: true, enabled_at: ENABLED_AT }
    expect(await read(`/v1/projects/${on}/data-mode`)).toEqual({ success: true, data: since })
    expect(await read(`/projects/${on}/data-mode`)).toEqual({ data: since })
  })

  test('is told by the settings too, never with a key', async () => {
    const { data_mode: dataMode } = (await read(`/v1/projects/${on}/settings`)).data
    expect(dataMode).toEqual({ enabled: true, content_key: null })
  })
})

describe.each(ways)('an action the %s way', (_, ask) => {
  test.each(['disable', 'regenerate-key'])('%s is not_enabled where Data Mode is off', async (action) => {
    expectRefusal(await ask(off, action), 'not_enabled')
  })

  test('enable is already_enabled where it is on', async () => {
    expectRefusal(await ask(on, 'enable'), 'already_enabled')
  })

  test.each([
    ['enable', () => off],
    ['disable', () => on],
    ['regenerate-key', () => on],
  ])('%s is refused as not available, and changes nothing', async (action, id) => {
    const before = await read(`/projects/${id()}`)
    expectRefusal(await ask(id(), action), 'forbidden', 'not available')
    expect(await read(`/projects/${id()}`)).toEqual(before)
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

  test('needs a body', async () => {
    expectRefusal(await post(undefined), 'invalid_request')
  })

  test('ignores other fields', async () => {
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
