import { createCipheriv, createHash, createHmac, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startService, type TestService } from '../support/service.ts'
import { CHROMIUM, launchChromium } from './chromium.ts'

const compiled = new URL('../../dist/client/', import.meta.url)

describe.skipIf(CHROMIUM === null)('the compiled client in a browser', () => {
  let service: TestService
  let modules: Server
  let browser: Browser
  let page: Page

  beforeAll(async () => {
    service = await startService()
    modules = await serveModules()
    browser = await launchChromium()
    page = await browser.newPage()
    await page.goto(`http://127.0.0.1:${(modules.address() as AddressInfo).port}/`)
  })
  afterAll(async () => {
    await browser?.close()
    modules?.close()
    await service?.close()
  })

  test('calls the API from another origin and reads its response headers', async () => {
    const project = await service.newProject('From a browser')
    const answer = await page.evaluate(`(async () => {
      const { createClient } = await import('/client.js')
      const client = createClient({ baseUrl: '${service.url}', key: '${service.key}' })
      const page = { project_id: '${project}', title: 'Hello', slug: 'hello', subroute: '', type: 'article' }
      const { data } = await client.request('POST /pages', { body: page })
      const { headers, body } = await client.send('GET /pages/{id}', { path: { id: data.id } })
      const put = { path: { id: data.id }, body: { title: 'Hello again' }, ifMatch: headers.get('etag') }
      const refusal = await client.request('PUT /pages/{id}', { ...put, ifMatch: '"99-x"' }).catch(String)
      const missing = await client.request('GET /pages/{id}', { path: { id: 'none' } }).catch((error) => error)
      return [body.data.page_name, (await client.request('PUT /pages/{id}', put)).data.title, refusal, missing.requestId]
    })()`)
    expect(answer).toEqual([
      'Hello',
      'Hello again',
      expect.stringContaining('precondition_failed'),
      expect.stringMatching(/^[\x21-\x7e]{10,}$/),
    ])
  })

  test('decrypts pages of Data Mode', async () => {
    const key = randomBytes(32)
    const iv = randomBytes(12)
    const cipher = createCipheriv('aes-256-gcm', key, iv, { authTagLength: 16 })
    const ciphertext = Buffer.concat([cipher.update('{"id":"page_a","title":"Größe"}'), cipher.final()])
    const sealed = { iv, ciphertext, tag: cipher.getAuthTag() }
    const texts = Object.fromEntries(
      Object.entries(sealed).map(([part, bytes]) => [part, bytes.toString('base64')]),
    )
    const opened = await page.evaluate(`import('/decrypt-page.js').then(({ decryptPage }) =>
      decryptPage('${key.toString('base64')}', ${JSON.stringify(texts)}))`)
    expect(opened).toEqual({ id: 'page_a', title: 'Größe' })
  })

  test('decrypts pictures of Data Mode, and refuses another one', async () => {
    const key = randomBytes(32)
    const iv = randomBytes(12)
    const cipher = createCipheriv('aes-256-gcm', key, iv, { authTagLength: 16 })
    const sealed = [...iv, ...cipher.update('A picture.'), ...cipher.final(), ...cipher.getAuthTag()]
    const digest = createHash('sha256').update('A picture.').digest('hex')
    const results = await page.evaluate(`import('/decrypt-asset.js').then(({ decryptAsset }) => {
      const open = (digest) => decryptAsset('${key.toString('base64')}', new Uint8Array(${JSON.stringify(sealed)}),
        { file: '_media/a.bin', digest }).then((bytes) => new TextDecoder().decode(bytes))
      return Promise.allSettled([open('${digest}'), open('${'0'.repeat(64)}')])
    })`)
    expect(results).toEqual([
      { status: 'fulfilled', value: 'A picture.' },
      { status: 'rejected', reason: expect.anything() },
    ])
  })

  test('accepts a signed webhook and rejects a modified one', async () => {
    const secret = randomBytes(24)
    const body = '{"type":"page.published"}'
    const timestamp = Math.floor(Date.now() / 1000)
    const signature = createHmac('sha256', secret).update(`msg_1.${timestamp}.${body}`).digest('base64')
    const headers = {
      'webhook-id': 'msg_1',
      'webhook-timestamp': `${timestamp}`,
      'webhook-signature': `v1,${signature}`,
    }
    const results = await page.evaluate(`import('/verify-webhook.js').then(({ verifyWebhook }) => {
      const verify = (body) => verifyWebhook('whsec_${secret.toString('base64')}', ${JSON.stringify(headers)}, body)
      return Promise.allSettled([verify('${body}'), verify('{}')])
    })`)
    expect(results).toEqual([
      { status: 'fulfilled', value: { type: 'page.published' } },
      { status: 'rejected', reason: expect.anything() },
    ])
  })
})

/** Serves the modules and an empty page from a separate origin. */
async function serveModules(): Promise<Server> {
  const server = createServer((request, response) => {
    const name = request.url?.slice(1) ?? ''
    const isModule = /^[a-z0-9-]+\.js$/.test(name)
    response.setHeader('content-type', isModule ? 'text/javascript' : 'text/html')
    response.end(isModule ? readFileSync(new URL(name, compiled)) : '<!doctype html><title>Client</title>')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}
