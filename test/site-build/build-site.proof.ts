import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { PageShardNames } from '../../src/site-build/state/state-shards.ts'
import { createLocalFolderStorage } from '../../src/storage/local-folder.ts'
import { readSiteFiles } from './read-site-files.ts'
import { NOTES, temporarySite } from './temporary-site.ts'

describe('a build', () => {
  test('writes the files of every page, the indexes and static/', async () => {
    const { out, build } = await temporarySite()
    expect(await build()).toMatchObject({ pages: { total: 4, rendered: 4, removed: 0 }, warnings: [] })
    const files = await readSiteFiles(out)
    expect(files.get('docs/a/index.html')).toContain('href="../../docs/b/"')
    expect(files.get('images/dot.svg')).toBe(NOTES['static/images/dot.svg'])
    expect([...files.keys()]).toEqual(
      expect.arrayContaining([
        ...['index.html', 'index.md', 'docs/b/index.md', '_nav/docs.json', '_index.json'],
        ...['sitemap.xml', 'robots.txt', 'feed.xml', '_feed.json', 'llms.txt', '404.html'],
      ]),
    )
  })

  test('writes .nojekyll, and the files of static/ that hosts ask for', async () => {
    const names = [
      'CNAME',
      '_headers',
      '_redirects',
      'LICENSE',
      '.well-known/a.txt',
      'my pic@2x.pdf',
      'ä.pdf',
    ]
    const files = Object.fromEntries(names.map((name) => [`static/${name}`, `the ${name}`]))
    const { out, build, put, drop } = await temporarySite({ ...NOTES, ...files })
    expect((await build()).warnings).toEqual([])
    const built = await readSiteFiles(out)
    for (const name of names) expect(built.get(name)).toBe(`the ${name}`)
    expect(built.get('.nojekyll')).toBe('')
    const generated = built.get('robots.txt')
    expect(generated).toContain('Sitemap:')

    // The author's robots.txt replaces the generated one, and its removal brings that back.
    await put('static/robots.txt', 'own')
    await build()
    expect((await readSiteFiles(out)).get('robots.txt')).toBe('own')
    await put('docs/b.md', '---\ntitle: B\n---\nOther text.\n')
    await build()
    expect((await readSiteFiles(out)).get('robots.txt')).toBe('own')
    await drop('static/robots.txt')
    await build()
    expect((await readSiteFiles(out)).get('robots.txt')).toBe(generated)
  })

  test('has icons of its own name until static/ has some, and again when it has none', async () => {
    const { out, build, put, drop } = await temporarySite()
    await build()
    const generated = await readSiteFiles(out)
    expect(generated.get('docs/a/index.html')).toMatch(
      /<link rel="icon" href="\.\.\/\.\.\/favicon\.ico" sizes="32x32">\n<link rel="icon" href="\.\.\/\.\.\/_icons\/icon\.svg" type="image\/svg\+xml">/,
    )
    await put('static/favicon.svg', '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>')
    await put('static/favicon.ico', 'own icon')
    await put('static/site.webmanifest', '{}')
    await build()
    const own = await readSiteFiles(out)
    expect([own.get('favicon.ico'), own.get('site.webmanifest')]).toEqual(['own icon', '{}'])
    expect(own.get('docs/a/index.html')?.match(/<link rel="icon"[^>]*>/g)).toEqual([
      '<link rel="icon" href="../../favicon.svg">',
    ])
    for (const file of ['favicon.svg', 'favicon.ico', 'site.webmanifest']) await drop(`static/${file}`)
    await build()
    const again = await readSiteFiles(out)
    for (const file of ['favicon.ico', 'site.webmanifest', 'docs/a/index.html'])
      expect(again.get(file), file).toBe(generated.get(file))
  })

  test('writes a file beside pages while a published page names it', async () => {
    const { out, put, build, run } = await temporarySite({
      ...NOTES,
      'blog/one.md': '---\ntitle: One\ntype: article\n---\n![](tram.bmp)\n',
      'blog/two.md': '---\ntitle: Two\ntype: article\ndraft: true\n---\n![](secret.png)\n',
      'blog/tram.bmp': 'tram',
      'blog/secret.png': 'secret',
      'blog/other.png': 'other',
    })
    const report = await build()
    expect(report.warnings).toEqual([])
    expect(report.unused).toEqual(['blog/other.png'])
    const files = await readSiteFiles(out)
    expect(files.get('blog/tram.bmp')).toBe('tram')
    expect(files.get('blog/one/index.html')).toContain('src="../../blog/tram.bmp"')
    expect(files.get('feed.xml')).toContain('https://notes.example/blog/tram.bmp')
    expect([...files.keys()].filter((key) => /secret|other/.test(key))).toEqual([])
    await run({}, true)
    expect((await readSiteFiles(out)).get('blog/secret.png')).toBe('secret')

    await put('blog/one.md', '---\ntitle: One\ntype: article\n---\n![](gone.png)\n')
    expect((await build()).warnings).toMatchObject([{ code: 'QN-DEADLINK', file: 'blog/one.md', line: 5 }])
    expect((await readSiteFiles(out)).has('blog/tram.bmp')).toBe(false)
  })

  test.each([
    ['static/docs/a/index.html', 'docs/a.md'],
    ['static/Docs/A/index.html', 'docs/a.md'],
    ['static/docs/a', 'docs/a.md'],
    ['static/docs/a/index.html/x.txt', 'docs/a.md'],
    ['static/blog/index.html', 'Quoin'],
  ])('refuses %s, which would replace a file that %s makes, and writes nothing', async (file, owner) => {
    const { out, run } = await temporarySite({ ...NOTES, [file]: 'x' })
    expect(await run()).toMatchObject({
      errors: [{ code: 'QN-DUPLICATE-PATH', file, message: expect.stringContaining(owner) }],
    })
    expect(await readSiteFiles(out)).toEqual(new Map())
  })

  test('writes nothing when nothing changed, and after an edit that page and the indexes with it', async () => {
    const { out, put, build } = await temporarySite()
    await build()
    const before = await readSiteFiles(out)
    expect(await build()).toMatchObject({ pages: { rendered: 0 }, files: { written: 0, removed: 0 } })
    expect(await readSiteFiles(out)).toEqual(before)

    await put('docs/b.md', '---\ntitle: B\n---\nOther text.\n')
    expect(await build()).toMatchObject({ pages: { total: 4, rendered: 1, removed: 0 } })
    const after = await readSiteFiles(out)
    const changed = [...after.keys()].filter((key) => after.get(key) !== before.get(key))
    expect(changed.filter((key) => !key.startsWith('_search'))).toEqual([
      ...['_index.json', 'docs/b/index.html', 'docs/b/index.md', 'llms-full.txt', 'sitemap.xml'],
    ])
  })

  test('leaves the same files after any edit as a cold build', async () => {
    const { folder, out, put, drop, build } = await temporarySite()
    await build()
    await put('docs/c.md', '---\ntitle: C\nnav_order: -1\n---\nText.\n')
    await put('site.yaml', 'name: Notes\nurl: https://notes.example\nfooter_text: Bye\ntheme: dark\n')
    await drop('docs/b.md')
    await drop('static/images/dot.svg')
    expect(await build()).toMatchObject({ pages: { total: 4, removed: 1 } })

    const fresh = await temporarySite({})
    await cp(folder, fresh.folder, { recursive: true, preserveTimestamps: true })
    await fresh.build()
    const timeless = (text: string) =>
      text.replace(/"(published_at|updated_at)":"[^"]*"|"revision":\d+|<lastmod>[^<]*/g, '')
    const files = await readSiteFiles(out)
    const expected = await readSiteFiles(fresh.out)
    expect([...files.keys()]).toEqual([...expected.keys()])
    for (const [key, text] of expected) expect(timeless(files.get(key) ?? ''), key).toBe(timeless(text))
  })

  test('writes indexes again when a setting changes that pages do not show', async () => {
    const own = (type: string) =>
      `---\ntitle: Own\ntype: ${type}\ndescription: Its own description.\n---\nText.\n`
    const files = { 'docs/a.md': own('docs'), 'blog/one.md': own('article') }
    const site = 'name: Notes\nurl: https://notes.example\n'
    const { out, put, build } = await temporarySite({ ...files, 'site.yaml': site })
    await build()
    await put('site.yaml', `${site}meta_description: Description of the site.\n`)
    expect(await build()).toMatchObject({ pages: { removed: 0 } })
    const after = await readSiteFiles(out)
    const changed = [...after.keys()].filter((key) => after.get(key)?.includes('Description of the site.'))
    expect(changed).toEqual([
      ...['_feed.json', '_nav/docs/index.html', 'blog/index.html', 'feed.xml', 'llms-full.txt', 'llms.txt'],
    ])
    expect(await build()).toMatchObject({ files: { written: 0 } })
  })

  test('writes the same feeds at any time into a new folder', async () => {
    const feedOf = async (now: string) => {
      const { out, build } = await temporarySite()
      await build({ now: () => now })
      return (await readSiteFiles(out)).get('feed.xml')
    }
    const feed = await feedOf('2026-03-01T00:00:00.000Z')
    expect(feed).toContain('<updated>2026-01-02T00:00:00.000Z</updated>')
    expect(await feedOf('2026-05-01T00:00:00.000Z')).toBe(feed)
  })

  test('leaves a redirect for a moved page and nothing for a removed one', async () => {
    const { out, put, drop, build } = await temporarySite()
    await build()
    await put('docs/b.md', '---\ntitle: B\nslug: beta\n---\nText.\n')
    await build()
    expect((await readSiteFiles(out)).get('docs/b/index.html')).toContain('url=../../docs/beta/')
    await drop('docs/b.md')
    await build()
    expect([...(await readSiteFiles(out)).keys()].filter((key) => /docs\/b/.test(key))).toEqual([])
  })

  test('writes redirects for redirect_from, and removes them with the field', async () => {
    const { out, put, build } = await temporarySite()
    const redirects = async () =>
      [...(await readSiteFiles(out))].filter(([, text]) => text.includes('Moved to'))
    const text = (from: string) => `---\ntitle: B\n${from}---\nText. [Once](/old/b)\n`
    await put('docs/b.md', text('redirect_from: [/old/b/, /b.html]\n'))
    expect(await build()).toMatchObject({ warnings: [] })
    expect((await redirects()).map(([key]) => key)).toEqual(['b.html', 'old/b/index.html'])
    for (const [key, html] of await redirects())
      expect(html).toContain(`url=${key === 'b.html' ? '' : '../../'}docs/b/"`)

    expect(await build()).toMatchObject({ files: { written: 0, removed: 0 } })
    await put('docs/b.md', text('redirect_from: /old/b\nslug: beta\n'))
    await build()
    expect((await redirects()).map(([key]) => key)).toEqual(['docs/b/index.html', 'old/b/index.html'])
    await put('docs/b.md', text('slug: beta\n'))
    expect(await build()).toMatchObject({ warnings: [{ line: 5 }] })
    expect((await redirects()).map(([key]) => key)).toEqual(['docs/b/index.html'])
  })

  test('writes the redirect of the page that declares it in place of an older one', async () => {
    const { out, put, build } = await temporarySite()
    await build()
    await put('docs/b.md', '---\ntitle: B\nslug: beta\n---\nText.\n')
    await put('docs/c.md', '---\ntitle: C\nredirect_from: /docs/b\n---\nText.\n')
    for (const _ of ['first build', 'second build']) {
      await build()
      expect((await readSiteFiles(out)).get('docs/b/index.html')).toContain('url=../../docs/c/')
      await put('docs/b.md', '---\ntitle: B\nslug: beta\n---\nOther text.\n')
    }
  })

  test('leaves a page whose file was renamed, and removes it with that file', async () => {
    const { out, put, drop, build } = await temporarySite()
    await build()
    const before = (await readSiteFiles(out)).get('docs/b/index.html')
    await drop('docs/b.md')
    await put('docs/renamed.md', '---\ntitle: B\nslug: b\n---\nText.\n')
    await build()
    expect((await readSiteFiles(out)).get('docs/b/index.html')).toBe(before)
    await drop('docs/renamed.md')
    await build()
    expect([...(await readSiteFiles(out)).keys()].filter((key) => /docs\/b/.test(key))).toEqual([])
  })

  test('omits drafts unless they are requested', async () => {
    const draft = { ...NOTES, 'docs/d.md': '---\ntitle: D\ndraft: true\n---\nText.\n' }
    const { build } = await temporarySite(draft)
    expect((await build()).pages.total).toBe(4)
    expect((await build({}, true)).pages).toEqual({ total: 5, rendered: 3, removed: 0 })
    expect((await build()).pages).toMatchObject({ total: 4, removed: 1 })
  })
})

