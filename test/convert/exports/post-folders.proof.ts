import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { PACKAGE_ROOT } from '../../../src/platform/package-paths.ts'
import { startCommand } from '../../support/command.ts'
import { startService } from '../../support/service.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { writeFiles } from '../../support/written-files.ts'

const fixtures = join(PACKAGE_ROOT, 'fixtures/exports')
const quoin = (...args: string[]) => startCommand(args).ended

/** The files of an export in a new folder, converted. */
async function converted(files: Readonly<Record<string, string>>) {
  const [from, folder] = [await temporaryFolder(), await temporaryFolder()]
  await writeFiles(from, files)
  const out = join(folder, 'new')
  const ended = await quoin('convert', from, '--out', out, '--json')
  return { ended, page: (path: string) => readFile(join(out, path), 'utf8'), out }
}

const COLUMNS = 'post_id,post_date,is_published,audience,title,subtitle,podcast_url\n'
const mediumPost = (title: string, canonical: string, body = '<p>Text.</p>') =>
  `<article class="h-entry"><header><h1 class="p-name">${title}</h1></header><section class="e-content">${body}</section><footer><a class="p-author" href="https://medium.com/@a">A</a><time class="dt-published" datetime="2020-01-02T03:04:05.000Z">x</time><a href="${canonical}" class="p-canonical">x</a></footer></article>`

describe('an export of Medium', () => {
  test('from a domain of its own keeps its addresses, and links among its posts', async () => {
    const { page, ended } = await converted({
      'posts/2020-01-02_One-0123456789ab.html': mediumPost(
        'One',
        'https://blog.example.com/one-0123456789ab',
        '<p><a href="https://blog.example.com/two-ba9876543210?source=x">Two</a>, <a href="https://else.example.com/two-ba9876543210">not ours</a></p>',
      ),
      'posts/2020-01-03_Two-ba9876543210.html': mediumPost(
        'Two',
        'https://blog.example.com/two-ba9876543210',
      ),
    })
    expect(ended.code, ended.err).toBe(0)
    expect(await page('site.yaml')).toContain('url: https://blog.example.com\n')
    expect(await page('one-0123456789ab.md')).toContain(
      '[Two](/two-ba9876543210), [not ours](https://else.example.com/two-ba9876543210)',
    )
  })

  test('leaves out a page that is no post, and says so', async () => {
    const { ended } = await converted({
      'posts/2020-01-02_One-0123456789ab.html': mediumPost('One', 'https://medium.com/@a/one-0123456789ab'),
      'posts/readme.html': '<p>Not a post.</p>',
      'posts/deep.html': `${'<b><div>'.repeat(500)}<article class="h-entry">`,
    })
    const { pages, losses } = JSON.parse(ended.out)
    expect(pages).toBe(1)
    expect(losses.map(({ file, code }: { file: string; code: string }) => `${code} ${file}`)).toEqual([
      'QN-SOURCE-UNREADABLE posts/deep.html',
      'QN-SOURCE-UNREADABLE posts/readme.html',
    ])
  })
})

