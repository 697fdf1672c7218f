import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startCommand } from '../support/command.ts'
import { flatPng } from '../support/pictures.ts'
import { startService, type TestService } from '../support/service.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { writeFiles } from '../support/written-files.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

const quoin = (...args: string[]) =>
  startCommand(args, { QUOIN_KEY: service.key, QUOIN_URL: service.url }).ended

const PNG = flatPng(40, 20)
const OTHER = flatPng(60, 30)
const PDF = Buffer.from('%PDF-1.7\n%…\n')

/** A folder that names a file in every way. */
async function album() {
  const folder = await temporaryFolder()
  await writeFiles(folder, {
    'site.yaml': [
      `name: Album ${folder.slice(-6)}`,
      'favicon_url: /images/mark.png',
      'logo: /images/logo.png',
      'nav_links: [{ label: Price list, href: /files/prices.pdf }]',
      'custom_css: "main { background: url(/images/wall.png) }"',
      'custom_head_html: "<link rel=\\"preload\\" as=\\"image\\" href=\\"/images/head.png\\">"',
      'types: { trips: article }',
      'site_routes: { trips: far/away/trips }',
      '',
    ].join('\n'),
    'index.yaml': [
      'title: Home',
      'og_image_url: /images/social.png',
      'sections:',
      '  - type: hero',
      '    props: { title: Hello, image: { src: /images/hero.png, alt: Hero } }',
      '  - type: text',
      '    props: { content: "A ![picture](/images/text.png)." }',
      '',
    ].join('\n'),
    'trips/alps.md': [
      '---',
      'title: Alps',
      '---',
      '![Tram](tram.png)',
      '[Licence](LICENSE) and [prices](../static/files/prices.pdf#page=2)',
      '',
      '<img src="/images/src.png" srcset="/images/src.png 1x, /images/twice.png 2x" alt="Both">',
      '',
      '`![](/images/unused.png)`',
      '',
    ].join('\n'),
    'trips/LICENSE': 'Free.\n',
  })
  const pictures = ['mark', 'logo', 'wall', 'head', 'social', 'hero', 'text', 'src', 'twice', 'unused']
  await mkdir(join(folder, 'static/images'), { recursive: true })
  await mkdir(join(folder, 'static/files'))
  for (const name of pictures) await writeFile(join(folder, `static/images/${name}.png`), PNG)
  await writeFile(join(folder, 'trips/tram.png'), PNG)
  await writeFile(join(folder, 'static/files/prices.pdf'), PDF)
  await writeFile(join(folder, 'static/CNAME'), 'a.example\n')
  return folder
}

/** The site that a push published: its address, and what its pages and style sheets load and link to, each fetched once. */
async function visited(out: string, paths: readonly string[]) {
  const address = /The site is at (.*)/.exec(out)?.[1] ?? ''
  const answers = new Map<string, Response>()
  const fetched = async (url: string) => {
    const answer = answers.get(url) ?? (await fetch(url))
    answers.set(url, answer)
    return answer.clone()
  }
  for (const path of paths) {
    const page = new URL(path, address)
    const html = await (await fetched(page.href)).text()
    const tags = [...html.matchAll(/<(?:img|source|video|a|link)\b[^>]*>/g)].map(([tag]) => tag)
    const targets = tags.flatMap((tag) => [
      ...[...tag.matchAll(/\s(?:src|href|poster)="([^"]*)"/g)].map(([, url = '']) => url),
      ...[...tag.matchAll(/\ssrcset="([^"]*)"/g)].flatMap(([, sources = '']) =>
        sources.split(',').map((source) => source.trim().split(' ')[0] ?? ''),
      ),
    ])
    for (const target of targets) {
      const url = new URL(target, page)
      if (!url.href.startsWith(address)) continue
      url.hash = ''
      const answer = await fetched(url.href)
      if (!url.pathname.endsWith('.css')) continue
      for (const [, inner = ''] of (await answer.text()).matchAll(/url\("?([^")]+)"?\)/g))
        if (!inner.startsWith('data:')) await fetched(new URL(inner, url).href)
    }
  }
  const files = [...answers.keys()].map((url) => url.slice(address.length))
  const media = files.filter((file) => file.startsWith('_media/')).map((file) => file.slice(7))
  return {
    html: async (path: string) => (await fetched(new URL(path, address).href)).text(),
    missing: [...answers].filter(([, { ok }]) => !ok).map(([url]) => url.slice(address.length)),
    /** The names of published files, without their digests. */
    media: media.map((file) => file.replace(/\.[0-9a-f]{16}/, '')).sort(),
  }
}

