import { createHash } from 'node:crypto'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openVerification } from '../../src/app/verification.ts'
import type { ProjectId } from '../../src/domain/ids.ts'
import { finishedJob } from '../support/finished-job.ts'
import { createMemoryStorage } from '../support/memory-storage.ts'
import { flatPng, picture, SECRET, sharpIfInstalled, svg } from '../support/pictures.ts'
import { pageBody, startService, type TestService } from '../support/service.ts'
import { serviceConfig } from '../support/test-database.ts'
import { video } from '../support/videos.ts'

const HOUR_MS = 60 * 60 * 1000
const ADA = flatPng(40, 20)
const BOB = flatPng(60, 30)
const PDF = Buffer.from('%PDF-1.7\n%…\n')

const OCTETS = { headers: { 'Content-Type': 'application/octet-stream' } }

let service: TestService
let project: string
let time: number

beforeEach(async () => {
  time = Date.parse('2026-01-01T00:00:00.000Z')
  service = await startService({ now: () => new Date(time++).toISOString() })
  project = await service.newProject()
})
afterEach(() => service.close())

test('a picture is public with the page that shows it, and not before', async () => {
  await upload('team/ada.png', ADA)
  const id = await create({ markdown_content: '![Ada](/media/team/ada.png)' })
  expect(await published()).toEqual([])
  await publish(id)
  const key = `_media/ada.${hashOf(ADA)}.png`
  const html = await visit('a-page/')
  expect(html.body).toContain(`<img src="../${key}" alt="Ada"`)
  expect(html.body).toContain('width="40" height="20"')
  expect(await published()).toEqual([key])
  const picture = await visit(key)
  expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/png'])
  expect(picture.headers.get('cache-control')).toContain('immutable')
  expect(await differences()).toEqual([])
})

test('feeds offer the sound of an article with its type and size', async () => {
  await upload('talks/first.mp3', video('talk.mp3'))
  await publish(await create({ type: 'article', markdown_content: '[Listen](/media/talks/first.mp3)' }))
  const { body } = await visit('feed.xml')
  const [key = ''] = await published()
  const [, length, href] =
    /<link rel="enclosure" type="audio\/mpeg" length="(\d+)" href="([^"]*)"\/>/.exec(body) ?? []
  expect([length, href?.endsWith(`/${key}`)]).toEqual([String(video('talk.mp3').byteLength), true])
  expect((await visit('_feed.json')).body.items[0].attachments).toEqual([
    { url: href, mime_type: 'audio/mpeg', size_in_bytes: video('talk.mp3').byteLength },
  ])
})

test('a picture loses its metadata before it is stored, and a drawing its scripts', async () => {
  const drawing = svg('<script>alert(1)</script><rect width="4" height="4"/>')
  await upload('plan.svg', drawing)
  await publish(await create({ markdown_content: '![](/media/plan.svg)' }))
  const [key = ''] = await published()
  const shown = await visit(key)
  expect(shown.body).toContain('<rect')
  expect(shown.body).not.toContain('script')
  expect(shown.headers.get('content-type')).toBe('image/svg+xml')
  expect(shown.headers.get('content-security-policy')).toBe(
    "sandbox; default-src 'none'; style-src 'unsafe-inline'",
  )
})

test.skipIf((await sharpIfInstalled()) === null)('nothing of the camera is published or stored', async () => {
  const photo = await picture({ width: 60, height: 40, format: 'jpeg', hasMetadata: true, orientation: 6 })
  expect(photo.includes(SECRET)).toBe(true)
  await upload('photo.jpg', photo)
  await publish(await create({ markdown_content: '![](/media/photo.jpg)' }))
  const [key = ''] = await published()
  const [original = ''] = await originals()
  expect((await readFile(join(service.data, 'cdn', project, key))).includes(SECRET)).toBe(false)
  const folder = join(service.data, 'media', project, 'originals')
  expect((await readFile(join(folder, original))).includes(SECRET)).toBe(false)
  expect((await visit('a-page/')).body).toContain('width="40" height="60"')
  // The same photo again is the same asset.
  await upload('photo.jpg', photo)
  expect(await originals()).toHaveLength(1)
})

