import { mkdir, readFile, rename, rm, symlink, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { loadDecoder } from '../../src/images/decoder.ts'
import { createInProcessImages } from '../../src/images/in-process.ts'
import { startCommand } from '../support/command.ts'
import { LONG_FORM } from '../support/long-form.ts'
import { flatPng, picture, svg } from '../support/pictures.ts'
import { startService, type TestService } from '../support/service.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { databaseSettings } from '../support/test-database.ts'
import { video } from '../support/videos.ts'
import { listFiles } from '../transfer/list-files.ts'

const loaded = await loadDecoder()

let service: TestService
let other: TestService
let project: string
beforeAll(async () => {
  ;[service, other] = await Promise.all([startService(), startService({ env: { QUOIN_MAX_FILE: '1' } })])
})
afterAll(() => Promise.all([service.close(), other.close()]))
beforeEach(async () => {
  project = await service.newProject('Herons')
})

const OCTETS = { headers: { 'Content-Type': 'application/octet-stream' } }
const quoin = (to: TestService, ...args: string[]) =>
  startCommand(args, { QUOIN_KEY: to.key, QUOIN_URL: to.url }).ended

async function upload(name: string, bytes: Buffer, texts?: object): Promise<void> {
  const path = `/projects/${project}/assets?name=${encodeURIComponent(name)}`
  const { status, body } = await service.call('POST', path, bytes, OCTETS)
  expect(status).toBe(201)
  if (texts !== undefined) await service.call('PUT', `/assets/${body.data.id}`, texts)
}

async function publishPage(markdown: string): Promise<void> {
  const fields = { project_id: project, title: 'Two', slug: 'two', subroute: 'notes', type: 'article' }
  const { body } = await service.call('POST', '/pages', { ...fields, markdown_content: markdown })
  expect((await service.call('POST', `/pages/${body.data.id}/publish`)).status).toBe(200)
}

async function exported(): Promise<string> {
  const folder = join(await temporaryFolder(), 'backup')
  expect(await quoin(service, 'export', project, '--out', folder)).toMatchObject({ code: 0, err: '' })
  return folder
}

/** Limits the media of the account of the other server. */
async function setMediaLimit(bytes: number | null): Promise<void> {
  const args = bytes === null ? ['--reset'] : ['--set', `media_bytes=${bytes}`]
  const { code } = await startCommand(
    ['users', 'limits', `usr_${other.userId}`, '--data', other.data, ...args],
    await databaseSettings(other.data),
  ).ended
  expect(code).toBe(0)
}

async function namesIn(to: TestService, id: string): Promise<readonly string[]> {
  const { body } = await to.call('GET', `/projects/${id}/assets?sort=name&order=asc`)
  return body.data.map(({ name }: { name: string }) => name)
}

describe('quoin export and import', () => {
  test('move pictures and files with their texts, and a build of the export shows them', async () => {
    await upload('birds/two herons.svg', svg('<script>1</script><path d="M0 0h9"/>'), { alt: 'Two herons' })
    await upload('data.json', Buffer.from('{"herons":2}'))
    await upload('unused.pdf', Buffer.from('%PDF-1.7\n'))
    await upload('server.key', Buffer.from('not a key'))
    await publishPage('![](/media/birds/two%20herons.svg)\n\n[Data](/media/data.json)\n')
    const folder = await exported()
    const files = await listFiles(folder)
    expect(Object.keys(files).filter((path) => !path.endsWith('.md') && path !== 'site.yaml')).toEqual([
      '.quoin/export.json',
      expect.stringMatching(/^\.quoin\/files\/[0-9a-f]{32}$/),
      'media/birds/two herons.svg',
      'media/unused.pdf',
      'static/media/data.json',
    ])
    expect(files['media/birds/two herons.svg']).not.toContain('script')

    const out = join(await temporaryFolder(), 'dist')
    const build = await startCommand(['build', folder, '--out', out], {}).ended
    expect(build).toMatchObject({ code: 0, out: expect.not.stringContaining('DEADLINK') })
    const built = await listFiles(out)
    expect(Object.keys(built)).toContain('media/data.json')
    expect(Object.keys(built).filter((key) => /herons\.|herons\.svg/.test(key))).not.toEqual([])
    expect(Object.keys(built).some((key) => key.includes('unused'))).toBe(false)

    const first = await quoin(other, 'import', folder, '--publish', '--json')
    expect(first).toMatchObject({ code: 0, err: '' })
    const report = JSON.parse(first.out)
    expect(report.files).toMatchObject({ unchanged: 0, described: ['media/birds/two herons.svg'] })
    expect(report.files.sent).toHaveLength(4)
    expect(report.warnings).toEqual([])
    const again = join(await temporaryFolder(), 'again')
    await quoin(other, 'export', report.project_id, '--out', again)
    const wide = files['.quoin/export.json']?.replace('"slugs": "standard"', '"slugs": "wide"')
    expect(await listFiles(again)).toEqual({ ...files, '.quoin/export.json': wide })
    expect(JSON.parse((await quoin(other, 'import', folder, '--publish', '--json')).out)).toMatchObject({
      ok: true,
      files: { sent: [], unchanged: 4, described: [] },
      published: [],
    })
    // A push of the export finds the same assets under the same names.
    const pushed = await quoin(other, 'push', again, '--project', report.project_id, '--json', '--dry-run')
    expect(JSON.parse(pushed.out)).toMatchObject({ files: { sent: [] }, conflicts: [] })
  })

  test('give equal bytes again for a project with pages, sections, pictures, a PDF and a video with captions', async () => {
    // An import goes to the project of its name, and the other server has the one of the tests above.
    project = await service.newProject('Trams')
    const photo = await picture({ width: 900, height: 600, format: 'jpeg', noise: true, hasMetadata: true })
    await upload('photos/tram.jpg', photo, { alt: 'A tram', title: 'Line 9', focus: { x: 0.2, y: 0.8 } })
    await upload('logo.png', flatPng(64, 64))
    await upload('plan.svg', svg('<path d="M0 0h9"/>'))
    await upload('report.pdf', Buffer.from('%PDF-1.7\n%\xff\n', 'latin1'))
    await upload('videos/tram.mp4', video('tram.mp4'), { title: 'The tram' })
    await upload('videos/tram.en.vtt', Buffer.from('WEBVTT\n\n00:00.000 --> 00:02.000\nA tram.\n'))
    await service.call('PUT', `/projects/${project}/settings`, { logo_url: '/media/logo.png' })
    const sections = [{ type: 'hero', props: { heading: 'Trams', image: '/media/photos/tram.jpg' } }]
    const page = { project_id: project, title: 'Home', slug: 'home', subroute: '', type: 'page' }
    const home = { ...page, config: { sections } }
    const { body } = await service.call('POST', '/pages', home)
    expect((await service.call('POST', `/pages/${body.data.id}/publish`)).status).toBe(200)
    await publishPage(
      '![](/media/plan.svg)\n\n[Report](/media/report.pdf)\n\n::video{src="/media/videos/tram.mp4" captions="/media/videos/tram.en.vtt"}\n',
    )
    const first = await exported()
    const moved = JSON.parse((await quoin(other, 'import', first, '--publish', '--json')).out)
    expect([moved.ok, moved.files.sent.length, moved.published.length]).toEqual([true, 6, 2])
    const second = join(await temporaryFolder(), 'second')
    expect(await quoin(other, 'export', moved.project_id, '--out', second)).toMatchObject({ code: 0 })
    const files = await listFiles(first)
    const wide = files['.quoin/export.json']?.replace('"slugs": "standard"', '"slugs": "wide"')
    expect(await listFiles(second)).toEqual({ ...files, '.quoin/export.json': wide })
    // Originals only: each server derives the smaller pictures itself.
    expect(Object.keys(files).filter((path) => /tram|webp|avif/.test(path))).toHaveLength(3)
  })

  test.skipIf(!('decoder' in loaded))(
    'an import waits for smaller pictures where it is asked to, so that its pages have them, and not otherwise',
    async () => {
      const images = createInProcessImages('decoder' in loaded ? loaded.decoder : null)
      let open = () => {}
      const gate = new Promise<void>((resolve) => (open = resolve))
      const target = await startService({
        images: {
          ...images,
          async derive(...args) {
            await gate
            return images.derive(...args)
          },
        },
      })
      onTestFinished(() => target.close())
      await upload('tram.jpg', await picture({ width: 1_000, height: 500, format: 'jpeg', noise: true }))
      await publishPage('![A tram](/media/tram.jpg)\n')
      const folder = await exported()
      const page = async (address: string) => (await fetch(new URL('notes/two/', address))).text()

      const hasty = await quoin(target, 'import', folder, '--publish', '--json')
      const { address, files } = JSON.parse(hasty.out)
      expect(files).toMatchObject({ sent: ['media/tram.jpg'], unfinished: 1, undecoded: 0 })
      expect(await page(address)).not.toContain('<picture>')
      const waiting = quoin(target, 'import', folder, '--publish', '--wait', '--json')
      open()
      const report = JSON.parse((await waiting).out)
      expect(report).toMatchObject({ published: ['notes/two.md'], files: { unfinished: 0 } })
      expect(await page(address)).toContain('<picture>')
    },
  )

  test('an export is updated: what went is removed, what is edited or foreign is never replaced', async () => {
    await upload('a.pdf', Buffer.from('%PDF-1.7\n1'))
    await upload('b.pdf', Buffer.from('%PDF-1.7\n2'))
    const folder = await exported()
    const { body } = await service.call('GET', `/projects/${project}/assets?sort=name&order=asc`)
    await service.call('DELETE', `/assets/${body.data[0].id}`)
    await upload('a.pdf/c.pdf', Buffer.from('%PDF-1.7\n3'))
    const update = () => quoin(service, 'export', project, '--out', folder)
    expect(await update()).toMatchObject({ code: 0 })
    expect(Object.keys(await listFiles(folder))).toEqual([
      '.quoin/export.json',
      'media/a.pdf/c.pdf',
      'media/b.pdf',
      'site.yaml',
    ])
    await writeFile(join(folder, 'media/b.pdf'), 'mine')
    await writeFile(join(folder, 'media/d.pdf'), 'mine')
    const before = await listFiles(folder)
    const edited = await update()
    expect(edited.err).toMatch(/media\/b\.pdf was edited since the export\. Nothing was written\./)
    expect(await listFiles(folder)).toMatchObject(before)
    await rm(join(folder, 'media/b.pdf'))
    await upload('d.pdf', Buffer.from('%PDF-1.7\n4'))
    expect((await update()).err).toMatch(/media\/d\.pdf was not written by an export\./)
    await rm(join(folder, 'media/d.pdf'))
    expect(await update()).toMatchObject({ code: 0 })
    expect(Object.keys(await listFiles(folder))).toContain('media/d.pdf')
  })

  test.each([
    ['a torn file', (folder: string) => truncate(join(folder, 'media/a.png'), 9), 'media/a.png'],
    ['a missing file', (folder: string) => rm(join(folder, 'media/a.png')), 'media/a.png'],
    [
      'a symbolic link',
      async (folder: string) => {
        await rm(join(folder, 'media/a.png'))
        await symlink('/etc/hostname', join(folder, 'media/a.png'))
      },
      'symbolic link',
    ],
    [
      'a folder that is a symbolic link',
      async (folder: string) => {
        await rename(join(folder, 'media'), `${folder}-media`)
        await symlink(`${folder}-media`, join(folder, 'media'))
      },
      'symbolic link',
    ],
    [
      'a name that leaves the folder',
      async (folder: string) => {
        const file = join(folder, '.quoin/export.json')
        await writeFile(file, (await readFile(file, 'utf8')).replace('"a.png"', '"../../a.png"'))
      },
      'damaged or of another version',
    ],
    [
      'another digest in the manifest',
      async (folder: string) => {
        const file = join(folder, '.quoin/export.json')
        const text = await readFile(file, 'utf8')
        await writeFile(file, text.replace(/[0-9a-f]{64}/, '0'.repeat(64)))
      },
      'other bytes than were exported',
    ],
  ])('an import of %s ends before anything is sent', async (_, damage, message) => {
    await upload('a.png', flatPng(40, 20))
    await publishPage('![](/media/a.png)\n')
    const folder = await exported()
    await damage(folder)
    const target = await other.newProject('Herons')
    const ended = await quoin(other, 'import', folder, '--project', target)
    expect(ended.code).toBe(1)
    expect(ended.out + ended.err).toContain(message)
    expect(await namesIn(other, target)).toEqual([])
    expect((await other.call('GET', `/pages?project_id=${target}`)).body.data).toEqual([])
  })

  test('an import sends neither pages nor settings while the server refuses a file, unless that is allowed', async () => {
    await upload('large.bin', Buffer.alloc(1_500_000, 'x'))
    await upload('a.png', flatPng(40, 20))
    await publishPage('![](/media/a.png) [large](/media/large.bin)\n')
    const folder = await exported()
    const target = await other.newProject('Herons')
    const refused = await quoin(other, 'import', folder, '--project', target, '--publish')
    expect(refused.code).toBe(1)
    expect(refused.out + refused.err).toMatch(/media\/large\.bin.*larger than the 1 MB/s)
    expect(refused.err).toContain('Settings and pages were not imported.')
    expect((await other.call('GET', `/pages?project_id=${target}`)).body.data).toEqual([])
    const allowed = await quoin(
      other,
      ...['import', folder, '--project', target, '--publish', '--allow-missing-files', '--json'],
    )
    expect(JSON.parse(allowed.out)).toMatchObject({ published: ['notes/two.md'], files: { sent: [] } })
    expect(await namesIn(other, target)).toEqual(['a.png'])
  })

  test('an import that the account has no room for ends before anything is sent', async () => {
    for (const name of ['a', 'b', 'c', 'd']) await upload(`${name}.bin`, Buffer.alloc(900_000, name))
    const folder = await exported()
    await setMediaLimit(3_000_000)
    const target = await other.newProject('Herons')
    const ended = await quoin(other, 'import', folder, '--project', target)
    await setMediaLimit(null)
    expect(ended.err).toMatch(
      /The files need 3\.6 MB, and the account may store .* more \(media_bytes: 3\.0 MB\)/,
    )
    expect(await namesIn(other, target)).toEqual([])
  })

  test('a file that was changed on purpose, and one that was added, are imported', async () => {
    await upload('a.png', flatPng(40, 20))
    await publishPage('![](/media/a.png)\n')
    const folder = await exported()
    await writeFile(join(folder, 'media/a.png'), flatPng(60, 20))
    await mkdir(join(folder, 'static'))
    await writeFile(join(folder, 'static/b.png'), flatPng(20, 20))
    const page = join(folder, 'notes/two.md')
    await writeFile(page, `${await readFile(page, 'utf8')}\n![](/b.png)\n`)
    const target = await other.newProject('Herons')
    const ended = await quoin(
      other,
      ...['import', folder, '--project', target, '--allow-changed-files', '--json'],
    )
    expect(JSON.parse(ended.out)).toMatchObject({
      ok: true,
      files: { sent: ['media/a.png', 'static/b.png'] },
    })
    const { body } = await other.call('GET', `/pages?project_id=${target}`)
    const { markdown_content } = (await other.call('GET', `/pages/${body.data[0].id}`)).body.data
    expect(markdown_content).toBe('![](/media/a.png)\n\n![](/media/b.png)\n')
  })

  test.runIf(LONG_FORM)(
    'are finished by the next run when they are killed at any moment',
    async () => {
      for (let index = 0; index < 12; index++)
        await upload(`f/${index}.bin`, Buffer.alloc(400_000, String(index)), { alt: `File ${index}` })
      await publishPage('[one](/media/f/1.bin)\n')
      const whole = await listFiles(await exported())
      const folder = join(await temporaryFolder(), 'killed')
      const args = (to: TestService) => ({ QUOIN_KEY: to.key, QUOIN_URL: to.url })
      for (let ms = 150; ms < 1_500; ms += 90) {
        if (ms % 270 === 150) await rm(folder, { recursive: true, force: true })
        const command = startCommand(['export', project, '--out', folder], args(service))
        setTimeout(() => command.kill('SIGKILL'), ms)
        await command.ended
        const looksComplete = await quoin(service, 'import', folder, '--dry-run', '--project', project)
        if (looksComplete.code === 0) expect(await listFiles(folder)).toMatchObject(whole)
      }
      await quoin(service, 'export', project, '--out', folder)
      expect(await listFiles(folder)).toEqual(whole)

      const target = await service.newProject('Herons')
      const importing = ['import', folder, '--project', target, '--publish']
      for (let ms = 200; ms < 1_700; ms += 150) {
        const command = startCommand(importing, args(service))
        setTimeout(() => command.kill('SIGKILL'), ms)
        await command.ended
      }
      const last = await quoin(service, ...importing)
      expect(last).toMatchObject({ code: 0, err: '' })
      const again = join(await temporaryFolder(), 'again')
      await quoin(service, 'export', target, '--out', again)
      expect(await listFiles(again)).toEqual(whole)
    },
    180_000,
  )
})
