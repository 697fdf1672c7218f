import { afterAll, beforeAll, expect, test } from 'vitest'
import { startService, type TestService } from '../../support/service.ts'

let service: TestService
let project: string

beforeAll(async () => {
  service = await startService()
  project = (await service.newProject()).replace('proj_', '')
})
afterAll(() => service.close())

test('the legacy surface has the same assets, with bare ids and its own envelope', async () => {
  const headers = { 'Content-Type': 'application/octet-stream' }
  const path = `/v1/projects/${project}/assets`
  const { status, body } = await service.call('POST', `${path}?name=a.pdf`, Buffer.from('%PDF-1.7'), {
    headers,
  })
  expect(status).toBe(201)
  expect(body).toMatchObject({
    success: true,
    data: { project_id: project, name: 'a.pdf', kind: 'document' },
  })
  const { id, digest } = body.data
  expect(id).not.toContain('_')
  expect((await service.call('GET', path)).body).toEqual({
    success: true,
    data: [body.data],
    has_more: false,
    total: 1,
  })
  const current = (await service.call('GET', `/assets/${id}`)).body.data
  // The file that it is pushed from is of the current surface alone.
  expect(current).toEqual({ ...body.data, id: `ast_${id}`, project_id: `proj_${project}`, source: null })
  expect((await service.call('PUT', `/v1/assets/${id}`, { alt: 'A' })).body.data).toMatchObject({
    id,
    alt: 'A',
  })
  expect((await service.call('GET', `/v1/assets/${id}/usage`)).body).toEqual({
    success: true,
    data: { pages: [], total_pages: 0, settings: [] },
  })
  const replaced = await service.call('PUT', `/v1/assets/${id}/content`, Buffer.from('plain'), { headers })
  expect(replaced.body.data.content_type).toBe('text/plain; charset=utf-8')
  expect((await service.call('POST', `${path}/missing`, { digests: [digest] })).body).toEqual({
    success: true,
    data: { missing: [digest] },
  })
  expect((await service.call('DELETE', `/v1/assets/${id}`)).body).toEqual({
    success: true,
    data: { id, deleted: true },
  })
})