test('what the bytes are decides how a file is served, not its name', async () => {
  await upload('page.html', Buffer.from('<!doctype html><script>alert(1)</script>'))
  await upload('report.html', PDF)
  await publish(await create({ markdown_content: '[a](/media/page.html) [b](/media/report.html)' }))
  const [page = '', report = ''] = await published()
  expect([page, report]).toEqual([
    expect.stringMatching(/^_media\/page\..*\.bin$/),
    expect.stringMatching(/\.pdf$/),
  ])
  const html = (await visit('a-page/')).body
  expect(html).toContain(`href="../${page}"`)
  expect(html).toContain(`href="../${report}"`)
  const served = await visit(page)
  expect(served.headers.get('content-type')).toBe('application/octet-stream')
  expect(served.headers.get('content-disposition')).toMatch(/^attachment; filename="[\w.-]+\.bin"$/)
  expect((await visit(report)).headers.get('content-type')).toBe('application/pdf')
})

test.each(['html', 'data_mode'])(
  'equal files under two names are one object of the page that shows both, in %s',
  async (mode) => {
    if (mode === 'data_mode')
      await service.call('POST', `/projects/${project}/data-mode`, { action: 'enable' })
    for (const name of ['spring/ada.png', 'summer/ada.png', 'summer/ada.html', 'other.png'])
      await upload(name, ADA)
    await service.call('PUT', `/projects/${project}/settings`, { logo: '/media/summer/ada.png' })
    const names = ['spring/ada.png', 'summer/ada.png', 'summer/ada.html', 'other.png']
    await publish(await create({ markdown_content: names.map((name) => `![](/media/${name})`).join('\n\n') }))
    expect(await published()).toHaveLength(mode === 'data_mode' ? 1 : 2)
    expect(await differences()).toEqual([])
  },
)