describe('a folder with errors', () => {
  test('reports an error with its position and writes nothing', async () => {
    const { out, run, put } = await temporarySite()
    await put('docs/b.md', '---\ntitle: B\nnav_order: soon\n---\nText.\n')
    expect(await run()).toMatchObject({
      errors: [{ severity: 'error', file: 'docs/b.md', line: 3, column: 1, field: 'nav_order' }],
    })
    await put('docs/b.md', '---\ntitle: B\n---\n')
    await put('site.yaml', 'name: Notes\ncustom_css: just words\n')
    expect(await run()).toMatchObject({ errors: [{ file: 'site.yaml', field: 'custom_css' }] })
    await put('site.yaml', 'name: Notes\ntheme: blue\n')
    expect(await run()).toMatchObject({ errors: [{ file: 'site.yaml', field: 'theme' }] })
    expect(await readSiteFiles(out)).toEqual(new Map())
  })

  test('reports a page that cannot be rendered by its file and writes nothing', async () => {
    const { out, run, put } = await temporarySite()
    await put('docs/b.md', `---\ntitle: B\n---\n${'> '.repeat(5_000)}deep\n`)
    let rendered = 0
    expect(await run({ onRendered: () => (rendered += 1) })).toMatchObject({
      errors: [{ file: 'docs/b.md', message: expect.stringContaining('Too complex to render') }],
    })
    expect(rendered).toBe(3)
    expect(await readSiteFiles(out)).toEqual(new Map())
  })

  test('reports a dead link with its line, also when its target is removed later', async () => {
    const { put, drop, build } = await temporarySite()
    await put('docs/b.md', '---\ntitle: B\n---\n\n## Here\n\n[gone](/nowhere) and [there](#there)\n')
    expect((await build()).warnings).toMatchObject([
      { file: 'docs/b.md', line: 7, message: 'The link "/nowhere" is dead: no page is live at /nowhere.' },
      {
        file: 'docs/b.md',
        line: 7,
        message: 'The link "#there" is dead: /docs/b has no anchor #there.',
      },
    ])
    await drop('docs/b.md')
    expect((await build()).warnings).toMatchObject([
      { file: 'docs/a.md', line: 4, message: 'The link "/docs/b" is dead: no page is live at /docs/b.' },
    ])
  })
})

