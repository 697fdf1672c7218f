import { truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { MAX_ASSET_BYTES } from '../../src/content-folder/list-files.ts'
import { readSite } from '../../src/content-folder/read-site.ts'
import { settingFileName, settingsThatHold, settingsToFields } from '../../src/fields/settings-record.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { writeFiles } from '../support/written-files.ts'

const article = (body: string, fields = '') => `---\ntitle: T\ntype: article\n${fields}---\n${body}`

async function folderOf(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await temporaryFolder()
  await writeFiles(folder, { 'site.yaml': 'name: T\n', ...files })
  return folder
}

async function read(files: Readonly<Record<string, string>>) {
  const reading = await readSite(await folderOf(files))
  const [page] = reading.site.pages
  return { ...reading, page, paths: reading.site.assets.map(({ path }) => path) }
}

describe('a file beside pages', () => {
  test.each([
    ['![](tram.png)', '![](/blog/trip/tram.png)'],
    ['![](./tram.png)', '![](/blog/trip/tram.png)'],
    ['[map](../plan.pdf#page=2)', '[map](/blog/plan.pdf#page=2)'],
    ['![](/blog/trip/tram.png "Tram")', '![](/blog/trip/tram.png "Tram")'],
    ['![](my%20pic.png)', '![](/blog/trip/my%20pic.png)'],
    ['![](<my pic.png>)', '![](/blog/trip/my%20pic.png)'],
    ['![](Bild-ä@2x.png)', '![](/blog/trip/Bild-%C3%A4@2x.png)'],
    ['![](Bild-a\u0308@2x.png)', '![](/blog/trip/Bild-%C3%A4@2x.png)'],
    ['![][t]\n\n[t]: tram.png', '![][t]\n\n[t]: /blog/trip/tram.png'],
    ['<img src="tram.png">', '<img src="/blog/trip/tram.png">'],
    ["<img src='tram.png'>", "<img src='/blog/trip/tram.png'>"],
    ['<video poster="tram.png">', '<video poster="/blog/trip/tram.png">'],
    ['<video poster=tram.png></video>', '<video poster="/blog/trip/tram.png"></video>'],
    [
      '<img srcset="tram.png 1x,\n  ../plan.pdf 2x">',
      '<img srcset="/blog/trip/tram.png 1x,\n  /blog/plan.pdf 2x">',
    ],
    [
      '<img srcset="tram.png 1x, ../plan.pdf 2x">',
      '<img srcset="/blog/trip/tram.png 1x, /blog/plan.pdf 2x">',
    ],
    // Rendering takes an absolute path without an extension for that of a page.
    ['[terms](LICENSE)', '[terms](../../blog/trip/LICENSE)'],
  ])('is found where a page says %s', async (written, resolved) => {
    const { page, paths, errors, unused } = await read({
      'blog/trip/index.md': article(written),
      'blog/trip/tram.png': '',
      'blog/trip/my pic.png': '',
      'blog/trip/Bild-a\u0308@2x.png': '',
      'blog/trip/LICENSE': '',
      'blog/plan.pdf': '',
    })
    expect(errors).toEqual([])
    expect(page?.markdown).toBe(resolved)
    expect(paths.length).toBeGreaterThan(0)
    expect(paths.length + unused.length).toBe(5)
  })

  test.each(['`![](tram.png)`', '```\n![](tram.png)\n```', 'tram.png', '![](tram.jpg)'])(
    'is not part of the site where a page only says %s',
    async (written) => {
      const { page, paths, unused } = await read({
        'blog/a.md': article(written),
        'blog/tram.png': '',
      })
      expect(page?.markdown).toBe(written)
      expect(paths).toEqual([])
      expect(unused).toEqual(['blog/tram.png'])
    },
  )

  test('is found in the fields of a page, in its sections and in site.yaml', async () => {
    const { site, errors } = await read({
      'site.yaml':
        'name: T\nlogo: brand/logo.svg\nfavicon_url: brand/icon.png\nnav_links: [{ label: Plan, href: plan.pdf }]\n',
      'brand/logo.svg': '',
      'brand/icon.png': '',
      'plan.pdf': '',
      'blog/a.md': article(
        '',
        'og_image_url: cover.png\nauthor: { name: A, avatar: ../team/a.jpg }\nconfig: { image: cover.png, gallery: [one.png, { src: two.png }], layout: wide, size: 1.5 }\n',
      ),
      'blog/cover.png': '',
      'blog/one.png': '',
      'blog/two.png': '',
      'blog/wide': '',
      'team/a.jpg': '',
      'team/index.yaml':
        'title: Team\nsections:\n  - type: hero\n    props: { title: wide, image: { src: a.jpg, alt: A }, text: "[b](b.pdf)" }\n',
      'team/b.pdf': '',
      'team/wide': '',
    })
    expect(errors).toEqual([])
    expect(site.settings).toMatchObject({
      logoUrl: '/brand/logo.svg',
      faviconUrl: '/brand/icon.png',
      navLinks: [{ href: '/plan.pdf' }],
    })
    const [post, team] = site.pages
    expect(post).toMatchObject({
      ogImageUrl: '/blog/cover.png',
      ownFields: { author: { avatar: '/team/a.jpg' } },
      config: {
        image: '/blog/cover.png',
        gallery: ['/blog/one.png', { src: '/blog/two.png' }],
        layout: 'wide',
        size: 1.5,
      },
    })
    expect(team?.config['sections']).toMatchObject([
      { props: { title: 'wide', image: { src: '/team/a.jpg' }, text: '[b](/team/b.pdf)' } },
    ])
    expect(site.assets).toEqual([
      { path: 'blog/cover.png', source: 'blog/cover.png', namedBy: ['blog/a.md'] },
      { path: 'blog/one.png', source: 'blog/one.png', namedBy: ['blog/a.md'] },
      { path: 'blog/two.png', source: 'blog/two.png', namedBy: ['blog/a.md'] },
      { path: 'brand/icon.png', source: 'brand/icon.png', namedBy: ['site.yaml'] },
      { path: 'brand/logo.svg', source: 'brand/logo.svg', namedBy: ['site.yaml'] },
      { path: 'plan.pdf', source: 'plan.pdf', namedBy: ['site.yaml'] },
      { path: 'team/a.jpg', source: 'team/a.jpg', namedBy: ['blog/a.md', 'team/index.yaml'] },
      { path: 'team/b.pdf', source: 'team/b.pdf', namedBy: ['team/index.yaml'] },
    ])
  })

  test('is found in every setting that holds the address of a file', async () => {
    const names = settingsThatHold('file').map(settingFileName)
    const { site, errors } = await read({
      'site.yaml': `name: T\n${names.map((name) => `${name}: brand/${name}.svg\n`).join('')}`,
      ...Object.fromEntries(names.map((name) => [`brand/${name}.svg`, ''])),
    })
    expect(errors).toEqual([])
    const paths = names.map((name) => `brand/${name}.svg`)
    expect(site.assets.map(({ path }) => path)).toEqual(paths.toSorted())
    expect(settingsToFields('file', site.settings)).toMatchObject(
      Object.fromEntries(names.map((name) => [name, `/brand/${name}.svg`])),
    )
  })

  test('is found in the links, values and code of site.yaml, and not in a label', async () => {
    const { site, errors } = await read({
      'site.yaml': [
        'name: T',
        'nav_links: [{ label: a.svg, href: /docs, icon: brand/b.svg }]',
        'shared_footer: { social: [{ href: "https://social.example/@t", icon: brand/c.svg }] }',
        'docs_nav: [{ title: Docs, icon: brand/d.svg }]',
        'data: { team: [{ photo: brand/e.svg }] }',
        'custom_css: "a { background: url(/brand/f.svg) }"',
        'custom_head_html: \'<link rel="icon" href="/brand/g.svg">\'',
        'footer_text: See /brand/h.svg',
        '',
      ].join('\n'),
      'a.svg': '',
      ...Object.fromEntries([...'bcdefgh'].map((name) => [`brand/${name}.svg`, ''])),
    })
    expect(errors).toEqual([])
    expect(site.assets.map(({ path }) => path)).toEqual([...'bcdefg'].map((name) => `brand/${name}.svg`))
    expect(site.settings).toMatchObject({
      navLinks: [{ label: 'a.svg', icon: '/brand/b.svg' }],
      docsNav: [{ icon: '/brand/d.svg' }],
      data: { team: [{ photo: '/brand/e.svg' }] },
      customHeadHtml: '<link rel="icon" href="/brand/g.svg">',
    })
  })

  test('is found in site.yaml, whatever its type', async () => {
    const files = ['a.pdf', 'b.json', 'c.yaml', 'd/e.json']
    const links = files.map((file) => `{ label: ${file}, href: ${file} }`)
    const { site, unused } = await read({
      'site.yaml': `name: T\nnav_links: [${links.join(', ')}]\n`,
      ...Object.fromEntries(files.map((file) => [file, '[1]'])),
    })
    expect(site.settings.navLinks).toMatchObject(files.map((file) => ({ href: `/${file}` })))
    expect(site.assets.map(({ source }) => source)).toEqual(files)
    expect(unused).toEqual([])
  })

  test('is an error that says which page names it when it cannot be served', async () => {
    const folder = await folderOf({
      'a.md': article('![](intro.mp4) ![](./a:b.png)'),
      'intro.mp4': '',
      'a:b.png': '',
      'c:d.png': '',
    })
    await truncate(join(folder, 'intro.mp4'), MAX_ASSET_BYTES + 1)
    const { errors, site } = await readSite(folder)
    expect(site.assets).toEqual([])
    expect(errors.map(({ file, code, message }) => `${file} ${code} ${message}`)).toEqual([
      'a:b.png QN-BAD-ASSET-NAME The name must not contain ":": a system or a URL cannot have it in a name. Rename the file. a.md names it.',
      'intro.mp4 QN-FILE-TOO-LARGE The file is larger than 100 MiB. a.md names it.',
    ])
  })

  test.each([
    [{ 'static/docs/a.png': '', 'docs/a.png': '' }],
    [{ 'static/docs/A.png': '', 'docs/a.png': '' }],
    [{ 'static/Docs/a.png': '', 'docs/a.png': '' }],
  ])('is an error when, for some systems, another file has its path: %j', async (files) => {
    const { errors } = await read({ ...files, 'docs/a.md': article('![](a.png)') })
    const [first = '', second = ''] = Object.keys(files).sort()
    expect(errors).toMatchObject([{ code: 'QN-DUPLICATE-PATH', file: second }])
    expect(errors[0]?.message).toContain(first)
  })

  test('is an error when another differs from it only in how its accents are written', async () => {
    const { errors } = await read({
      'docs/a.md': article('![](ä.png)'),
      'docs/\u00e4.png': '',
      'docs/a\u0308.png': '',
    })
    expect(errors).toMatchObject([{ code: 'QN-DUPLICATE-PATH' }])
  })
})

test('folders named resources, dist, vendor and public are content', async () => {
  const { site, paths } = await read({
    'docs/dist/a.md': article('![](b.png)'),
    'docs/dist/b.png': '',
    'resources/a.md': article(''),
    'vendor/a.md': article(''),
    'docs/public/a.md': article(''),
    'static/dist/b.png': '',
  })
  expect(site.pages.map(({ source }) => source).sort()).toEqual([
    'docs/dist/a.md',
    'docs/public/a.md',
    'resources/a.md',
    'vendor/a.md',
  ])
  expect(paths).toEqual(['docs/dist/b.png', 'dist/b.png'])
})

describe('a YAML or JSON file', () => {
  const read = async (files: Readonly<Record<string, string>>) => {
    const folder = await temporaryFolder()
    await writeFiles(folder, { 'site.yaml': 'name: Notes\ntypes: { shop: item }\n', ...files })
    return readSite(folder)
  }
  const linking = (name: string) => ({ 'blog/trip/index.md': `# Trip\n\n[Data](${name})\n` })

  test.each([
    ['data.json', '[1, 2]'],
    ['data.json', '{ "points": [1] }'],
    ['stops.geojson.json', '{ "type": "FeatureCollection", "features": [] }'],
    ['schema.json', '{ "title": "Stop", "type": "object" }'],
    ['lines.json', '{ "a": 1 }\n{ "a": 2 }\n'],
    ['broken.json', '{ "a": '],
    ['values.yaml', 'replicas: 2\n'],
    ['list.yaml', '- a\n'],
    ['text.yaml', 'Only words.\n'],
    ['empty.json', ''],
    ['latin.json', '{ "name": "\ud800" }'],
  ])('without a title is a file that a page may offer for download: %s', async (name, text) => {
    const { site, errors } = await read({ ...linking(name), [`blog/trip/${name}`]: text })
    expect(errors).toEqual([])
    expect(site.pages.map(({ source }) => source)).toEqual(['blog/trip/index.md'])
    expect(site.assets).toMatchObject([{ path: `blog/trip/${name}`, namedBy: ['blog/trip/index.md'] }])
    expect(site.pages[0]?.markdown).toContain(`(/blog/trip/${name})`)
  })

  test('is left out and listed when no page names it', async () => {
    const { site, errors, unused } = await read({ 'blog/data.json': '[1]', 'compose.yaml': 'services: {}\n' })
    expect([site.pages, site.assets, errors, unused]).toEqual([
      [],
      [],
      [],
      ['blog/data.json', 'compose.yaml'],
    ])
  })

  test('is a file beside the page that names it when it is too large for a page', async () => {
    const large = `[${'1,'.repeat(3_000_000)}1]`
    const { site, errors } = await read({ ...linking('large.json'), 'blog/trip/large.json': large })
    expect(errors).toEqual([])
    expect(site.assets).toMatchObject([{ path: 'blog/trip/large.json' }])
  })

  test.each([
    ['a.yaml', 'title: A\n'],
    ['a.json', '{ "title": "A" }'],
    ['a.json', '{ "title": "A", "type": "item" }'],
    ['a.yaml', 'sections: []\ntitle: A\n'],
    ['index.yaml', 'title: A\n'],
  ])('with a title is a page: %s %j', async (name, text) => {
    const { site, errors } = await read({ [name]: text })
    expect(errors).toEqual([])
    expect(site.pages.map(({ source }) => source)).toEqual([name])
  })

  test.each([
    ['a.page.yaml', 'name: A\n'],
    ['index.json', '{}'],
    ['a.yaml', 'sections: []\n'],
    ['a.yaml', 'type: page\n'],
    ['a.yaml', 'title: A\ntype: artikel\n'],
    ['a.yaml', 'title: [A\n'],
    ['a.json', '{\n  "title": "A",\n'],
    ['shop/lamp.yaml', 'price: 9\n'],
  ])('is reported if it is meant as a page and has a mistake: %s %j', async (name, text) => {
    const { errors } = await read({ [name]: text })
    expect(errors).toMatchObject([{ file: name }])
  })
})

describe('a file that a style sheet or an SVG of the site needs', () => {
  test('is part of the site, also through another one', async () => {
    const { paths, warnings, unused } = await read({
      'index.md': article('<link rel="stylesheet" href="docs/own.css"> [plan](docs/plan.svg)'),
      'docs/own.css': '@import "more.css";\na { src: url(font.woff2?v=2) }\n',
      'docs/more.css': 'b { background: url(../dot.png) }\n',
      'docs/font.woff2': '',
      'docs/plan.svg': '<svg><image href="photo.jpg"/></svg>',
      'docs/photo.jpg': '',
      'dot.png': '',
      'other.png': '',
    })
    expect([...paths].sort()).toEqual([
      'docs/font.woff2',
      'docs/more.css',
      'docs/own.css',
      'docs/photo.jpg',
      'docs/plan.svg',
      'dot.png',
    ])
    expect([warnings, unused]).toEqual([[], ['other.png']])
  })

  test('is reported with its line where the folder does not have it', async () => {
    const { warnings } = await read({
      'index.md': article('Text.'),
      'static/css/site.css':
        'a {}\nb { background: url(../img/lost.png) url(/img/dot.png) url(../img/dot.png) }\n',
      'static/img/dot.png': '',
    })
    expect(warnings).toMatchObject([
      {
        code: 'QN-DEADLINK',
        file: 'static/css/site.css',
        line: 2,
        message: expect.stringContaining('../img/lost.png'),
      },
    ])
  })

  test('is found after an edit of the style sheet', async () => {
    const folder = await folderOf({
      'index.md': article('<link rel="stylesheet" href="own.css">'),
      'own.css': 'a {}',
      'dot.png': '',
    })
    expect((await readSite(folder)).site.assets.map(({ path }) => path)).toEqual(['own.css'])
    await writeFiles(folder, { 'own.css': 'a { background: url(dot.png) }' })
    expect((await readSite(folder)).site.assets.map(({ path }) => path).sort()).toEqual([
      'dot.png',
      'own.css',
    ])
  })
})