test('sections, fields, front matter and settings may all name one', async () => {
  for (const name of ['logo.png', 'icon.png', 'share.png', 'css.png', 'cover.png', 'hero.png', 'own.png'])
    await upload(name, flatPng(30 + name.length, 20 + name.charCodeAt(0)))
  const settings = {
    logo_url: '/media/logo.png',
    favicon_url: '/media/icon.png',
    og_image_url: '/media/share.png',
    custom_css: 'main { background: url("/media/css.png") }',
  }
  expect((await service.call('PUT', `/projects/${project}/settings`, settings)).status).toBe(200)
  const sections = [{ type: 'hero', props: { heading: 'Hi', image: '/media/hero.png' } }]
  const page = await create({ type: 'page', config: { sections }, og_image_url: '/media/own.png' })
  const article = await create({
    type: 'article',
    slug: 'one',
    subroute: 'blog',
    markdown_content: '---\nimage: /media/cover.png\n---\nText.',
  })
  await publish(page)
  await publish(article)
  const html = (await visit('a-page/')).body
  const address = (name: string) => new RegExp(`_media/${name}\\.[0-9a-f]{16}\\.png`)
  for (const name of ['logo', 'icon', 'hero', 'own']) expect(html, name).toMatch(address(name))
  expect(html).not.toContain('/media/logo.png')
  const [css = ''] = /_assets\/custom\.[\w.-]+\.css/.exec(html) ?? []
  expect((await visit(css)).body).toMatch(/url\("?\.\.\/_media\/css\.[0-9a-f]{16}\.png/)
  expect((await visit('blog/')).body).toMatch(address('cover'))
  expect((await visit('404.html')).body).toMatch(address('logo'))
  expect(await published()).toHaveLength(7)
  expect(await differences()).toEqual([])
})

describe('a live page', () => {
  let asset: string
  let page: string

  beforeEach(async () => {
    asset = await upload('ada.png', ADA)
    page = await create({ markdown_content: '![](/media/ada.png)' })
    await publish(page)
  })

  test('keeps its picture when that is replaced, is stale then, and goes back to it', async () => {
    const first = await current()
    expect((await read()).stale).toEqual([])
    expect((await replace(asset, BOB)).status).toBe(200)
    expect((await visit(`_media/ada.${hashOf(ADA)}.png`)).status).toBe(200)
    expect((await read()).stale).toEqual(['media'])
    await publish(page)
    expect((await read()).stale).toEqual([])
    expect((await visit('a-page/')).body).toContain(hashOf(BOB))
    await tidyAfterHours(1)
    await tidyAfterHours(25)
    expect(await published()).toEqual([`_media/ada.${hashOf(BOB)}.png`])
    const back = await service.call('POST', `/pages/${page}/rollback`, { release_id: first })
    expect(back.status, JSON.stringify(back.body)).toBe(200)
    expect((await visit('a-page/')).body).toContain(hashOf(ADA))
    expect((await visit(`_media/ada.${hashOf(ADA)}.png`)).status).toBe(200)
    expect((await read()).stale).toEqual(['media'])
    expect(await differences()).toEqual([])
  })

  test('shows the new focus of its picture when it is published again', async () => {
    const focus = { x: 0.2, y: 0.5 }
    expect((await service.call('PUT', `/assets/${asset}`, { focus })).status).toBe(200)
    expect((await visit('a-page/')).body).not.toContain('data-x=')
    expect((await read()).stale).toEqual(['media'])
    await publish(page)
    expect((await visit('a-page/')).body).toContain('data-x="2"')
    expect((await read()).stale).toEqual([])
  })

  test('keeps its picture when the asset is deleted by force, also through a repair', async () => {
    const refused = await service.call('DELETE', `/assets/${asset}`)
    expect([refused.status, refused.body.name]).toEqual([400, 'conflict'])
    expect((await service.call('DELETE', `/assets/${asset}?force=true`)).status).toBe(200)
    await tidyAfterHours(30)
    const key = `_media/ada.${hashOf(ADA)}.png`
    expect((await visit(key)).status).toBe(200)
    await rm(join(service.data, 'cdn', project, key))
    expect(await differences()).toMatchObject([{ kind: 'missing', key }])
    expect(await differences(true)).toMatchObject([{ kind: 'missing', key, repaired: true }])
    await writeFile(join(service.data, 'cdn', project, key), 'other bytes')
    expect(await differences(true)).toMatchObject([{ kind: 'altered', key, repaired: true }])
    expect((await visit(key)).status).toBe(200)
    expect((await read()).stale).toEqual(['media'])
  })

  test('leaves its picture for a day when unpublished, and the media store keeps the bytes to go back to', async () => {
    const first = await current()
    await service.call('POST', `/pages/${page}/unpublish`)
    await service.call('DELETE', `/assets/${asset}?force=true`)
    await tidyAfterHours(1)
    expect(await published()).toHaveLength(1)
    await tidyAfterHours(25)
    expect(await published()).toEqual([])
    expect(await originals()).toHaveLength(1)
    const back = await service.call('POST', `/pages/${page}/rollback`, { release_id: first })
    expect(back.status, JSON.stringify(back.body)).toBe(200)
    expect(await published()).toHaveLength(1)
  })

  test('gives up the bytes when it is deleted with its history', async () => {
    await service.call('DELETE', `/pages/${page}`)
    await service.call('DELETE', `/assets/${asset}`)
    time += 100 * 24 * HOUR_MS
    await tidyAfterHours(1)
    await tidyAfterHours(25)
    expect([await published(), await originals()]).toEqual([[], []])
  })

  test('shares its picture with other pages, and uploads it once', async () => {
    const other = await create({ slug: 'other', markdown_content: '![](/media/ada.png)' })
    const dry = await service.call('POST', `/pages/${other}/publish?dry_run=true`)
    const key = `_media/ada.${hashOf(ADA)}.png`
    const actions = dry.body.data.objects.map((object: { key: string; action: string }) => [
      object.key,
      object.action,
    ])
    expect(actions).not.toContainEqual([key, 'put'])
    await publish(other)
    await service.call('POST', `/pages/${page}/unpublish`)
    await tidyAfterHours(1)
    await tidyAfterHours(25)
    expect(await published()).toEqual([key])
  })

  const read = async () => (await service.call('GET', `/pages/${page}`)).body.data
  const current = async () => (await service.call('GET', `/pages/${page}/releases`)).body.data[0].id
})

test('a publish that names no asset is warned, and refused when it is strict', async () => {
  const id = await create({ markdown_content: '![](/media/gone.png) [a](/media/press) [b](/media/gone.pdf)' })
  const { warnings } = await publish(id)
  const dead = warnings.filter(({ message }: { message: string }) => message.includes('asset'))
  expect(dead).toMatchObject([
    { code: 'QN-DEADLINK', at: 'markdown_content', message: 'The project has no asset named "gone.png".' },
    { code: 'QN-DEADLINK', message: 'The project has no asset named "gone.pdf".' },
  ])
  const strict = await service.call('POST', `/pages/${id}/publish`, { strict: true })
  expect([strict.status, strict.body.name]).toEqual([422, 'validation_error'])
  await service.call('PUT', `/projects/${project}/settings`, { logo_url: '/media/logo.png' })
  expect((await publish(id)).warnings).toContainEqual(
    expect.objectContaining({ code: 'QN-DEADLINK', at: 'settings.logo_url' }),
  )
})

test('a picture that is written into a page is reported by the dry run and the publish, and refused when it is strict', async () => {
  const picture = `data:image/png;base64,${ADA.toString('base64')}`
  const sections = [{ type: 'hero', props: { heading: 'Hello', image: picture } }]
  const text = await create({ slug: 'text', markdown_content: `![](${picture})` })
  const landing = await create({
    slug: 'landing',
    type: 'page',
    config: { sections },
  })
  const places: [string, string][] = [
    [text, 'markdown_content'],
    [landing, 'config.sections[0].props.image.src'],
  ]
  for (const [id, at] of places) {
    const warning = { code: 'QN-DATA-IMAGE', at, message: expect.stringContaining('Save it as a file') }
    const dry = await service.call('POST', `/pages/${id}/publish?dry_run=true`)
    expect(dry.body.data.warnings).toMatchObject([warning])
    const strict = await service.call('POST', `/pages/${id}/publish`, { strict: true })
    expect([strict.status, strict.body.name]).toEqual([422, 'validation_error'])
    expect((await publish(id)).warnings).toMatchObject([warning])
  }
})

test('an asset that arrives later makes the page stale', async () => {
  const id = await create({ markdown_content: '![](/media/late.png)' })
  await publish(id)
  await upload('late.png', ADA)
  expect((await service.call('GET', `/pages/${id}`)).body.data.stale).toEqual(['media'])
})

test('a picture of the settings has its size in every document of the site', async () => {
  await upload('logo.png', ADA)
  await service.call('PUT', `/projects/${project}/settings`, { logo_url: '/media/logo.png' })
  const article = { type: 'article', subroute: 'blog', markdown_content: 'Text', tags: ['News'] }
  await publish(await create({ ...article, slug: 'first' }))
  await publish(await create({ type: 'docs', subroute: 'docs', slug: 'start', markdown_content: 'Text' }))
  const documents = async () => {
    const root = join(service.data, 'cdn', project)
    const names = (await readdir(root, { recursive: true })).filter((name) => name.endsWith('.html')).sort()
    return Promise.all(
      names.map(async (name) => {
        const logos = (await readFile(join(root, name), 'utf8')).match(/<img[^>]*\/_media\/logo[^>]*>/g) ?? []
        return [name, logos.every((tag) => tag.includes('width="40" height="20"')) && logos.length]
      }),
    )
  }
  const shown = await documents()
  expect(shown.map(([name]) => name)).toEqual(
    expect.arrayContaining([
      '404.html',
      'blog/index.html',
      'blog/tags/index.html',
      'blog/tags/news/index.html',
    ]),
  )
  // In the header and in the footer.
  expect(shown).toEqual(shown.map(([name]) => [name, 2]))
  await publish(await create({ slug: '404', markdown_content: '![](/media/logo.png)' }))
  expect(await documents()).toContainEqual(['404.html', 3])
})

describe('what only the settings name leaves a site whose pages are sealed', () => {
  let id: string
  let first: string

  beforeEach(async () => {
    await upload('logo.png', ADA)
    await service.call('PUT', `/projects/${project}/settings`, { logo_url: '/media/logo.png' })
    id = await create()
    await publish(id)
    first = (await service.call('GET', `/pages/${id}/releases`)).body.data[0].id
    await service.call('PUT', `/pages/${id}`, { title: 'Changed' })
    await publish(id)
    expect(await published()).toHaveLength(1)
    await service.call('POST', `/projects/${project}/data-mode`, { action: 'enable' })
  })

  test('when they get a new key', async () => {
    expect((await service.call('POST', `/projects/${project}/data-mode/regenerate-key`)).status).toBe(200)
    await expectNothingPublished()
  })

  test('when an earlier version is restored', async () => {
    const back = await service.call('POST', `/pages/${id}/rollback`, { release_id: first })
    expect(back.status, JSON.stringify(back.body)).toBe(200)
    await expectNothingPublished()
  })

  async function expectNothingPublished(): Promise<void> {
    await tidyAfterHours(1)
    await tidyAfterHours(25)
    expect(await published()).toEqual([])
    expect(await differences()).toEqual([])
  }
})

test('a preview shows pictures that are not public, to those who were shown it', async () => {
  const asset = await upload('ada.png', ADA)
  const id = await create({ markdown_content: '![Ada](/media/ada.png)' })
  const { body: html } = await service.call('GET', `/render/${id}`)
  const [, src = ''] = /<img src="([^"]+)"/.exec(html) ?? []
  const get = (path: string) => service.call('GET', path, undefined, { key: null })
  const shown = await get(src)
  expect([shown.status, shown.headers.get('content-type')]).toEqual([200, 'image/png'])
  expect(shown.headers.get('cache-control')).toBe('private, max-age=3600')
  expect(shown.headers.get('content-security-policy')).toMatch(/^sandbox/)
  expect(html).toContain('width="40" height="20"')
  expect(await published()).toEqual([])
  const beyond = await fetch(service.url + src, { headers: { Range: 'bytes=9999-' } })
  expect([beyond.status, beyond.headers.get('cache-control')]).toEqual([416, 'no-store'])
  for (const wrong of [src.replace(/png$/, 'html'), src.replace(/\.[^.]+(\.png)$/, `.${'A'.repeat(43)}$1`)])
    expect((await get(wrong)).status, wrong).toBe(404)
  time += 3 * HOUR_MS
  expect((await get(src)).status).toBe(404)
  time -= 3 * HOUR_MS
  await service.call('DELETE', `/assets/${asset}`)
  expect((await get(src)).status).toBe(404)
})

