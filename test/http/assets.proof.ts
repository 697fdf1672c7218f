import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { flatPng, svg } from '../support/pictures.ts'
import { pageBody, startService, type TestService } from '../support/service.ts'
import { video } from '../support/videos.ts'

let service: TestService
let project: string

beforeEach(async () => {
  service = await startService({ env: { QUOIN_MAX_IMAGE: '1', QUOIN_MAX_FILE: '2' } })
  project = await service.newProject()
})
afterEach(() => service.close())

const PNG = flatPng(40, 20)
const PDF = Buffer.from('%PDF-1.7\n%…\n')

describe('an upload', () => {
  test('is an asset whose kind and type its bytes decide', async () => {
    const { status, body, headers } = await upload('team/Ada Lovelace.html', PNG)
    expect(status).toBe(201)
    expect(headers.get('etag')).toMatch(/^"1-/)
    expect(body.data).toMatchObject({
      id: expect.stringMatching(/^ast_/),
      project_id: project,
      name: 'team/Ada Lovelace.html',
      kind: 'image',
      content_type: 'image/png',
      bytes: PNG.length,
      digest: digestOf(PNG),
      width: 40,
      height: 20,
      animated: false,
      url: '/media/team/Ada%20Lovelace.html',
      alt: '',
      focus: null,
      used_by: 0,
    })
    expect(await stored()).toEqual([expect.stringContaining(digestOf(PNG))])
    expect(await arriving()).toEqual([])
    expect((await service.call('GET', `/assets/${body.data.id}`)).body).toEqual(body)
  })

  test('has its size when it is a video, and none when the video is damaged', async () => {
    const { status, body } = await upload('tram.mp4', video('tram.mp4'))
    expect(status).toBe(201)
    const size = { kind: 'video', content_type: 'video/mp4', width: 192, height: 108, animated: false }
    expect(body.data).toMatchObject({ ...size, thumbhash: null, variants: [], status: 'ready' })
    expect((await service.call('GET', `/assets/${body.data.id}`)).body).toEqual(body)
    const torn = await upload('torn.mp4', video('tram.mp4').subarray(0, 60))
    expect(torn.body.data).toMatchObject({ kind: 'video', width: null, height: null })
    const captions = await upload(
      'tram.en.vtt',
      Buffer.from('WEBVTT\n\n00:00.000 --> 00:01.000\n<b>Ding</b>\n'),
    )
    expect(captions.body.data).toMatchObject({ kind: 'document', content_type: 'text/vtt; charset=utf-8' })
  })

  test('is answered 200 with the asset when its bytes exist, and is stored once', async () => {
    const first = await upload('a.png', PNG)
    const again = await upload('a.png', PNG)
    expect([first.status, again.status]).toEqual([201, 200])
    expect(again.body.data).toEqual(first.body.data)
    expect(await stored()).toHaveLength(1)
    expect((await upload('b.png', PNG)).status).toBe(201)
    expect(await stored()).toHaveLength(1)
    expect(await used()).toBe(PNG.length)
  })

  test('is a conflict that names the way to replace when its name has other bytes', async () => {
    const first = await upload('a.png', PNG)
    const { status, body } = await upload('a.png', PDF)
    expect([status, body.name]).toEqual([400, 'conflict'])
    expect(body.message).toContain(`PUT /assets/${first.body.data.id}/content`)
    expect(await stored()).toHaveLength(1)
    expect(await arriving()).toEqual([])
    expect(await used()).toBe(PNG.length)
  })

  test('as a form takes its name from the file, and its texts from the fields in any order', async () => {
    const form = new FormData()
    form.set('alt', 'Ada at her desk')
    form.set('file', new Blob([PNG]), 'Ada.png')
    form.set('focus', '{"x":0.5,"y":0.25}')
    form.set('title', 'Ada')
    const answer = await sendForm(`/projects/${project}/assets`, form)
    expect(answer.status).toBe(201)
    expect(answer.body.data).toMatchObject({
      name: 'Ada.png',
      alt: 'Ada at her desk',
      title: 'Ada',
      focus: { x: 0.5, y: 0.25 },
      digest: digestOf(PNG),
    })
    form.set('file', new Blob([PDF]), '../../.htaccess')
    expect((await sendForm(`/projects/${project}/assets?name=doc.pdf`, form)).status).toBe(201)
    const hidden = await sendForm(`/projects/${project}/assets`, form)
    expect([hidden.status, hidden.body.name]).toEqual([422, 'validation_error'])
  })

  test.each([
    ['without a file', (form: FormData) => form.delete('file'), 422, 'missing_required_field'],
    ['with an unknown field', (form: FormData) => form.set('colour', 'red'), 422, 'validation_error'],
    [
      'with two files',
      (form: FormData) => form.append('file', new Blob([PDF]), 'b.pdf'),
      422,
      'validation_error',
    ],
    [
      'with a file of another name',
      (form: FormData) => form.set('photo', new Blob([PDF]), 'b'),
      422,
      'validation_error',
    ],
    [
      'with a focus beyond the picture',
      (form: FormData) => form.set('focus', '{"x":2,"y":0}'),
      422,
      'validation_error',
    ],
    [
      'with a text twice',
      (form: FormData) => {
        form.append('alt', 'One')
        form.append('alt', 'Another')
      },
      422,
      'validation_error',
    ],
    ['with a long text', (form: FormData) => form.set('alt', 'x'.repeat(20_000)), 422, 'validation_error'],
    ['with many fields', manyFields, 422, 'invalid_request'],
    [
      'with an empty file',
      (form: FormData) => form.set('file', new Blob([]), 'a.png'),
      422,
      'validation_error',
    ],
  ])('as a form %s is refused and leaves nothing', async (_, change, status, name) => {
    const form = new FormData()
    form.set('file', new Blob([PNG]), 'a.png')
    change(form)
    const answer = await sendForm(`/projects/${project}/assets`, form)
    expect([answer.status, answer.body.name]).toEqual([status, name])
    await expectNothing()
  })

  test('is refused and leaves nothing when it is larger than its kind may be', async () => {
    const cases = [
      await upload('a.png', Buffer.concat([PNG, Buffer.alloc(1024 ** 2)])),
      await upload('a.bin', Buffer.alloc(2 * 1024 ** 2 + 1)),
      await upload('a.bin', Buffer.alloc(5 * 1024 ** 2)),
    ]
    expect(cases.map(({ status }) => status)).toEqual([413, 413, 413])
    expect(cases[0]?.body.message).toContain('1 MB')
    expect(cases[1]?.body.message).toContain('2 MB')
    await expectNothing()
  })

  test.each([
    '',
    '../up.png',
    '/a.png',
    'a//b.png',
    '.hidden',
    'a/.b',
    'a\\b.png',
    'a?b',
    `${'x'.repeat(201)}`,
    ' a',
    'a ',
  ])('with the name %j is refused', async (name) => {
    const { status } = await upload(name, PNG)
    expect(status).toBe(422)
    await expectNothing()
  })

  test('is refused for a damaged picture, names the file and leaves nothing', async () => {
    for (const bytes of [PNG.subarray(0, 20), Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><g>')]) {
      const { status, body } = await upload('a.png', bytes)
      expect([status, body.name]).toEqual([422, 'validation_error'])
      expect(body.message).toMatch(/^file: /)
    }
    await expectNothing()
    const drawing = await upload('a.svg', svg('<path d="M0 0"/>'))
    expect(drawing.body.data).toMatchObject({ content_type: 'image/svg+xml', width: 40, height: 20 })
  })

  test('takes names of any script, normalised', async () => {
    const { body } = await upload('Zu\u0308rich/写真-हिन्दी@2x+.jpg', PNG)
    expect(body.data.name).toBe('Z\u00fcrich/写真-हिन्दी@2x+.jpg')
    expect((await upload('Z\u00fcrich/写真-हिन्दी@2x+.jpg', PNG)).status).toBe(200)
  })

  test('without bytes or without a name is refused', async () => {
    const empty = await service.call('POST', `/projects/${project}/assets?name=a.png`)
    expect([empty.status, empty.body.name]).toEqual([422, 'validation_error'])
    const unnamed = await service.call('POST', `/projects/${project}/assets`, PNG, OCTETS)
    expect([unnamed.status, unnamed.body.name]).toEqual([422, 'missing_required_field'])
  })

  test('with an idempotency key takes effect once', async () => {
    const headers = { ...OCTETS.headers, 'Idempotency-Key': 'once' }
    const send = (bytes: Buffer) =>
      service.call('POST', `/projects/${project}/assets?name=a.png`, bytes, { headers })
    const [first, second] = [await send(PNG), await send(PNG)]
    expect([first.status, second.status]).toEqual([201, 201])
    expect(second.headers.get('idempotency-replayed')).toBe('true')
    expect(second.body).toEqual(first.body)
    expect((await send(PDF)).status).toBe(422)
  })
})

test('one of 200 uploads of one name at once creates the asset', async () => {
  const bodies = Array.from({ length: 200 }, (_, index) => Buffer.from(`%PDF-${index % 2}`))
  const answers = await Promise.all(bodies.map((body) => uploadInTurn('a.pdf', body)))
  const created = answers.filter(({ status }) => status === 201)
  expect(created).toHaveLength(1)
  const digest = created[0]?.body.data.digest
  answers.forEach(({ status, body }, index) => {
    if (status === 200) expect(body.data.digest).toBe(digest)
    else if (status !== 201) expect([status, body.name]).toEqual([400, 'conflict'])
    expect(status === 400).toBe(digestOf(bodies[index] as Buffer) !== digest)
  })
  expect(await stored()).toHaveLength(1)
  expect(await arriving()).toEqual([])
  expect(await used()).toBe(6)
})

describe('an asset', () => {
  test('can be changed, renamed and deleted; a deleted one leaves no bytes', async () => {
    const { body } = await upload('a.png', PNG)
    const path = `/assets/${body.data.id}`
    const changed = await service.call('PUT', path, {
      ...body.data,
      alt: 'A',
      focus: { x: 0, y: 1 },
      name: 'b/c.png',
    })
    expect(changed.body.data).toMatchObject({ name: 'b/c.png', alt: 'A', focus: { x: 0, y: 1 } })
    await upload('a.png', PDF)
    const taken = await service.call('PUT', path, { name: 'a.png' })
    expect([taken.status, taken.body.name]).toEqual([400, 'conflict'])
    const stale = await service.call('DELETE', path, undefined, { headers: { 'If-Match': '"1-x"' } })
    expect(stale.status).toBe(412)
    expect((await service.call('DELETE', path)).body.data).toEqual({ id: body.data.id, deleted: true })
    expect((await service.call('GET', path)).status).toBe(404)
    expect(await stored()).toEqual([expect.stringContaining(digestOf(PDF))])
    expect(await used()).toBe(PDF.length)
  })

  test('gets other bytes, and the former ones go', async () => {
    const { body } = await upload('a.png', PNG)
    const path = `/assets/${body.data.id}/content`
    const replaced = await service.call('PUT', path, PDF, OCTETS)
    expect(replaced.status).toBe(200)
    expect(replaced.body.data).toMatchObject({ name: 'a.png', kind: 'document', digest: digestOf(PDF) })
    expect(await stored()).toEqual([expect.stringContaining(digestOf(PDF))])
    expect(await used()).toBe(PDF.length)
    const same = await service.call('PUT', path, PDF, OCTETS)
    expect(same.body.data).toEqual(replaced.body.data)
    const form = new FormData()
    form.set('file', new Blob([PNG]), 'other.png')
    expect((await sendForm(path, form, 'PUT')).body.data).toMatchObject({ name: 'a.png', kind: 'image' })
    const stale = await service.call('PUT', path, PDF, {
      headers: { ...OCTETS.headers, 'If-Match': '"1-x"' },
    })
    expect(stale.status).toBe(412)
    expect(stale.headers.get('etag')).toMatch(/^"3-/)
    expect(await stored()).toEqual([expect.stringContaining(digestOf(PNG))])
  })
})

test('a list is filtered by kind, by name and by use', async () => {
  for (const [name, bytes] of [
    ['team/ada.png', PNG],
    ['team/notes.pdf', PDF],
    ['logo.png', PNG],
    ['100%.txt'.replace('%', '_'), Buffer.from('plain')],
  ] as const)
    await upload(name, bytes)
  await service.call('POST', '/pages', pageBody(project, { markdown_content: '![Ada](/media/team/ada.png)' }))
  await service.call('PUT', `/projects/${project}/settings`, { logo_url: '/media/logo.png' })
  const names = async (query: string) =>
    (await service.call('GET', `/projects/${project}/assets?sort=name&order=asc${query}`)).body.data.map(
      ({ name }: { name: string }) => name,
    )
  expect(await names('')).toEqual(['100_.txt', 'logo.png', 'team/ada.png', 'team/notes.pdf'])
  expect(await names('&kind=image')).toEqual(['logo.png', 'team/ada.png'])
  expect(await names('&q=team/*')).toEqual(['team/ada.png', 'team/notes.pdf'])
  expect(await names('&q=0_')).toEqual(['100_.txt'])
  expect(await names('&q=a')).toEqual(['team/ada.png', 'team/notes.pdf'])
  expect(await names('&unused=true')).toEqual(['100_.txt', 'team/notes.pdf'])
  expect(await names('&limit=2&offset=1')).toEqual(['logo.png', 'team/ada.png'])
})

test('usage names the pages and settings that name an asset, live and as they are now', async () => {
  const { body } = await upload('ada.png', PNG)
  const path = `/assets/${body.data.id}`
  const page = await service.call(
    'POST',
    '/pages',
    pageBody(project, { markdown_content: '![](/media/ada.png)' }),
  )
  await service.call('PUT', `/projects/${project}/settings`, {
    custom_css: 'body{background:url(/media/ada.png)}',
  })
  const pageId = page.body.data.id
  const uses = async () => (await service.call('GET', `${path}/usage`)).body.data
  expect(await uses()).toEqual({
    pages: [expect.objectContaining({ id: pageId, draft: true, live: false })],
    total_pages: 1,
    settings: ['custom_css'],
  })
  await service.call('PUT', `/projects/${project}/settings`, { custom_css: null })
  expect((await service.call('POST', `/pages/${pageId}/publish`)).status).toBe(200)
  await service.call('PUT', `/pages/${pageId}`, { markdown_content: 'No picture.' })
  expect((await uses()).pages).toEqual([expect.objectContaining({ id: pageId, draft: false, live: true })])
  expect((await service.call('GET', path)).body.data.used_by).toBe(1)

  const refused = await service.call('DELETE', path)
  expect([refused.status, refused.body.name]).toEqual([400, 'conflict'])
  expect(refused.body.message).toContain(pageId)
  await service.call('POST', `/pages/${pageId}/publish`)
  expect((await uses()).total_pages).toBe(0)
  await service.call('PUT', `/pages/${pageId}`, {
    config: { author: { name: 'Ada', avatar: '/media/ada.png' } },
  })
  await service.call('POST', `/pages/${pageId}/publish`)
  expect((await service.call('DELETE', path)).status).toBe(400)
  expect((await service.call('DELETE', `${path}?force=true`)).status).toBe(200)
})

test('a client learns which digests are missing', async () => {
  await upload('a.png', PNG)
  const other = digestOf(PDF)
  const ask = (digests: unknown) => service.call('POST', `/projects/${project}/assets/missing`, { digests })
  expect((await ask([other, digestOf(PNG), other])).body.data).toEqual({ missing: [other] })
  expect((await ask([])).body.data).toEqual({ missing: [] })
  expect((await ask(['x'])).status).toBe(422)
})

test('deleting a project removes its originals', async () => {
  await upload('a.png', PNG)
  await service.call('PUT', `/projects/${project}`, { status: 'archived' })
  expect((await service.call('DELETE', `/projects/${project}`)).status).toBe(200)
  await expect.poll(stored).toEqual([])
})

test('an account stores as many bytes as it may, also when many upload at once', async () => {
  await service.server.service.accounts.setLimits(service.userId, { media_bytes: 10_500 })
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, index) => uploadInTurn(`${index}.bin`, Buffer.alloc(1_000, index))),
  )
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(10)
  const refused = answers.filter(({ status }) => status !== 201)
  for (const { status, body } of refused) expect([status, body.name]).toEqual([403, 'forbidden'])
  expect(refused[0]?.body.message).toContain('media_bytes is 10500')
  expect(await stored()).toHaveLength(10)
  expect(await used()).toBe(10_000)
  const known = answers.findIndex(({ status }) => status === 201)
  expect((await upload(`${known}.bin`, Buffer.alloc(1_000, known))).status).toBe(200)
})

