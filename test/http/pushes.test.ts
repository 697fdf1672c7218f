import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isRunning, pushExpiry } from '../../src/domain/push.ts'
import { startReceiver } from '../support/receiver.ts'
import { pageBody, startService, type TestService } from '../support/service.ts'

let service: TestService
let receiver: Awaited<ReturnType<typeof startReceiver>>
beforeAll(async () => {
  receiver = await startReceiver()
  service = await startService({ env: { QUOIN_WEBHOOK_ALLOW_PRIVATE: 'true' } })
})
afterAll(async () => {
  await service.close()
  await receiver.close()
})

let made = 0
const unique = () => `folder-${++made}`
const data = async (...request: Parameters<TestService['call']>) => {
  const answer = await service.call(...request)
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300)
  return answer.body.data
}
const newPage = (project: string, fields: object) =>
  data('POST', '/pages', { ...pageBody(project, { slug: unique() }), ...fields })
const sourcesOf = (project: string, folder: string) => data('GET', `/projects/${project}/sources/${folder}`)

describe('the source of a page', () => {
  test('is written by a create and an update, shown, listed with what is stored, and invisible on /v1', async () => {
    const project = await service.newProject()
    const folder = unique()
    const { id } = await newPage(project, { title: 'A', source: { folder, path: 'docs/a.md' } })
    const first = await data('GET', `/pages/${id}`)
    expect(first.source).toMatchObject({ folder, path: 'docs/a.md', revision: null })
    expect(Object.keys(first.source.fields)).toContain('title')
    const legacy = await service.call('GET', `/v1/pages/${id}`)
    expect(JSON.stringify(legacy.body)).not.toContain(folder)

    const [listed] = await sourcesOf(project, folder)
    expect(listed).toMatchObject({
      ...{ record: 'page', id, path: 'docs/a.md', version: 1, created: true, status: 'draft' },
      ...{ digest: first.source.digest, current: first.source.digest },
    })
    await data('PUT', `/pages/${id}`, { title: 'Edited' })
    const [edited] = await sourcesOf(project, folder)
    expect(edited).toMatchObject({ digest: first.source.digest, version: 2 })
    expect(edited.current).not.toBe(first.source.digest)

    await data('PUT', `/pages/${id}`, { title: 'A', source: { folder, path: 'docs/b.md' } })
    expect(await sourcesOf(project, folder)).toMatchObject([
      { path: 'docs/b.md', digest: first.source.digest, current: first.source.digest },
    ])
    await data('DELETE', `/pages/${id}`)
    expect(await sourcesOf(project, folder)).toEqual([])
  })

  test('stays when an answer is sent back with an edit, so that the edit is not lost by the next push', async () => {
    const project = await service.newProject()
    const folder = unique()
    const { id } = await newPage(project, { title: 'A', source: { folder, path: 'a.md' } })
    const { source } = await data('GET', `/pages/${id}`)
    await data('PUT', `/pages/${id}`, { title: 'Edited', source })
    expect((await data('GET', `/pages/${id}`)).source).toEqual(source)
    await data('PUT', `/pages/${id}`, { title: 'Edited again', source: null })
    expect((await data('GET', `/pages/${id}`)).source).toEqual(source)
  })

  test('alone records the stored page as pushed, and is no edit', async () => {
    const project = await service.newProject()
    const folder = unique()
    const { id } = await newPage(project, { title: 'A' })
    const before = await data('GET', `/pages/${id}`)
    const after = await data('PUT', `/pages/${id}`, { source: { folder, path: 'a.md' } })
    expect(after.updated_at).toBe(before.updated_at)
    const [listed] = await sourcesOf(project, folder)
    expect(listed).toMatchObject({ version: 1, created: false })
    expect(listed.current).toBe(listed.digest)
  })

  test('is refused with a folder or a path that cannot be one', async () => {
    const project = await service.newProject()
    for (const source of [
      { folder: 'Not one', path: 'a.md' },
      { folder: 'a-folder', path: '' },
      { folder: 'a-folder' },
    ]) {
      const answer = await service.call('POST', '/pages', { ...pageBody(project), source })
      expect(answer.status).toBe(422)
    }
    expect((await service.call('GET', `/projects/${project}/sources/x`)).status).toBe(422)
  })
})