test('pages of a bulk publish bring their pictures', async () => {
  await upload('ada.png', ADA)
  const pages: string[] = []
  for (let index = 0; index < 5; index++)
    pages.push(await create({ slug: `p${index}`, markdown_content: `![](/media/ada.png) ${index}` }))
  const { body } = await service.call('POST', `/projects/${project}/publish`, { pages })
  expect(await finishedJob(service, body.data.id)).toMatchObject({ status: 'succeeded' })
  expect(await published()).toHaveLength(1)
  expect((await visit('p4/')).body).toContain(hashOf(ADA))
  expect(await differences()).toEqual([])
})

test('files of a deleted project that cannot leave the site yet stop neither the tidying nor the service', async () => {
  await service.close()
  const fault = { on: false }
  const storage = createMemoryStorage({
    failOn: (operation) =>
      fault.on && operation === 'delete' ? new Error('The store is out of order.') : null,
  })
  service = await startService({ storage, now: () => new Date(time++).toISOString() })
  project = await service.newProject()
  await upload('ada.png', ADA)
  await publish(await create({ markdown_content: '![](/media/ada.png)' }))
  await service.call('PUT', `/projects/${project}`, { status: 'archived' })
  fault.on = true
  expect((await service.call('DELETE', `/projects/${project}`)).status).toBe(200)
  await service.server.service.runHousekeeping()
  fault.on = false
  await expect.poll(() => storage.list(`${project}/`)).toEqual([])
  await tidyAfterHours(1)
  expect(await originals()).toEqual([])
})

