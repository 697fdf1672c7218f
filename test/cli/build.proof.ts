import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { readSiteFiles } from '../site-build/read-site-files.ts'
import { startCommand } from '../support/command.ts'
import { goldenSite, readGolden } from '../support/golden-site.ts'
import { LONG_FORM, some } from '../support/long-form.ts'
import { SAMPLE_SITES } from '../support/sample-sites.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { writeFiles } from '../support/written-files.ts'

const fixtures = fileURLToPath(new URL('../../fixtures/', import.meta.url))
const quoin = (...args: string[]) => startCommand(args).ended

/** Ids and times of a publish; whatever else is published, a build writes too, byte for byte. */
const OF_A_PUBLISH = /^(_index\.json|sitemap\.xml|([a-z]{2}\/)?(_feed\.json|feed\.xml))$/

/**
 * Without the skills, which a service has no place for, and with pictures by their addresses alone: the published sites
 * were recorded without files, so the sizes of theirs are unknown. A project gives its feeds ids of their own.
 */
function asPublished(text: string | undefined): string | undefined {
  return text
    ?.replace(/<img (src="[^"]*images\/[^"]*" alt="[^"]*")[^>]*>/g, '<img $1>')
    .replace(/<link rel="preload" as="image"[^>]*>\n/, '')
    .replace(/(<feed .*\n<title>.*\n)<id>.*<\/id>\n/, '$1')
    .replace(/\n## Agent skills\n\n(- .*\n)+/, '')
}

/** More pages than one thread is left alone with. */
const MANY = 400

async function manyPages(): Promise<string> {
  const place = await temporaryFolder()
  await mkdir(join(place, 'docs'))
  await writeFile(join(place, 'site.yaml'), 'name: Notes\nurl: https://notes.example\n')
  for (let n = 0; n < MANY; n += 1) {
    const [next, words] = [(n + 1) % MANY, `word${n} `.repeat(n % 40)]
    const text = `---\ntitle: Page ${n}\n---\n\n## Part\n\nTo [the next](page-${next}.md#part). ${words}\n`
    await writeFile(join(place, `docs/page-${n}.md`), text)
  }
  return place
}

/** Keys of files that are not the same, but for what they say of when they were built, and how often. */
async function differing(one: string, other: string): Promise<readonly string[]> {
  const [files, others] = [await readSiteFiles(one), await readSiteFiles(other)]
  const plain = (text = '') =>
    text.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'then').replace(/"revision":\d+/, '"revision":n')
  const keys = new Set([...files.keys(), ...others.keys()])
  return [...keys].filter((key) => plain(files.get(key)) !== plain(others.get(key)))
}

describe('a site with many files', () => {
  test('is rebuilt only as far as something changed', async () => {
    const place = await temporaryFolder()
    const out = join(place, 'out')
    const page = join(place, 'docs/page.md')
    for (const folder of ['docs', 'static']) await mkdir(join(place, folder))
    await writeFile(join(place, 'site.yaml'), 'name: Notes\nurl: https://notes.example\n')
    await writeFile(page, '---\ntitle: Page\n---\nOne.\n')
    for (let n = 0; n < 4_000; n += 1)
      await writeFile(join(place, 'static', `${'n'.repeat(230)}${n}.txt`), '')
    const build = async () => {
      const { code, out: said } = await quoin('build', place, '--out', out, '--json')
      const { pages, files } = JSON.parse(said)
      return { code, rendered: pages.rendered, written: files.written > 0 }
    }
    expect(await build()).toEqual({ code: 0, rendered: 1, written: true })
    // As much as has a thread look.
    expect((await stat(join(out, '.quoin/fingerprints.jsonl'))).size).toBeGreaterThan(1_000_000)
    expect(await build()).toEqual({ code: 0, rendered: 0, written: false })

    await writeFile(page, '---\ntitle: Page\n---\nAnother.\n')
    expect(await build()).toEqual({ code: 0, rendered: 1, written: true })
    expect(await readFile(join(out, 'docs/page/index.html'), 'utf8')).toContain('Another.')

    await rm(join(out, 'docs/page/index.html'))
    await build()
    expect(await readFile(join(out, 'docs/page/index.html'), 'utf8')).toContain('Another.')
    expect(await build()).toEqual({ code: 0, rendered: 0, written: false })
  })
})

describe('a site with many pages', () => {
  test('is the same after one cold build as after incremental builds, without leftover files', async () => {
    const place = await manyPages()
    const [whole, grown] = [join(place, 'whole'), join(place, 'grown')]
    expect(await quoin('build', place, '--out', whole)).toMatchObject({ code: 0, err: '' })
    expect(await readdir(join(whole, '.quoin'))).toEqual([
      'build.json',
      'digests.json',
      'fingerprints.jsonl',
      'shards',
    ])

    const page = join(place, 'docs/page-7.md')
    const text = await readFile(page, 'utf8')
    await writeFile(page, `${text}More of it.\n`)
    expect((await quoin('build', place, '--out', whole)).out).toContain('1 rendered')
    expect(await quoin('build', place, '--out', grown)).toMatchObject({ code: 0, err: '' })
    expect(await differing(whole, grown)).toEqual([])
    expect((await readSiteFiles(whole)).size).toBeGreaterThan(2 * MANY)
  })

  test('is the same if its output is checked while the build starts', async () => {
    const place = await manyPages()
    const [whole, fresh] = [join(place, 'whole'), join(place, 'fresh')]
    await quoin('build', place, '--out', whole)
    // Until the clock has moved on, times of files tell nothing.
    await setTimeout(2_100)
    expect((await quoin('build', place, '--out', whole)).out).toContain(' 0 rendered')
    const seen = join(whole, '.quoin/fingerprints.jsonl')
    const pad = async () => {
      const [head = '', ...others] = (await readFile(seen, 'utf8')).split('\n')
      const padded = JSON.stringify({ ...JSON.parse(head), more: 'x'.repeat(2_500_000) })
      await writeFile(seen, [padded, ...others].join('\n'))
    }
    await pad()
    expect((await quoin('build', place, '--out', whole)).out).toContain(' 0 rendered')
    expect((await stat(seen)).size).toBeGreaterThan(2_500_000)

    await writeFile(join(place, 'docs/page-7.md'), '---\ntitle: Page 7\n---\n\nOther words.\n')
    expect((await quoin('build', place, '--out', whole)).out).toContain(' 1 rendered')
    expect((await stat(seen)).size).toBeLessThan(2_500_000)
    await quoin('build', place, '--out', fresh)
    expect(await differing(whole, fresh)).toEqual([])

    // A shard that nobody needs does no harm; one that is needed leads to a build of everything.
    await setTimeout(2_100)
    await quoin('build', place, '--out', whole)
    await pad()
    const { feed } = JSON.parse(await readFile(join(whole, '.quoin/build.json'), 'utf8'))
    await writeFile(join(whole, '.quoin/shards', feed), '{')
    expect((await quoin('build', place, '--out', whole)).out).toContain(' 0 rendered')
    await writeFile(join(place, 'docs/page-7.md'), '---\ntitle: Page 7\n---\n\nMore words.\n')
    expect(await quoin('build', place, '--out', whole)).toMatchObject({
      code: 0,
      out: expect.stringContaining(
        `${feed} could not be read, as after a power cut or with another version: everything was built again.`,
      ),
    })
    await quoin('build', place, '--out', fresh)
    expect(await differing(whole, fresh)).toEqual([])
  })

  test('leaves no files if one page cannot be rendered', async () => {
    const place = await manyPages()
    await writeFile(join(place, 'docs/page-399.md'), `---\ntitle: Deep\n---\n\n${'> '.repeat(2_000)}deep\n`)
    const out = join(place, 'deep', 'dist')
    const { code, out: told } = await quoin('build', place, '--out', out)
    expect(code).toBe(1)
    expect(told).toContain('docs/page-399.md')
    expect(await readdir(place)).toEqual(['docs', 'site.yaml'])
  })
})

describe('quoin build', () => {
  test.each(['quoin', 'handbook', 'minimal', 'product', 'languages'] as const)(
    'writes the files that publishing the site %s stores',
    async (site) => {
      const out = join(await temporaryFolder(), 'dist')
      const published = readGolden(site, 'default')
      const { project_id: project } = JSON.parse(published.pages.get('_index.json') ?? '{}')
      const url = `https://cdn.example.com/${project}`
      const ended = await quoin('build', SAMPLE_SITES[site], '--out', out, '--url', url)
      expect(ended).toMatchObject({ code: 0, err: '' })
      expect(ended.out).toMatch(/pages?, \d+ rendered, 0 removed; \d+ files written/)

      const built = goldenSite(await readSiteFiles(out))
      const isOther = (key: string) =>
        /^(images\/|skills\/|\.well-known\/|_search|llms-full|\.nojekyll)/.test(key)
      const keys = [...built.pages.keys()].filter((key) => !isOther(key))
      expect(keys).toEqual([...published.pages.keys()].filter((key) => !isOther(key)))
      expect(new Map([...built.assets].sort())).toEqual(new Map([...published.assets].sort()))
      for (const key of keys)
        if (!OF_A_PUBLISH.test(key))
          expect(asPublished(built.pages.get(key)), key).toBe(asPublished(published.pages.get(key)))
    },
  )

  test('prints one JSON object for programs, and dead links by file and line for people', async () => {
    const place = await temporaryFolder()
    await writeFile(join(place, 'site.yaml'), 'name: Notes\n')
    await writeFile(join(place, 'a.md'), '---\ntitle: A\nslug: index\n---\nTo [B](/b).\n')
    const args = ['build', place, '--out', join(place, 'dist')]
    const { code, out } = await quoin(...args, '--json')
    expect(code).toBe(0)
    expect(JSON.parse(out)).toMatchObject({
      ok: true,
      has_url: false,
      pages: { total: 1, rendered: 1, removed: 0 },
      diagnostics: [
        {
          severity: 'warning',
          code: 'QN-DEADLINK',
          file: 'a.md',
          line: 5,
          column: null,
          field: null,
          message: 'The link "/b" is dead: no page is live at /b.',
        },
      ],
    })
    const strict = await quoin(...args, '--strict')
    expect(strict).toMatchObject({
      code: 1,
      err: `quoin: 1 warning with --strict. The site was written to ${join(place, 'dist')} nevertheless.\n`,
    })
    expect(strict.out).toContain(`${join(place, 'a.md')}:5: warning QN-DEADLINK The link "/b" is dead`)
    expect(strict.out).toContain('0 rendered')
  })

  test('reports each picture that is written into a text or a section, by file and line, with what to do', async () => {
    const place = await temporaryFolder()
    const [dot, photo] = [
      `data:image/gif;base64,${'R0lG'.repeat(8)}`,
      `data:image/png;base64,${'iVBO'.repeat(4_000)}`,
    ]
    await writeFile(join(place, 'site.yaml'), 'name: Notes\n')
    const text = [
      `![dot](${dot})`,
      `<img src="${photo}" alt="">`,
      '![again][dot]',
      `[dot]: ${dot}`,
      `[dot](${dot}) \`${dot}\``,
    ]
    await writeFile(join(place, 'a.md'), `---\ntitle: A\nslug: index\n---\n\n${text.join('\n\n')}\n`)
    await writeFile(
      join(place, 'b.yaml'),
      `title: B\nsections:\n  - type: hero\n    headline: Hello\n    image: ${photo}\n`,
    )
    const { out } = await quoin('build', place, '--out', join(place, 'dist'), '--strict', '--json')
    const { diagnostics, ok } = JSON.parse(out)
    expect(ok).toBe(false)
    expect(
      diagnostics.map(({ code, file, line, field }: Record<string, unknown>) => [code, file, line, field]),
    ).toEqual([
      ['QN-DATA-IMAGE', 'a.md', 6, null],
      ['QN-DATA-IMAGE', 'a.md', 8, null],
      ['QN-DATA-IMAGE', 'a.md', 12, null],
      ['QN-DATA-IMAGE', 'a.md', 14, null],
      ['QN-DATA-IMAGE', 'b.yaml', 5, 'sections[0].image.src'],
    ])
    expect(diagnostics[1].message).toBe(
      'The picture "data:image/png;base64,iVBOiVBOiVBOiVBOiV…" was dropped, because it is written into the page. Save it as a file and write the name of the file.',
    )
  })

  test.runIf(LONG_FORM)(
    'resolves links to files of the folder and reports those that lead to no file',
    async () => {
      const place = await temporaryFolder()
      await mkdir(join(place, 'docs'))
      await mkdir(join(place, 'static'))
      await writeFile(join(place, 'static/dot.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>')
      await writeFile(join(place, 'site.yaml'), 'name: Notes\nsite_routes:\n  docs: guide\n')
      const docs = [
        '---\ntitle: A\n---\n\n[one](../b.md#part) [two](/b.md) ![dot](../static/dot.svg) `[code](../b.md)`',
        '```\n[fence](../b.md)\n```\n[file](/dot.svg) [feed](/sitemap.xml) [away](https://example.com/b.md)\n',
        '![none](/none.png) [gone](gone.md)',
        '[place](../b.md#nowhere)',
      ]
      await writeFile(join(place, 'docs/a.md'), docs.join('\n\n'))
      await writeFile(join(place, 'b.md'), '---\ntitle: B\n---\n\n## Part\n\n[back](docs/a.md)\n')
      const sections =
        'title: Home\nsections:\n  - type: cta\n    title: Go\n    cta_text: Read\n    cta_url: docs/a.md\n'
      await writeFile(join(place, 'index.yaml'), sections)
      const out = join(place, 'dist')
      const ended = await quoin('build', place, '--out', out, '--json')
      expect(JSON.parse(ended.out).diagnostics).toMatchObject([
        {
          code: 'QN-DEADLINK',
          file: 'docs/a.md',
          line: 13,
          message: 'The image "/none.png" is dead: the site has no file /none.png.',
        },
        {
          code: 'QN-DEADLINK',
          file: 'docs/a.md',
          line: 13,
          message: 'The link "gone.md" is dead: no page of the site comes from this file.',
        },
        {
          code: 'QN-DEAD-ANCHOR',
          file: 'docs/a.md',
          line: 15,
          message: 'The link "/b#nowhere" is dead: /b has no anchor #nowhere.',
        },
      ])
      const made = await readSiteFiles(out)
      const page = made.get('guide/a/index.html') ?? ''
      for (const part of [
        'href="../../b/#part">one',
        'href="../../b/">two',
        'src="../../dot.svg"',
        '[code](../b.md)',
        '[fence](../b.md)',
      ])
        expect(page).toContain(part)
      expect(made.get('b/index.html')).toContain('href="../guide/a/">back')
      expect(made.get('index.html')).toContain('href="guide/a/"')
    },
  )

  test('reports removed HTML, unknown containers and syntax of other tools by line', async () => {
    const place = await temporaryFolder()
    await writeFile(join(place, 'site.yaml'), 'name: Notes\n')
    const lines = [
      'Press <kbd>Esc</kbd>, `<script>`. <!-- nothing -->',
      '<iframe src="https://example.com/v"><audio></audio></iframe>',
      '```\n<script>alert(1)</script>\n:::fenced\n```',
      '<Tabs><font color="red">Words</font></Tabs>',
      ':::warn\nA\n:::',
      ':::tip{title="B"}\nB\n:::',
      '> :::note\n> C',
      '<script>\nlet x\n</script>',
      '<details>One</details> and a List<String> of <Details>:',
      'The <details> element, and <b and="c"> too.',
      '`{{ a }}` {{ b }} {{ c }}',
      '!!! note',
    ]
    await writeFile(join(place, 'a.md'), `---\ntitle: A\n---\n\n${lines.join('\n\n')}\n`)
    const { code, out } = await quoin('build', place, '--out', join(place, 'dist'))
    expect(code).toBe(0)
    const warnings = out.split('\n').filter((line) => line.includes('a.md:'))
    expect(warnings.map((line) => line.replace(`${place}/`, ''))).toEqual([
      'a.md:7: warning QN-DROPPED-HTML The HTML element <iframe> was removed with its content.',
      'a.md:14: warning QN-FOREIGN-SYNTAX "<Tabs" looks like MDX: pages contain no components and no code. `quoin convert` maps those of known generators.',
      'a.md:14: warning QN-DROPPED-HTML The HTML element <tabs> was removed; its content was kept.',
      'a.md:14: warning QN-DROPPED-HTML The HTML element <font> was removed; its content was kept.',
      'a.md:16: warning QN-BAD-CONTAINER The container ":::warn" stays text: no container has this name. Is it warning?',
      'a.md:20: warning QN-BAD-CONTAINER The container ":::tip{title=\\"B\\"}" stays text: a space must precede its title, ":::tip Title".',
      'a.md:24: warning QN-BAD-CONTAINER The container ":::note" stays text: no line with as many colons closes it.',
      'a.md:27: warning QN-DROPPED-HTML The HTML element <script> was removed with its content.',
      'a.md:31: warning QN-DROPPED-HTML The HTML element <string> was removed; its content was kept.',
      'a.md:31: warning QN-UNCLOSED-HTML The HTML element <details> is never closed, so it contains the rest of the page. To show the tag as text, write `<details>` in backticks.',
      'a.md:33: warning QN-DROPPED-HTML The attribute and of <b> was removed.',
      'a.md:33: warning QN-UNCLOSED-HTML The HTML element <details> is never closed, so it contains the rest of the page. To show the tag as text, write `<details>` in backticks.',
      'a.md:33: warning QN-UNCLOSED-HTML The HTML element <b> is never closed, so it contains the rest of the page. To show the tag as text, write `<b>` in backticks.',
      'a.md:35: warning QN-FOREIGN-SYNTAX "{{ b }}" looks like a template tag: no template language runs in pages. Write its result.',
      'a.md:37: warning QN-FOREIGN-SYNTAX "!!! note" looks like an admonition of MkDocs: write a container, `:::note` or `:::details`.',
    ])
    const page = await readFile(join(place, 'dist/a/index.html'), 'utf8')
    expect(page).toContain('Words')
    expect(page).toContain(':::warn')
  })

  test('--json prints one object that says whether the build succeeded', async () => {
    const place = await temporaryFolder()
    const args = ['build', place, '--out', join(place, 'dist'), '--strict', '--json']
    await writeFile(join(place, 'site.yaml'), 'name: Notes\nlogo: /logo.png\n')
    await writeFile(join(place, 'index.md'), '---\ntitle: A\n---\n')
    const strict = await quoin(...args)
    expect([strict.code, JSON.parse(strict.out)]).toMatchObject([
      1,
      {
        ok: false,
        error: expect.stringContaining('1 warning'),
        diagnostics: [{ file: 'site.yaml', line: 2 }],
      },
    ])
    await writeFile(join(place, 'site.yaml'), 'name: Notes\nlogo: 5\n')
    const faulty = await quoin(...args)
    expect([faulty.code, JSON.parse(faulty.out)]).toMatchObject([
      1,
      {
        ok: false,
        error: '1 error; nothing was built.',
        diagnostics: [{ code: 'QN-BAD-VALUE', field: 'logo' }],
      },
    ])
    await writeFile(join(place, 'site.yaml'), 'name: Notes\n')
    const good = await quoin(...args)
    expect([good.code, JSON.parse(good.out)]).toMatchObject([0, { ok: true }])
  })

  test('reports a missing site.yaml in one line and names the generator of the folder', async () => {
    const hugo = await temporaryFolder()
    await writeFile(join(hugo, 'hugo.toml'), 'title = "Notes"\n')
    await writeFile(join(hugo, 'a.md'), '+++\ntitle = "A"\n+++\n')
    const { code, out } = await quoin('build', hugo, '--out', join(hugo, 'dist'))
    expect([code, out]).toEqual([
      1,
      `${hugo}/site.yaml: error QN-NO-SITE-FILE A content folder needs this file. It holds the name of the site. The folder looks like a Hugo site: quoin convert turns it into a content folder.\n`,
    ])
  })

  test('explains front matter that other generators accept', async () => {
    const place = await temporaryFolder()
    await writeFile(join(place, 'site.yaml'), 'name: Notes\n')
    await writeFile(join(place, 'a.md'), '---\ntitle: Bad: one\n---\n')
    await writeFile(join(place, 'c.md'), '+++\ntitle = "C"\n+++\n')
    await writeFile(join(place, 'd.md'), '---\ntitle: D\n\nText.\n')
    const { out } = await quoin('build', place, '--out', join(place, 'dist'))
    const errors = out.trimEnd().split('\n')
    expect(errors.map((line) => line.replace(`${place}/`, ''))).toEqual([
      'a.md:2:8: error QN-BAD-YAML Put a value that contains ": " in quotes.',
      'c.md:1:1: error QN-NO-FRONT-MATTER Front matter in TOML (+++) is not supported. Write YAML between two lines of "---".',
      'd.md:1:1: error QN-NO-FRONT-MATTER The front matter does not end. Close it with a line of "---".',
    ])
  })

  test.runIf(LONG_FORM)('--data-mode encrypts the output, and decrypt opens it', async () => {
    const place = await temporaryFolder()
    const out = join(place, 'dist')
    const keyFile = join(place, '.key')
    const key = Buffer.alloc(32, 9).toString('base64')
    await writeFile(keyFile, `${key}\n`)
    await writeFile(join(place, 'site.yaml'), 'name: Notes\nurl: https://notes.example\n')
    await writeFile(join(place, 'a.md'), '---\ntitle: A\n---\nSecret.\n')
    const built = await quoin('build', place, '--out', out, '--data-mode', '--key-file', keyFile)
    expect(built).toMatchObject({ code: 0, err: '' })
    expect([...(await readSiteFiles(out)).keys()]).toEqual([
      '.nojekyll',
      '_index.json',
      '_nav/_.json',
      'a.json',
    ])
    const opened = await startCommand(['decrypt', out], { QUOIN_CONTENT_KEY: key }).ended
    expect(JSON.parse(opened.out)).toMatchObject({ title: 'A', markdown_content: 'Secret.\n' })
    expect(await quoin('deploy', out, '--to', join(place, 'www'))).toMatchObject({ code: 0 })
  })

  test('derives the pictures of a page, and ends when it is done', async () => {
    const place = await temporaryFolder()
    await writeFiles(place, {
      'site.yaml': 'name: Notes\nurl: https://notes.example\n',
      'index.md': '# Home\n\n![Tram](tram.png)\n',
    })
    const grey = { create: { width: 900, height: 600, channels: 3, background: '#777' } } as const
    await sharp(grey).png().toFile(join(place, 'tram.png'))
    const out = join(place, 'dist')
    const built = await quoin('build', place, '--out', out)
    expect(built).toMatchObject({ code: 0, err: '', out: expect.stringContaining('1 page, 1 rendered') })
    expect([...(await readSiteFiles(out)).keys()]).toContain('tram.png')
  })

  test('reports errors and builds nothing', async () => {
    const place = await temporaryFolder()
    await mkdir(join(place, 'docs'))
    await writeFile(join(place, 'site.yaml'), 'name: Notes\n')
    await writeFile(join(place, 'docs/a.md'), '---\ntitle: A\nnav_order: soon\n---\n')
    const out = join(place, 'dist')
    expect(await quoin('build', place, '--out', out)).toEqual({
      code: 1,
      out: `${place}/docs/a.md:3:1: error QN-BAD-VALUE nav_order must be a number.\n`,
      err: 'quoin: 1 error; nothing was built.\n',
    })
    expect(await readSiteFiles(out)).toEqual(new Map())
  })

  test('--ignore hides warnings by their codes, also from --strict', async () => {
    const place = await temporaryFolder()
    await writeFile(join(place, 'site.yaml'), 'name: Notes\nurl: https://notes.example\n')
    await writeFile(join(place, 'index.md'), '---\ntitle: A\n---\n\n[B](/b) [here](#there)\n')
    const args = ['build', place, '--out', join(place, 'dist'), '--strict', '--quiet']
    const one = await quoin(...args, '--ignore', 'qn-deadlink')
    expect([one.code, one.out]).toEqual([
      1,
      `${place}/index.md:5: warning QN-DEAD-ANCHOR The link "#there" is dead: / has no anchor #there.\n`,
    ])
    const both = ['--ignore', 'QN-DEADLINK,QN-DEAD-ANCHOR']
    expect(await quoin(...args, ...both)).toEqual({ code: 0, out: '', err: '' })
    const repeated = ['--ignore', 'QN-DEADLINK', '--ignore', 'QN-DEAD-ANCHOR']
    expect(await quoin(...args, ...repeated)).toEqual({ code: 0, out: '', err: '' })
  })

  test('--format github prints annotations with escaped texts', async () => {
    const place = await temporaryFolder()
    await mkdir(join(place, 'a,b'))
    await writeFile(join(place, 'site.yaml'), 'name: Notes\n')
    await writeFile(join(place, 'a,b/a.md'), '---\ntitle: A\nslug: a\nsubroute: b\nmeta: { "50%": 1 }\n---\n')
    const { code, out } = await quoin('build', place, '--out', join(place, 'dist'), '--format', 'github')
    expect([code, out]).toEqual([
      1,
      `::error file=${place}/a%2Cb/a.md,line=5,col=9,title=QN-UNKNOWN-FIELD::Unknown field "meta.50%25".\n`,
    ])
  })

  test('--format json is --json, also for errors of usage', async () => {
    const place = await temporaryFolder()
    await writeFile(join(place, 'site.yaml'), 'name: Notes\n')
    const built = await quoin('build', place, '--out', join(place, 'dist'), '--format', 'json')
    expect(JSON.parse(built.out)).toMatchObject({ ok: true, diagnostics: [] })
    const refused = await quoin('build', place, '--url', 'ftp://x', '--format=json')
    expect(JSON.parse(refused.out)).toMatchObject({ ok: false, error: expect.stringContaining('--url') })
  })

  test.each([
    ['/proc/nope', 'the folder cannot be created there'],
    [join(fixtures, '../package.json'), 'a file has its name, or that of a folder above it'],
    [join(fixtures, '../package.json/dist'), 'a file has its name, or that of a folder above it'],
  ])('fails in one line if --out %s cannot be written', async (out, reason) => {
    expect(await quoin('build', SAMPLE_SITES.minimal, '--out', out)).toEqual({
      code: 1,
      out: '',
      err: `quoin: The storage folder ${out} cannot be used: ${reason}.\n`,
    })
  })

  test.each(
    some(
      [
        [['build', '/no/such/folder'], /folder \/no\/such\/folder does not exist/],
        [['build', '.', '--url', 'ftp://x'], /--url: must be an http or https URL/],
        [
          ['build', '.', '--data-mode'],
          /QUOIN_CONTENT_KEY: set it to the content key.* openssl rand -base64 32/,
        ],
        [
          ['build', '.', '--data-mode', '--key-file', 'package.json'],
          /QUOIN_CONTENT_KEY: must be 32 bytes in base64/,
        ],
        [['build', '.', '--out', '.'], /--out: must not be the content folder/],
        [
          ['build', 'docs', '--out', 'dist'],
          /--out: \S+\/dist holds the program itself\. .*--out docs\/dist\./,
        ],
        [['build'], /This folder is the program itself\. Name the folder of a site, .*quoin init\./],
        [
          ['build', '.', '--ignore', 'QN-DEADLINKS'],
          /--ignore: there is no code QN-DEADLINKS\. .*QN-DEADLINK\?/,
        ],
        [['build', '.', '--ignore', 'QN-BAD-YAML'], /--ignore: QN-BAD-YAML is an error\. Only warnings/],
        [['build', '.', '--format', 'xml'], /Allowed choices are text, json, github/],
      ],
      3,
    ),
  )('%j exits 2 with a clear line', async (args, line) => {
    const { code, err } = await quoin(...args)
    expect(code).toBe(2)
    expect(err).toMatch(line)
    expect(err.trim().split('\n')).toHaveLength(1)
  })
})

test('an error in a theme and errors of pages are reported at once', async () => {
  const place = await temporaryFolder()
  await writeFiles(place, {
    'site.yaml': 'name: Notes\ntheme: mine\n',
    'a.md': '---\ntitle: [\n---\n',
    'themes/mine/theme.json': '{ "extends": "default" }',
    'themes/mine/partials/toc.eta': '\n<%= ( %>',
  })
  const { code, out } = await quoin('build', place, '--out', join(place, 'out'), '--trust')
  expect(code).toBe(1)
  expect(out).toMatch(/themes\/mine\/partials\/toc\.eta:2.* QN-BAD-TEMPLATE /)
  expect(out).toMatch(/\/a\.md:2.* QN-BAD-YAML /)
})

test('quoin build leaves articles of the future out, and --future builds them', async () => {
  const place = await temporaryFolder()
  await writeFiles(place, {
    'site.yaml': 'name: Notes\n',
    'index.md': '---\ntitle: Home\n---\nText.\n',
    'blog/later.md': '---\ntitle: Later\ntype: article\ndate: 2099-01-01\n---\nText.\n',
  })
  const page = join(place, 'out/blog/later/index.html')
  const held = await quoin('build', place, '--out', join(place, 'out'))
  expect(held).toMatchObject({ code: 0, out: expect.stringContaining('blog/later.md') })
  await expect(stat(page)).rejects.toThrow('ENOENT')
  expect(await quoin('build', place, '--out', join(place, 'out'), '--future')).toMatchObject({ code: 0 })
  expect(await readFile(page, 'utf8')).toContain('Later')
})