test('the source of settings has the fields that the folder stated, and a reset takes one out', async () => {
  const project = await service.newProject()
  const folder = unique()
  await data('PUT', `/projects/${project}/settings`, { footer_text: 'Of a person' })
  const source = { folder, path: 'site.yaml' }
  await data('PUT', `/projects/${project}/settings`, { theme: 'dark', source })
  const [first] = await sourcesOf(project, folder)
  expect([first.record, Object.keys(first.fields)]).toEqual(['settings', ['theme']])
  await data('PUT', `/projects/${project}/settings`, { theme: 'default', source })
  expect((await sourcesOf(project, folder))[0].fields).toEqual({})
})

describe('a push', () => {
  const start = (project: string, folder: string, more: object = {}) =>
    service.call('POST', `/projects/${project}/pushes`, { folder, name: 'Site', ...more })

  test('keeps another one of its folder waiting until it ends, and answers with the one before', async () => {
    const project = await service.newProject()
    const folder = unique()
    const revision = 'a'.repeat(40)
    const first = await start(project, folder, { revision, committed_at: '2026-03-01T10:00:00Z' })
    expect(first).toMatchObject({ status: 201, body: { data: { previous: null } } })
    expect(await start(project, folder)).toMatchObject({ status: 400, body: { name: 'conflict' } })
    expect((await start(project, unique())).status).toBe(201)
    expect((await start(await service.newProject(), folder)).status).toBe(201)

    const path = `/pushes/${first.body.data.id}`
    await data('PUT', path, { state: 'running', counts: { created: 1 } })
    await data('PUT', path, { state: 'done', counts: { created: 2 } })
    expect(await service.call('PUT', path, { state: 'running' })).toMatchObject({
      body: { name: 'conflict' },
    })
    const second = await start(project, folder)
    expect(second.body.data.previous).toMatchObject({
      name: 'Site',
      revision,
      committed_at: '2026-03-01T10:00:00.000Z',
    })
    expect(await data('GET', `/projects?folder=${folder}`)).toHaveLength(2)
  })

  test('is not the one before if it failed before it sent anything', async () => {
    const project = await service.newProject()
    const folder = unique()
    const { id } = (await start(project, folder)).body.data
    await data('PUT', `/pushes/${id}`, { state: 'failed' })
    expect((await start(project, folder)).body.data.previous).toBe(null)
  })

  test('gives its revision to what it writes, and tells webhooks that ask for it when it is done', async () => {
    const project = await service.newProject()
    const folder = unique()
    await data('POST', `/projects/${project}/webhooks`, { url: receiver.url, events: ['project.pushed'] })
    const revision = 'b'.repeat(40)
    const { id } = (await start(project, folder, { revision })).body.data
    const page = await newPage(project, { source: { folder, path: 'a.md' } })
    expect((await data('GET', `/pages/${page.id}`)).source.revision).toBe(revision)
    await data('PUT', `/pushes/${id}`, { state: 'done', counts: { created: 1 } })
    await expect.poll(() => receiver.got.length, { timeout: 20_000 }).toBe(1)
    expect(receiver.got[0]?.body).toMatchObject({
      type: 'project.pushed',
      data: { project_id: project, push_id: id, revision, counts: { created: 1 } },
    })
  })

  test('runs for three minutes after each report, so that one that was killed does not stop others for long', () => {
    const expiresAt = pushExpiry('2026-03-01T10:00:00.000Z')
    expect(expiresAt).toBe('2026-03-01T10:03:00.000Z')
    expect(isRunning({ state: 'running', expiresAt }, '2026-03-01T10:02:59.999Z')).toBe(true)
    expect(isRunning({ state: 'running', expiresAt }, expiresAt)).toBe(false)
    expect(isRunning({ state: 'done', expiresAt }, '2026-03-01T10:00:01.000Z')).toBe(false)
  })
})
