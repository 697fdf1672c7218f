import { GetObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createS3Storage } from '../../src/storage/s3.ts'
import { withEnvironment } from '../support/environment.ts'
import { bucketOf, S3_CREDENTIALS, type S3Server, startS3Server } from '../support/s3-server.ts'
import { pageBody, startService, type TestService } from '../support/service.ts'

describe('a service whose sites lie in a bucket', () => {
  let restore: () => void
  let server: S3Server
  let service: TestService
  let url: string
  let project: string
  let id: string

  beforeAll(async () => {
    restore = withEnvironment(S3_CREDENTIALS)
    server = await startS3Server()
    url = server.url()
    service = await startService({ env: { QUOIN_STORAGE_URL: url } })
    project = await service.newProject()
    const fields = { slug: 'hello', subroute: 'blog', markdown_content: 'It *works*.' }
    id = (await service.call('POST', '/pages', pageBody(project, fields))).body.data.id
    expect((await service.call('POST', `/pages/${id}/publish`)).status).toBe(200)
  })
  afterAll(async () => {
    await service?.close()
    await server.close()
    restore()
  })

  const visit = (path: string, method = 'GET', headers: Record<string, string> = {}) =>
    fetch(`${service.url}/public/${project}${path}`, { method, headers, redirect: 'manual' })
  const lying = () => createS3Storage(bucketOf(url)).list(`${project}/`)

  test('is ready when the bucket can be used', async () => {
    expect((await service.call('GET', '/readyz', undefined, { key: null })).body).toMatchObject({
      storage: true,
    })
  })

  test('a published page lies in the bucket with the headers visitors get', async () => {
    const { endpoint, prefix } = bucketOf(url)
    const client = new S3Client({ endpoint: endpoint ?? '', region: 'us-east-1', forcePathStyle: true })
    const object = await client.send(
      new GetObjectCommand({ Bucket: 'quoin', Key: `${prefix}${project}/blog/hello/index.html` }),
    )
    expect(object).toMatchObject({
      ContentType: 'text/html; charset=utf-8',
      CacheControl: 'public, max-age=0, must-revalidate',
    })
    // What a CDN that reads the bucket itself gets as `x-amz-meta-cache-tag`.
    const { headers } = await visit('/blog/hello/')
    expect(headers.get('cache-tag')).toMatch(new RegExp(`^${project},o-[0-9a-f]{16}$`))
    expect(object.Metadata).toMatchObject({
      'cache-tag': headers.get('cache-tag'),
      'surrogate-key': headers.get('surrogate-key'),
    })
    expect(await object.Body?.transformToString()).toBe(await (await visit('/blog/hello/')).text())
    client.destroy()
  })

  test('a visitor gets it, its tag, and nothing twice', async () => {
    const page = await visit('/blog/hello/')
    expect(page.status).toBe(200)
    expect(page.headers.get('cache-control')).toBe('public, max-age=0, must-revalidate')
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(await page.text()).toContain('<em>works</em>')

    const etag = page.headers.get('etag') ?? ''
    expect(etag).toMatch(/^".+"$/)
    const again = await visit('/blog/hello/', 'GET', { 'If-None-Match': etag })
    expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', etag])
  })

  test('HEAD, ranges and redirects are as on a folder', async () => {
    const whole = await visit('/blog/hello/')
    const text = await whole.text()
    const head = await visit('/blog/hello/', 'HEAD', { 'Accept-Encoding': 'identity' })
    expect([head.status, await head.text()]).toEqual([200, ''])
    expect(head.headers.get('content-length')).toBe(String(Buffer.byteLength(text)))

    const part = await visit('/blog/hello/', 'GET', { Range: 'bytes=10-19' })
    expect([part.status, await part.text()]).toEqual([206, text.slice(10, 20)])
    expect(part.headers.get('content-range')).toBe(`bytes 10-19/${Buffer.byteLength(text)}`)
    expect((await visit('/blog/hello/', 'GET', { Range: 'bytes=9999999-' })).status).toBe(416)
    expect((await visit('/blog/hello')).headers.get('location')).toBe('./hello/')
  })

  test('an unknown path gets the 404 page of the project', async () => {
    const missing = await visit('/nothing/')
    expect(missing.status).toBe(404)
    expect(await missing.text()).toBe(
      Buffer.from((await createS3Storage(bucketOf(url)).get(`${project}/404.html`)) ?? []).toString(),
    )
  })

  test('an unpublished page is gone from the bucket, and so is all of a deleted project', async () => {
    expect((await service.call('POST', `/pages/${id}/unpublish`)).status).toBe(200)
    expect((await visit('/blog/hello/')).status).toBe(404)
    expect(await lying()).not.toContain(`${project}/blog/hello/index.html`)
    await service.call('PUT', `/projects/${project}`, { status: 'archived' })
    expect((await service.call('DELETE', `/projects/${project}`)).status).toBe(200)
    await expect.poll(lying).toEqual([])
  })
})