const OCTETS = { headers: { 'Content-Type': 'application/octet-stream' } }

function upload(name: string, bytes: Buffer) {
  return service.call('POST', `/projects/${project}/assets?name=${encodeURIComponent(name)}`, bytes, OCTETS)
}

/** Repeats an upload that did not get a turn, as a busy machine makes likely. */
async function uploadInTurn(name: string, bytes: Buffer): ReturnType<typeof upload> {
  const answer = await upload(name, bytes)
  return answer.status === 503 ? uploadInTurn(name, bytes) : answer
}

async function sendForm(path: string, form: FormData, method = 'POST') {
  const encoded = new Response(form)
  const headers = { 'Content-Type': encoded.headers.get('content-type') ?? '' }
  return service.call(method, path, Buffer.from(await encoded.arrayBuffer()), { headers })
}

function manyFields(form: FormData): void {
  for (let n = 0; n < 30; n++) form.set(`field-${n}`, 'x')
}

async function expectNothing(): Promise<void> {
  expect(await stored()).toEqual([])
  expect(await arriving()).toEqual([])
  expect(await used()).toBe(0)
  expect((await service.call('GET', `/projects/${project}/assets`)).body.data).toEqual([])
}

async function stored(): Promise<readonly string[]> {
  const entries = await readdir(join(service.data, 'media'), { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name)
}

async function arriving(): Promise<readonly string[]> {
  return readdir(join(service.data, 'uploads')).catch(() => [])
}

async function used(): Promise<number> {
  return (await service.call('GET', '/users/me/usage')).body.data.account.media_bytes.used
}

function digestOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}

