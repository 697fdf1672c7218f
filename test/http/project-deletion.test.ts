import { afterEach, describe, expect, test } from 'vitest'
import { LONG_FORM } from '../support/long-form.ts'
import { createMemoryStorage } from '../support/memory-storage.ts'
import { pageBody, startService, type TestService } from '../support/service.ts'
import { openServiceDatabase } from '../support/test-database.ts'

let service: TestService
afterEach(() => service.close())

/** A service with one archived project that has a live page. */
async function withArchivedProject() {
  const fault = { on: false }
  const storage = createMemoryStorage({
    failOn: (operation) =>
      fault.on && operation === 'delete' ? new Error('The store is out of order.') : null,
  })
  service = await startService({ storage })
  const project = await service.newProject('Gone')
  const { id } = (await service.call('POST', '/pages', pageBody(project))).body.data
  await service.call('POST', `/pages/${id}/publish`)
  await service.call('PUT', `/projects/${project}`, { domain: 'gone.example.com' })
  await service.call('PUT', `/projects/${project}`, { status: 'archived' })
  return { storage, fault, project, page: id }
}

describe('DELETE /projects/:id', () => {
  test('removes an archived project with its pages and everything on the CDN', async () => {
    const { storage, project, page } = await withArchivedProject()
    expect(await storage.list(`${project}/`)).not.toEqual([])
    const answer = await service.call('DELETE', `/projects/${project}`)
    expect(answer).toMatchObject({ status: 200, body: { data: { id: project, deleted: true } } })
    for (const path of [`/projects/${project}`, `/pages/${page}`, `/pages?project_id=${project}`]) {
      expect((await service.call('GET', path)).status).toBe(404)
    }
    expect((await service.call('GET', `/public/${project}/a-page/`)).status).toBe(404)
    expect((await service.call('GET', '/projects')).body.meta.total).toBe(0)
    expect(await storage.list(`${project}/`)).toEqual([])
  })

  test('takes its webhooks along, and what waits to be sent to them', async () => {
    service = await startService()
    const project = await service.newProject()
    // The window stays open: nothing is sent.
    const webhook = { url: 'https://192.5.6.30/', coalesce_seconds: 3600 }
    await service.call('POST', `/projects/${project}/webhooks`, webhook)
    const { id } = (await service.call('POST', '/pages', pageBody(project))).body.data
    await service.call('POST', `/pages/${id}/publish`)
    const left = async () => {
      const { reader, writer } = await openServiceDatabase(service.data)
      const counted = ['webhooks', 'deliveries', 'jobs'].map((table) =>
        reader(table).count({ rows: '*' }).first(),
      )
      const rows = (await Promise.all(counted)).map((count) => count?.['rows'])
      await Promise.all([reader.destroy(), writer.destroy()])
      return rows
    }
    expect((await left()).slice(0, 2)).toEqual([1, 1])
    await service.call('PUT', `/projects/${project}`, { status: 'archived' })
    expect((await service.call('DELETE', `/projects/${project}`)).status).toBe(200)
    await expect.poll(left).toEqual([0, 0, 0])
  })

  test('frees its name and its domain', async () => {
    const { project } = await withArchivedProject()
    await service.call('DELETE', `/projects/${project}`)
    const next = (await service.call('POST', '/projects', { name: 'Gone' })).body.data
    expect(next.slug).toBe('gone')
    expect((await service.call('PUT', `/projects/${next.id}`, { domain: 'gone.example.com' })).status).toBe(
      200,
    )
  })

  test('refuses a project that is not archived, and keys without write', async () => {
    const { project } = await withArchivedProject()
    const active = await service.newProject('Active')
    expect(await service.call('DELETE', `/projects/${active}`)).toMatchObject({
      status: 400,
      body: { name: 'conflict' },
    })
    const key = await service.newKey({ permissions: ['read', 'publish'] })
    expect((await service.call('DELETE', `/projects/${project}`, undefined, { key })).body.name).toBe(
      'forbidden',
    )
  })

  test.runIf(LONG_FORM)('is finished once the store answers again', async () => {
    const { storage, fault, project } = await withArchivedProject()
    fault.on = true
    expect((await service.call('DELETE', `/projects/${project}`)).status).toBe(200)
    expect((await service.call('GET', `/projects/${project}`)).status).toBe(404)
    expect(await storage.list(`${project}/`)).not.toEqual([])
    fault.on = false
    await expect.poll(() => storage.list(`${project}/`)).toEqual([])
  })
})