describe('an export of Substack', () => {
  test('from a domain of its own has that address, and takes it from links to two of its posts', async () => {
    const post = (slug: string) => `<p><a href="https://news.example.com/p/${slug}">there</a></p>`
    const { page } = await converted({
      'posts.csv': `${COLUMNS}1.one,2020-01-02T03:04:05.000Z,true,everyone,One,,\n2.two,2020-01-03T03:04:05.000Z,true,everyone,Two,,\n`,
      'posts/1.one.html': post('two') + post('one'),
      'posts/2.two.html': post('one'),
    })
    expect(await page('site.yaml')).toContain('url: https://news.example.com\n')
    expect(await page('p/two.md')).toContain('guid: https://news.example.com/p/two\n')
    expect(await page('p/two.md')).toContain('[there](/p/one)')
  })

  test('does not take one link to a post of the same name for its own address', async () => {
    const { page } = await converted({
      'posts.csv': `${COLUMNS}1.welcome,2020-01-02T03:04:05.000Z,true,everyone,"One,\ntwo",,\n`,
      'posts/1.welcome.html': '<p><a href="https://other.substack.com/p/welcome">other</a></p>',
    })
    expect(await page('p/welcome.md')).toContain('title: One, two\n')
    expect(await page('p/welcome.md')).toContain('[other](https://other.substack.com/p/welcome)')
  })

  test('with a picture whose address is none is converted, and says so', async () => {
    const { ended } = await converted({
      'posts.csv': `${COLUMNS}1.one,2020-01-02T03:04:05.000Z,true,everyone,One,,\n`,
      'posts/1.one.html': '<p>One <img src="https://substack-post-media.s3.%zz/one.png" alt="a"></p>',
    })
    expect(ended.code, ended.err).toBe(0)
    expect(JSON.parse(ended.out).losses[0].what).toContain('images/one.png')
  })

  test('is refused when its table is not whole', async () => {
    const { ended } = await converted({
      'posts.csv': `${COLUMNS}1.one,2020-01-02T03:04:05.000Z,true,everyone,"One,,\n`,
      'posts/1.one.html': '<p>One</p>',
    })
    expect(ended).toMatchObject({ code: 1 })
    expect(ended.err).toContain('posts.csv cannot be read: row 2 has a quote that does not end.')
  })

  test('gives no text from outside of its folder, through a link or a name', async () => {
    const [from, outside] = [await temporaryFolder(), await temporaryFolder()]
    await writeFile(join(outside, 'private.html'), '<p>Private</p>')
    await mkdir(join(from, 'posts'))
    const row = (id: string) => `${id},2020-01-02T03:04:05.000Z,true,everyone,A,,\n`
    await writeFile(join(from, 'posts.csv'), COLUMNS + row('1.one') + row('2.two') + row('../../private'))
    await writeFile(join(from, 'posts/1.one.html'), '<p>One</p>')
    await symlink(join(outside, 'private.html'), join(from, 'posts/2.two.html'))
    const ended = await quoin('convert', from, '--out', join(outside, 'new'), '--json')
    expect(JSON.parse(ended.out)).toMatchObject({
      pages: 1,
      losses: [{ code: 'QN-SOURCE-UNREADABLE', file: 'posts/2.two.html' }],
    })
  })
})

test('an export that is converted and pushed is a live site, with its drafts unpublished', async () => {
  const service = await startService()
  try {
    const folder = await temporaryFolder()
    await cp(join(fixtures, 'substack/from'), join(folder, 'from'), { recursive: true })
    await quoin('convert', join(folder, 'from'), '--out', join(folder, 'to'))
    const pushed = await startCommand(['push', join(folder, 'to'), '--publish', '--json'], {
      QUOIN_KEY: service.key,
      QUOIN_URL: service.url,
    }).ended
    expect(pushed.code, pushed.out + pushed.err).toBe(0)
    const { body: projects } = await service.call('GET', '/projects')
    const project = projects.data[0].id
    const { body: pages } = await service.call('GET', `/pages?project_id=${project}`)
    const states = pages.data.map(({ page_name, status }: Record<string, string>) => [page_name, status])
    expect(states.sort()).toEqual([
      ['For members', 'draft'],
      ['Pruning in May', 'published'],
      ['The sound of rain', 'published'],
      ['Untitled', 'draft'],
      ['Why hedges, and "not" fences', 'published'],
    ])
    const { id } = pages.data.find(({ page_name }: { page_name: string }) => page_name === 'Pruning in May')
    const { body: page } = await service.call('GET', `/pages/${id}`)
    expect(page.data.publish_date).toBe('2023-05-06T09:30:00.000Z')
    const shown = await fetch(`${service.url}/public/${project}/p/why-hedges/`)
    expect(await shown.text()).toContain('A hedge is <strong>alive</strong>')
  } finally {
    await service.close()
  }
})