test('a build reports dead links in settings and missing images of pages', async () => {
  const { put, drop, build } = await temporarySite()
  const site = [
    ...[
      'name: Notes',
      'url: https://notes.example',
      'logo: /images/logo.png',
      'og_image_url: /images/dot.svg',
    ],
    ...['nav_links:', '  - { label: B, href: /docs/b }', '  - { label: Gone, href: /gone }'],
    ...[
      'shared_footer:',
      '  links:',
      '    - title: More',
      '      links: [{ label: C, href: "/docs/a#c" }]',
      '',
    ],
  ]
  await put('site.yaml', site.join('\n'))
  await put('shop/cup.yaml', 'type: item\ntitle: Cup\nfields:\n  image: /images/cup.png\n')
  await put('docs/c.md', '---\ntitle: C\nog_image_url: /images/c.png\n---\nText.\n')
  const missing = (field: string, name: string) =>
    `${field}: The image "/images/${name}.png" is dead: the site has no file /images/${name}.png.`
  const expected = [
    { file: 'docs/c.md', line: 3, message: missing('og_image_url', 'c') },
    { file: 'shop/cup.yaml', line: 4, message: missing('image.src', 'cup') },
    { file: 'site.yaml', line: 3, message: missing('logo', 'logo') },
    {
      file: 'site.yaml',
      line: 7,
      message: 'nav_links[1].href: The link "/gone" is dead: no page is live at /gone.',
    },
    {
      file: 'site.yaml',
      line: 11,
      message:
        'shared_footer.links[0].links[0].href: The link "/docs/a#c" is dead: /docs/a has no anchor #c.',
    },
  ]
  expect((await build()).warnings).toMatchObject(expected)
  await drop('docs/b.md')
  expect((await build()).warnings).toMatchObject([
    { file: 'docs/a.md', line: 4, message: 'The link "/docs/b" is dead: no page is live at /docs/b.' },
    ...expected.slice(0, 3),
    {
      file: 'site.yaml',
      line: 6,
      message: 'nav_links[0].href: The link "/docs/b" is dead: no page is live at /docs/b.',
    },
    ...expected.slice(3),
  ])
})