const NOTHING_DONE = {
  settings: [],
  created: [],
  updated: [],
  published: [],
  unpublished: [],
  removed: [],
  files: { sent: [] },
}

describe('quoin push of a folder with files', () => {
  test('the starter is live with every picture, icon and link, and a second push changes nothing', async () => {
    const folder = join(await temporaryFolder(), 'starter')
    expect(await quoin('init', folder)).toMatchObject({ code: 0 })
    const first = await quoin('push', folder, '--publish')
    expect(first).toMatchObject({ code: 0, err: '' })
    const paths = ['', 'docs/', 'docs/writing/', 'blog/', 'blog/hello/', 'work/cherry-stool/']
    const site = await visited(first.out, paths)
    expect(site.missing).toEqual([])
    expect(site.media).toEqual(expect.arrayContaining(['hero.svg', 'mark.svg', 'shelf.svg', 'stool.svg']))
    expect(await site.html('')).toMatch(/<link rel="icon" href="_media\/mark\./)
    expect(JSON.parse((await quoin('push', folder, '--publish', '--json')).out)).toMatchObject(NOTHING_DONE)
  })

  test('files are shown by Markdown, HTML, sections, fields, links, settings and CSS, wherever the page is', async () => {
    const folder = await album()
    const first = await quoin('push', folder, '--publish')
    expect(first).toMatchObject({ code: 0, err: '' })
    expect(first.out).toContain('files: 12 sent, 0 unchanged')
    expect(first.out).toContain('2 files not sent: named by no page and no setting.')
    const site = await visited(first.out, ['', 'far/away/trips/alps/'])
    expect(site.missing).toEqual([])
    const pictures = ['head', 'hero', 'logo', 'mark', 'src', 'text', 'tram', 'twice', 'wall']
    expect(site.media).toEqual([...pictures.map((name) => `${name}.png`), 'license.txt', 'prices.pdf'].sort())
    expect(await site.html('')).toMatch(/property="og:image" content="[^"]*\/_media\/social\./)
    const alps = await site.html('far/away/trips/alps/')
    expect(alps).toMatch(/\.pdf#page=2"/)
    expect(alps).toContain('<code>![](/images/unused.png)</code>')
    const again = JSON.parse((await quoin('push', folder, '--publish', '--json')).out)
    expect(again).toMatchObject({ ...NOTHING_DONE, files: { sent: [], unchanged: 12 }, missing: [] })
    expect(again.not_sent).toEqual(['static/CNAME', 'static/images/unused.png'])
  })

  test('a push that was killed is finished by the next one, which sends only the files that did not arrive', async () => {
    const folder = await temporaryFolder()
    const names = Array.from({ length: 40 }, (_, index) => `part-${index}.bin`)
    const links = names.map((name) => `[${name}](${name})`).join('\n')
    await writeFiles(folder, {
      'site.yaml': `name: Killed ${folder.slice(-6)}\n`,
      'index.md': `---\ntitle: Home\n---\n${links}\n`,
    })
    for (const name of names) await writeFile(join(folder, name), Buffer.alloc(300_000, name))
    const command = startCommand(['push', folder], { QUOIN_KEY: service.key, QUOIN_URL: service.url })
    const project = async () =>
      (await service.call('GET', '/projects')).body.data.find(({ name }: { name: string }) =>
        name.endsWith(folder.slice(-6)),
      )?.id
    const arrived = async () => {
      const id = await project()
      if (id === undefined) return 0
      return (await service.call('GET', `/projects/${id}/assets?limit=100`)).body.data.length
    }
    await expect.poll(arrived, { timeout: 60_000, interval: 20 }).toBeGreaterThan(2)
    command.kill('SIGKILL')
    await command.ended
    const before = await arrived()
    // A push that was killed counts as running for three minutes.
    const [running] = (await service.call('GET', `/projects/${await project()}/pushes`)).body.data
    await service.call('PUT', `/pushes/${running.id}`, { state: 'failed', counts: running.counts })
    const { code, out } = await quoin('push', folder, '--json')
    const { files, conflicts } = JSON.parse(out)
    expect([code, conflicts, files.sent.length + files.unchanged]).toEqual([0, [], names.length])
    // The service may still have stored the four that were on their way.
    expect(files.unchanged).toBeGreaterThanOrEqual(before)
    expect(files.unchanged).toBeLessThanOrEqual(before + 4)
    expect(await arrived()).toBe(names.length)
  }, 120_000)

  test('--dry-run lists the files that would be sent, and sends none', async () => {
    const folder = await album()
    const { project_id: project } = JSON.parse((await quoin('push', folder, '--json')).out)
    await writeFile(join(folder, 'trips/tram.png'), OTHER)
    const plan = await quoin('push', folder, '--dry-run')
    expect(plan.out).toContain('send       trips/tram.png\n')
    expect(plan.out).toContain('files: 1 sent, 11 unchanged. Dry run')
    const { body } = await service.call('GET', `/projects/${project}/assets?q=trips/tram.png`)
    expect(body.data).toMatchObject([{ width: 40 }])
  })

  test('other bytes replace those of an asset, and the pages that show it are published again', async () => {
    const folder = await album()
    await quoin('push', folder, '--publish')
    await writeFile(join(folder, 'trips/tram.png'), OTHER)
    const second = await quoin('push', folder, '--publish')
    expect(second.out).toMatch(/files: 1 sent, 11 unchanged; 1 published/)
    const site = await visited(second.out, ['far/away/trips/alps/'])
    expect(site.missing).toEqual([])
    expect(await site.html('far/away/trips/alps/')).toContain('width="60" height="30"')
  })

  test('a file that was replaced on the server stays, and is a conflict once it is replaced in the folder too', async () => {
    const folder = await album()
    const { project_id: project } = JSON.parse((await quoin('push', folder, '--json')).out)
    const asset = async () =>
      (await service.call('GET', `/projects/${project}/assets?q=trips/tram.png`)).body.data[0]
    const path = `/assets/${(await asset()).id}/content`
    const octets = { headers: { 'Content-Type': 'application/octet-stream' } }
    expect(await service.call('PUT', path, OTHER, octets)).toMatchObject({ status: 200 })
    expect(await quoin('push', folder)).toMatchObject({ code: 0 })
    expect(await asset()).toMatchObject({ width: 60 })

    await writeFile(join(folder, 'trips/tram.png'), Buffer.concat([PNG, Buffer.from('another')]))
    const pushed = await quoin('push', folder)
    expect(pushed).toMatchObject({ code: 1 })
    expect(pushed.out).toMatch(
      /trips\/tram\.png: error QN-CONFLICT The asset ast_\w+ was replaced on the server since the last push\. Replace it with --force trips\/tram\.png\./,
    )
    expect(await quoin('push', folder, '--force', 'trips/tram.png')).toMatchObject({ code: 0 })
    expect(await asset()).toMatchObject({ width: 40 })
  })

  test('pictures are read by the server alone, which says what is wrong with one', async () => {
    const folder = await album()
    const torn = Buffer.concat([PNG.subarray(0, 40), Buffer.alloc(10_000)])
    await writeFile(join(folder, 'trips/tram.png'), torn)
    const { diagnostics } = JSON.parse((await quoin('push', folder, '--json')).out)
    expect(diagnostics).toMatchObject([{ code: 'QN-NOT-SENT', file: 'trips/alps.md', line: 4 }])
  })

  test('a file that the server cannot have is reported where it is used, and all else is pushed', async () => {
    const folder = await album()
    await writeFile(join(folder, 'trips/Photo (1).png'), PNG)
    await writeFile(join(folder, 'trips/torn.png'), PNG.subarray(0, 40))
    await writeFile(
      join(folder, 'trips/alps.md'),
      '---\ntitle: Alps\n---\n![One](<Photo (1).png>)\n![Two](torn.png)\n![Tram](tram.png)\n',
    )
    const { code, out, err } = await quoin('push', folder, '--publish')
    expect(code).toBe(1)
    expect(err).toBe(
      'quoin: 2 files that pages use will be missing on the site; all else was pushed. Correct what the warnings say, or accept it with --allow-missing-files.\n',
    )
    expect(out).toMatch(
      /alps\.md:4: warning QN-NOT-SENT trips\/Photo \(1\)\.png will be missing on the site\. Its path cannot be the name of an asset, .* Rename the file\./,
    )
    expect(out).toMatch(
      /alps\.md:5: warning QN-NOT-SENT trips\/torn\.png will be missing on the site\. The server refused it: /,
    )
    expect((await visited(out, ['far/away/trips/alps/'])).media).toContain('tram.png')
    const again = await quoin('push', folder, '--publish', '--allow-missing-files')
    expect(again).toMatchObject({ code: 0, err: '' })
  })
})
