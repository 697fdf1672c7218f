import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createMemoryStorage, type MemoryStorage } from '../../support/memory-storage.ts'
import { pageBody, startService, type TestService } from '../../support/service.ts'

let service: TestService
let storage: MemoryStorage
let project: string
let page: string

beforeEach(async () => {
  storage = createMemoryStorage()
  service = await startService({ storage })
  project = await service.newProject()
  const body = pageBody(project, { slug: 'one', markdown_content: 'The text.' })
  page = (await service.call('POST', '/pages', body)).body.data.id
  await publish()
})
afterEach(() => service.close())

async function publish(): Promise<void> {
  expect((await service.call('POST', `/pages/${page}/publish`)).status).toBe(200)
}
const key = () => `${project}/one/index.html`
const stored = async () => Buffer.from((await storage.get(key())) ?? []).toString()

/** Puts the page's object through `damage`, publishes without an edit, and returns what was written. */
async function publishAfter(damage: () => unknown): Promise<readonly string[]> {
  const before = await stored()
  await damage()
  storage.log.length = 0
  await publish()
  expect(await stored()).toBe(before)
  expect(await storage.headers(key())).toMatchObject({ contentType: 'text/html; charset=utf-8' })
  return storage.log.filter((line) => line.startsWith('put'))
}

describe('publishing a page without an edit', () => {
  test('writes nothing when its objects are as published', async () => {
    expect(await publishAfter(() => {})).toEqual([])
  })

  test.each<[string, () => unknown]>([
    ['was removed', () => storage.delete([key()])],
    ['was overwritten', () => storage.put({ key: key(), body: Buffer.from('defaced') })],
    ['has another content type', () => storage.changeHeaders(key(), { contentType: 'text/plain' })],
    ['has another cache control', () => storage.changeHeaders(key(), { cacheControl: 'max-age=31536000' })],
  ])('writes the object again that %s', async (_, damage) => {
    expect(await publishAfter(damage)).toContain(`put ${key()}`)
  })

  test('repairs a page in Data Mode, too', async () => {
    await service.call('POST', `/projects/${project}/data-mode/enable`)
    await publish()
    const sealed = `${project}/one.json`
    const before = await storage.get(sealed)
    await storage.put({ key: sealed, body: Buffer.from('{}') })
    await publish()
    expect((await storage.get(sealed))?.length).toBe(before?.length)
  })
})