const upload = async (name: string, bytes: Buffer): Promise<string> => {
  const answer = await service.call(
    'POST',
    `/projects/${project}/assets?name=${encodeURIComponent(name)}`,
    bytes,
    OCTETS,
  )
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300)
  return answer.body.data.id
}
const replace = (id: string, bytes: Buffer) => service.call('PUT', `/assets/${id}/content`, bytes, OCTETS)
const create = async (fields: object = {}): Promise<string> =>
  (await service.call('POST', '/pages', pageBody(project, fields))).body.data.id
const publish = async (id: string, body: object = {}) => {
  const answer = await service.call('POST', `/pages/${id}/publish`, body)
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return answer.body.data
}
const visit = (path: string) => service.call('GET', `/public/${project}/${path}`, undefined, { key: null })
const tidyAfterHours = async (hours: number) => {
  time += hours * HOUR_MS
  await service.server.service.runHousekeeping()
}
const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex').slice(0, 16)

/** Keys of media objects on the store. */
async function published(): Promise<readonly string[]> {
  const files = await readdir(join(service.data, 'cdn', project, '_media')).catch(() => [])
  return files.sort().map((name) => `_media/${name}`)
}

/** Keys in the private media store. */
async function originals(): Promise<readonly string[]> {
  const entries = await readdir(join(service.data, 'media'), { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name)
}

async function differences(repair = false): Promise<readonly unknown[]> {
  const open = await openVerification(await serviceConfig(service.data), {
    recover: false,
  })
  try {
    const wanted = { project: project.slice(5) as ProjectId, repair, media: true, onProgress: () => {} }
    return (await open.verification.verify(wanted)).findings
  } finally {
    await open.close()
  }
}