test('a warning has the line of its cause', async () => {
  const { put, build } = await temporarySite()
  await put(
    'docs/b.md',
    '---\ntitle: B\n---\n\nSee `javascript:x`,\r\n[one](javascript:x) and\n[two](javascript:x)\n\n$$\n\\frac{1\n$$\n',
  )
  await put(
    'c.yaml',
    [
      ...[
        'title: C',
        'sections:',
        '  - type: hero',
        '    title: Hello',
        '    cta_text: Go',
        '    cta_url: javascript:y',
      ],
      ...[
        '  - type: content',
        '    body: |',
        '      Text.',
        '      [gone](/nowhere/x), [gone](/nowhere)',
        '  - type: strange',
        '',
      ],
    ].join('\n'),
  )
  await put('item.yaml', 'title: I\ntype: item\nfields:\n  image: javascript:z\n')
  const lines = (await build()).warnings.map(({ file, line, message }) => `${file}:${line}: ${message}`)
  expect(lines.map((text) => text.replace(/(: [^"]*"[^"]*").*/, '$1'))).toEqual([
    'c.yaml:6: sections[0].actions[0].link: The link "javascript:y"',
    'c.yaml:10: sections[1].body: The link "/nowhere/x"',
    'c.yaml:10: sections[1].body: The link "/nowhere"',
    'c.yaml:11: sections[2]: Unknown section type "strange"',
    'docs/b.md:6: The link "javascript:x"',
    'docs/b.md:7: The link "javascript:x"',
    'docs/b.md:10: The formula " \\\\frac{1 "',
    'item.yaml:4: image.src: The link "javascript:z"',
  ])
})

describe('an output folder', () => {
  test('retains files that no build wrote, and a build does not overwrite them', async () => {
    const { out, run, build, drop } = await temporarySite()
    await mkdir(join(out, 'docs/b'), { recursive: true })
    await writeFile(join(out, 'CNAME'), 'notes.example')
    await writeFile(join(out, 'docs/b/index.html'), 'mine')
    await expect(run()).rejects.toMatchObject({
      name: 'conflict',
      message: expect.stringContaining('docs/b/index.html is not of an earlier build'),
    })
    expect(await readSiteFiles(out)).toEqual(
      new Map([
        ['CNAME', 'notes.example'],
        ['docs/b/index.html', 'mine'],
      ]),
    )
    await rm(join(out, 'docs'), { recursive: true })
    await writeFile(join(out, 'docs'), 'mine, too')
    await expect(run()).rejects.toMatchObject({
      name: 'conflict',
      message: expect.stringContaining('/docs '),
    })
    await rm(join(out, 'docs'))
    await build()
    await drop('docs/b.md')
    await build()
    expect((await readSiteFiles(out)).get('CNAME')).toBe('notes.example')
  })

  test('stores the build state in the recorded layout; a changed shape needs a new `LAYOUT`', async () => {
    const { out, build } = await temporarySite({
      'site.yaml': NOTES['site.yaml'],
      'blog/one.md': NOTES['blog/one.md'],
    })
    await build()
    const read = (name: string) => readFile(join(out, '.quoin', name), 'utf8')
    const { layout, ...head } = JSON.parse(await read('build.json'))
    const [{ records, details, extracts }] = head.pages as readonly [PageShardNames]
    const [[extractsName]] = extracts as readonly [readonly [string, number]]
    const shapes: string[] = []
    for (const name of [records, details, extractsName])
      shapes.push((await read(`shards/${name}`)).split('\t').map(shapeOf).join(' | '))
    // Increment `LAYOUT` with any change: a version must not misread the state of another version.
    expect({ layout, head: Object.keys(head).sort(), shapes }).toMatchInlineSnapshot(`
      {
        "head": [
          "engine",
          "feed",
          "files",
          "pages",
          "search",
          "site",
          "slots",
        ],
        "layout": 5,
        "shapes": [
          "{card{author date excerpt feedId folder id image isSealed navOrder path slot subroute tags title type} facts{badge id navOrder parentPage path slug subroute title type} fed isFound source}",
          "{assets digests{collection content hosting nav neighbours ownTheme path settings theme} fragmentTargets line llms publishedAt redirects sitemap updatedAt}",
          "n | {anchors links search{about language path places sections title words} warnings} | o | *",
        ],
      }
    `)
  })

  test('is completed if files are missing', async () => {
    const { out, build } = await temporarySite()
    await build()
    const before = await readSiteFiles(out)
    await rm(join(out, 'docs/a/index.html'))
    await rm(join(out, '_nav/docs.json'))
    await build()
    const after = await readSiteFiles(out)
    expect([...after.keys()]).toEqual([...before.keys()])
    expect(after.get('docs/a/index.html')).toBe(before.get('docs/a/index.html'))
  })
})

describe('concurrent builds of one folder', () => {
  test.each(['before', 'after'])('refuse the second one, %s a first build', async (when) => {
    const { out, put, build, run } = await temporarySite()
    if (when === 'after') await build()
    await put('docs/a.md', '---\ntitle: A\n---\nNews.\n')
    const storage = createLocalFolderStorage({ root: out, sync: false })
    const messages = new Set<string>()
    const duringBuild = async (...given: Parameters<typeof storage.put>) => {
      await run().catch((error: Error) => messages.add(error.message))
      return storage.put(...given)
    }
    await run({ storage: { ...storage, put: duringBuild } })
    expect([...messages]).toEqual([
      `Another build is writing into ${out}. Build again when it has ended; if there is none, remove ${join(out, '.quoin/writer')}.`,
    ])
    expect((await build()).files.written).toBe(0)
    expect(await readdir(join(out, '.quoin'))).not.toContain('writer')
  })

  test.each([
    ['a process that has ended', { pid: 2 ** 22 + 1, began: '1' }],
    ['another process with the same id', { pid: process.pid, began: '1' }],
  ])('ignore the lock of %s', async (_, writer) => {
    const { out, put, build } = await temporarySite()
    await build()
    await put('docs/a.md', '---\ntitle: A\n---\nNews.\n')
    await mkdir(join(out, '.quoin/writer'))
    await writeFile(join(out, '.quoin/writer/lock'), JSON.stringify(writer))
    expect((await build()).files.written).toBeGreaterThan(0)
    expect(await readdir(join(out, '.quoin'))).not.toContain('writer')
  })

  test('refuse the one that would write last, and the next one completes the site', async () => {
    const { folder, out, put, build, run } = await temporarySite()
    await build()
    await put('docs/a.md', '---\ntitle: A\n---\nNews.\n')
    const storage = createLocalFolderStorage({ root: out, sync: false })
    let isFirst = true
    const duringBuild = async () => {
      if (isFirst) {
        isFirst = false
        await put('docs/b.md', '---\ntitle: Renamed\n---\nNews, too.\n')
        await build()
      }
      return storage.check()
    }
    await expect(run({ storage: { ...storage, check: duringBuild } })).rejects.toThrow(
      `Another build has written into ${out} meanwhile. Build again.`,
    )
    await build()
    const complete = await temporarySite({})
    await cp(folder, complete.folder, { recursive: true, preserveTimestamps: true })
    await complete.build()
    const [files, wanted] = [await readSiteFiles(out), await readSiteFiles(complete.out)]
    expect([...files.keys()].sort()).toEqual([...wanted.keys()].sort())
    const dated = /_index.json|sitemap|feed/
    for (const [key, text] of wanted) if (!dated.test(key)) expect([key, files.get(key)]).toEqual([key, text])
    expect((await build()).files.written).toBe(0)
  })
})

describe('an aborted build', () => {
  test('leaves each file old or new, and the next build completes it', async () => {
    const { folder, out, put, drop, build, run } = await temporarySite()
    await build()
    const previous = await readSiteFiles(out)
    for (const name of ['docs/a.md', 'docs/b.md', 'blog/one.md']) {
      await put(
        name,
        (await readFile(join(folder, name), 'utf8')).replace('Text.', 'News.').replace('To', 'See'),
      )
    }
    await put('docs/new.md', '---\ntitle: New\n---\nText.\n')
    await drop('index.yaml')
    const complete = await temporarySite({})
    await cp(folder, complete.folder, { recursive: true, preserveTimestamps: true })
    await cp(out, complete.out, { recursive: true })
    await complete.build()
    const wanted = await readSiteFiles(complete.out)

    for (let writes = 0; ; writes++) {
      const site = await temporarySite({})
      await cp(folder, site.folder, { recursive: true, preserveTimestamps: true })
      await cp(out, site.out, { recursive: true })
      let remaining = writes
      const storage = createLocalFolderStorage({ root: site.out, sync: false })
      const failing = {
        ...storage,
        put: async (...given: Parameters<typeof storage.put>) => {
          if (remaining-- <= 0) throw new Error('Aborted.')
          return storage.put(...given)
        },
      }
      const isComplete = await site.run({ storage: failing }).then(
        () => true,
        () => false,
      )
      const files = await readSiteFiles(site.out)
      const halves = [...files].filter(
        ([key, text]) =>
          !/_index.json|sitemap/.test(key) && text !== previous.get(key) && text !== wanted.get(key),
      )
      expect(halves).toEqual([])
      await site.build()
      const completed = await readSiteFiles(site.out)
      expect([...completed.keys()]).toEqual([...wanted.keys()])
      for (const [key, text] of wanted) {
        if (!/_index.json|sitemap/.test(key)) expect(completed.get(key), key).toBe(text)
      }
      if (isComplete) break
      expect(writes).toBeLessThan(100)
    }
    expect(await run()).toHaveProperty('report')
  })
})

/** The names in a column's object, including nested ones; for anything else its first letter. */
function shapeOf(column: string): string {
  return column.startsWith('{') ? namesIn(JSON.parse(column)) : column.slice(0, 1)
}

function namesIn(value: unknown): string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return ''
  const names = Object.entries(value).map(([name, inner]) => `${name}${namesIn(inner)}`)
  return `{${names.sort().join(' ')}}`
}

test('the day of an article is the day as written with its offset, on its page, in lists, feeds and the sitemap', async () => {
  const { out, build } = await temporarySite({
    'site.yaml': 'name: Notes\nurl: https://notes.example\ntypes:\n  blog: article\n',
    'blog/evening.md': '---\ntitle: Evening\npublish_date: 2024-03-10T23:30:00-05:00\n---\nText.\n',
    'blog/later.md': '---\ntitle: Later\npublish_date: 2024-03-11 05:00:00 Z\n---\nText.\n',
    'blog/earlier.md': '---\ntitle: Earlier\npublish_date: 2024-03-11 09:00:00 +0900\n---\nText.\n',
    'docs/d.md':
      '---\ntitle: D\nlast_updated: 2024-03-10T23:30:00-05:00\nconfig:\n  edit_url: https://notes.example/d\n---\nText.\n',
  })
  await build()
  const read = (name: string) => readFile(join(out, name), 'utf8')
  const time = '<time datetime="2024-03-10T23:30:00.000-05:00">March 10, 2024</time>'
  expect(await read('blog/evening/index.html')).toContain(time)
  expect(await read('docs/d/index.html')).toContain(time)
  const list = await read('blog/index.html')
  expect(list).toContain(time)
  expect(list.match(/>(Evening|Later|Earlier)</g)).toEqual(['>Later<', '>Evening<', '>Earlier<'])
  expect(await read('feed.xml')).toContain('<published>2024-03-10T23:30:00.000-05:00</published>')
  const { items } = JSON.parse(await read('_feed.json'))
  expect(items.map(({ title }: { title: string }) => title)).toEqual(['Later', 'Evening', 'Earlier'])
  const sitemap = await read('sitemap.xml')
  expect(sitemap).toContain('docs/d/</loc><lastmod>2024-03-10</lastmod>')
})

test('code in an unknown language is reported with the line of its fence, once a page', async () => {
  const { build } = await temporarySite({
    'site.yaml': 'name: Notes\nurl: https://notes.example\n',
    'static/index.html': '<!doctype html>',
    'docs/a.md':
      '---\ntitle: A\n---\nUse klingon.\n\n```js\nx\n```\n\n- ~~~~ klingon\n  x\n  ~~~~\n\n```klingon\n```\n\n```text\n```\n\n```rust,ignore\n```\n',
  })
  const { warnings } = await build()
  expect(warnings.map(({ code, file, line }) => [code, file, line])).toEqual([
    ['QN-PLAIN-CODE', 'docs/a.md', 10],
  ])
})