describe('the bytes of an asset', () => {
  const download = (id: string, headers: Record<string, string> = {}, key = service.key) =>
    fetch(`${service.url}/assets/${id}/content`, { headers: { Authorization: `Bearer ${key}`, ...headers } })

  test('are downloaded with their digest as the entity tag, and run nothing', async () => {
    const page = Buffer.from('<!doctype html><script>alert(1)</script>')
    const { body } = await upload('page.html', page)
    const answer = await download(body.data.id)
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(page)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      etag: `"${digestOf(page)}"`,
      'content-type': 'application/octet-stream',
      'content-length': String(page.length),
      'content-disposition': 'attachment',
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
    })
    const again = await download(body.data.id, { 'If-None-Match': `"${digestOf(page)}"` })
    expect([again.status, await again.text()]).toEqual([304, ''])
  })

  test('are those of the media store: of a picture the ones without metadata', async () => {
    const drawing = svg('<script>alert(1)</script><path d="M0 0h1"/>')
    const { body } = await upload('a.svg', drawing)
    const answer = await download(body.data.id)
    const bytes = Buffer.from(await answer.arrayBuffer())
    expect(bytes.toString()).not.toContain('script')
    expect(answer.headers.get('etag')).toBe(`"${digestOf(bytes)}"`)
    expect(body.data.digest).toBe(digestOf(drawing))
    const replaced = await service.call('PUT', `/assets/${body.data.id}/content`, PNG, OCTETS)
    expect(replaced.status).toBe(200)
    expect((await download(body.data.id)).headers.get('content-type')).toBe('image/png')
  })

  test('are read by those who may read the project alone', async () => {
    const { body } = await upload('a.png', PNG)
    const stranger = await service.newKey({ user: await service.newUser() })
    expect((await download(body.data.id, {}, stranger)).status).toBe(404)
    expect((await fetch(`${service.url}/assets/${body.data.id}/content`)).status).toBe(401)
  })
})
