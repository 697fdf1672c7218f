import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readSite } from '../../src/content-folder/read-site.ts'
import { GENERATORS, type GeneratorName } from '../../src/convert/conversion.ts'
import { convertSite, detectGenerator } from '../../src/convert/convert-site.ts'
import { readObjectLiteral } from '../../src/convert/object-literal.ts'
import { readSourceDate } from '../../src/convert/source-date.ts'
import { listSourceFiles } from '../../src/convert/source-files.ts'
import { vitepressConfig } from '../../src/convert/vitepress-config.ts'
import { mapProse } from '../../src/page-text/map-prose.ts'
import { PACKAGE_ROOT } from '../../src/platform/package-paths.ts'
import { filesBeneath } from '../site-build/files-beneath.ts'
import { startCommand } from '../support/command.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const fixtures = join(PACKAGE_ROOT, 'fixtures/convert')
const REWRITES = process.env['QUOIN_REWRITE'] === 'golden'

/** The whole conversion of a fixture, copied files included, and what it lost. */
async function converted(name: GeneratorName): Promise<Map<string, string>> {
  const folder = join(fixtures, name, 'from')
  const files = listSourceFiles(folder)
  const generator = detectGenerator(files, null)
  expect(generator?.name).toBe(name)
  if (generator === null) throw new Error('It is not known.')
  const { texts, copies, losses } = convertSite(files, generator, name)
  const all = new Map([...texts].map(([path, text]) => [`to/${path}`, text]))
  for (const [path, from] of copies) all.set(`to/${path}`, await readFile(join(folder, from), 'utf8'))
  const lines = losses.map(({ file, line, what }) => `${file}${line === null ? '' : `:${line}`}: ${what}\n`)
  return all.set('losses.txt', lines.join(''))
}

test.each(GENERATORS)('a site of %s becomes a content folder, and what is lost is told', async (name) => {
  const made = await converted(name)
  const root = join(fixtures, name)
  if (REWRITES) {
    await rm(join(root, 'to'), { recursive: true, force: true })
    for (const [path, text] of made) {
      await mkdir(dirname(join(root, path)), { recursive: true })
      await writeFile(join(root, path), text)
    }
  }
  const lying = [...(await filesBeneath(root))].filter(([path]) => !path.startsWith('from/'))
  const wanted = new Map(lying.map(([path, body]) => [path, body]))
  expect(Object.fromEntries(made)).toEqual(Object.fromEntries(wanted))

  const { site, faults } = await readSite(join(root, 'to'))
  expect(faults).toEqual([])
  expect(site.pages.length).toBeGreaterThan(1)
})

test('what is too long, too large or in the place of another is told, not lost in silence', async () => {
  const folder = await temporaryFolder()
  const write = async (path: string, text: string) => {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
  await write('_config.yml', 'title: A\n')
  await write('long.md', `---\ntitle: ${'t'.repeat(201)}\ndescription: ${'d'.repeat(501)}\nnext: /b\n---\n`)
  await write('large.md', 'x'.repeat(5 * 1024 * 1024 + 1))
  await write('a-b.md', '# One\n')
  await write('a_b.md', '# Other\n')
  const files = listSourceFiles(folder)
  const generator = detectGenerator(files, null)
  if (generator === null) throw new Error('It is not known.')
  const { texts, losses } = convertSite(files, generator, 'x')
  expect([...texts.keys()].sort()).toEqual(['a-b.md', 'long.md', 'site.yaml'])
  expect(losses.map(({ file, what }) => `${file}: ${what}`)).toEqual([
    'a_b.md: Another page has the address /a-b already.',
    'large.md: It is larger than 5 MiB.',
    'long.md: next: a page after it that does not follow from the order',
    'long.md: title: what is beyond 200 characters',
    'long.md: description: what is beyond 500 characters',
  ])
})

describe('a date', () => {
  test.each([
    ['2023-04-05 12:30:00 +0100', '2023-04-05T11:30:00.000Z'],
    ['2023-04-05 12:30:00 +01:00', '2023-04-05T11:30:00.000Z'],
    ['2023-04-05 12:30 UTC', '2023-04-05T12:30:00.000Z'],
    ['2023-4-5', '2023-04-05T00:00:00.000Z'],
    ['2023/04/05 9:30', '2023-04-05T09:30:00.000Z'],
    ['2023-04-05T12:30:00.123456Z', '2023-04-05T12:30:00.000Z'],
    ['May 1, 2024', '2024-05-01T00:00:00.000Z'],
    ['1 September 2024', '2024-09-01T00:00:00.000Z'],
    ['Wed, 01 May 2024 10:00:00 +0200', '2024-05-01T08:00:00.000Z'],
    ['2024-05-01 10:00:00 -0700 MST', '2024-05-01T17:00:00.000Z'],
    ['2024-05-01 10:00 +02', '2024-05-01T08:00:00.000Z'],
    ['May 1, 2024 3:04 PM', '2024-05-01T15:04:00.000Z'],
    ['May 1, 2024 12:04am', '2024-05-01T00:04:00.000Z'],
    ['2024-05-01 13:04 PM', '2024-05-01T13:04:00.000Z'],
    ['2024-05-01 10:00:00 CET', null],
    ['2023-02-30', null],
    ['Smarch 1, 2024', null],
    ['yesterday', null],
    ['', null],
    [20230405, null],
  ])('%j is read as people mean it', (written, read) => expect(readSourceDate(written)).toBe(read))

  test('that cannot be read is told, and the name of the file has another', async () => {
    const folder = await temporaryFolder()
    await mkdir(join(folder, '_posts'))
    await writeFile(join(folder, '_config.yml'), 'title: A\n')
    await writeFile(join(folder, '_posts/2023-04-05-a.md'), '---\ndate: soon\nupdated: never\n---\nA\n')
    await writeFile(join(folder, 'b.md'), '---\ndate: 2023-04-05\nupdated: 2023-4-6\n---\nB\n')
    const files = listSourceFiles(folder)
    const { texts, losses } = convertSite(files, detectGenerator(files, null) ?? expect.unreachable(), 'x')
    expect(texts.get('blog/a.md')).toContain('publish_date: 2023-04-05T00:00:00.000Z\n')
    expect(texts.get('b.md')).toContain('last_updated: 2023-04-06T00:00:00.000Z\n')
    expect(losses.map(({ file, what }) => `${file}: ${what}`)).toEqual(
      expect.arrayContaining([
        '_posts/2023-04-05-a.md: date: "soon" is no date that can be read',
        '_posts/2023-04-05-a.md: updated: "never" is no date that can be read',
        'b.md: date: only articles have a date, and docs pages one of their last edit',
      ]),
    )
  })

  test.each([
    ['date: 20230405', 'date: 20230405 is no date that can be read'],
    ['date: [soon]', 'date: ["soon"] is no date that can be read'],
    ['last_updated: soon', 'last_updated: "soon" is no date that can be read'],
  ])('that is none at all is told, too: %j', async (fields, what) => {
    const { texts, losses } = await convertedTexts('hugo', {
      'content/posts/a.md': `---\n${fields}\n---\nA\n`,
    })
    expect(texts.get('posts/a.md')).not.toContain('config')
    expect(losses).toEqual([{ file: 'content/posts/a.md', line: 1, what }])
  })

  test('that is switched on or off for VitePress is no loss', async () => {
    const { losses } = await convertedTexts('vitepress', { 'a.md': '---\nlastUpdated: false\n---\nA\n' })
    expect(losses).toEqual([])
  })

  test.each(['last_updated', 'last_modified', 'modified', 'lastmod'])(
    'of the last edit may be called %s',
    async (name) => {
      const { texts } = await convertedTexts('markdown', {
        'a.md': `---\n${name}: 2024-03-01 08:00\n---\nA\n`,
      })
      expect(texts.get('a.md')).toContain('last_updated: 2024-03-01T08:00:00.000Z\n')
      expect(texts.get('a.md')).not.toContain('config')
    },
  )

  test('in the name of a post may be without leading zeros', async () => {
    const { texts } = await convertedTexts('jekyll', {
      '_config.yml': 'title: A\n',
      '_posts/2023-4-5-a.md': 'A\n',
      'b.md': '[a](/2023/04/05/a.html)\n',
    })
    expect(texts.get('blog/a.md')).toContain('publish_date: 2023-04-05T00:00:00.000Z\n')
    expect(texts.get('blog/a.md')).toContain('  - /2023/04/05/a.html\n')
    expect(texts.get('b.md')).toContain('[a](/blog/a)')
  })
})

/** A site of a generator, by the texts of its files, as what it becomes. */
async function convertedTexts(name: GeneratorName, texts: Readonly<Record<string, string>>) {
  const folder = await temporaryFolder()
  for (const [path, text] of Object.entries(texts)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
  const files = listSourceFiles(folder)
  return convertSite(files, detectGenerator(files, name) ?? expect.unreachable(), 'x')
}

describe('what is to be read as it is written', () => {
  test.each([
    [
      'jekyll',
      'a.md',
      '{% raw %}{{ keep.me }}{% endraw %}, not {{ me }}.\n\n`{% raw %}{% x %}{% endraw %}`\n\n{% raw %}\n```\n{{ kept }}\n```\n{% endraw %}\n',
      '{{ keep.me }}, not .\n\n`{% x %}`\n\n\n```\n{{ kept }}\n```\n',
    ],
    [
      'hugo',
      'content/a.md',
      'Use {{</* figure src="x" */>}} and `{{%/* x */%}}`.\n\n```\n{{</* /x */>}}\n```\n',
      'Use {{< figure src="x" >}} and `{{% x %}}`.\n\n```\n{{< /x >}}\n```\n',
    ],
    [
      'jekyll',
      'a.md',
      '{% raw %}{{{% endraw %} x {% raw %}}}{% endraw %}, not {{ me }}.\r\n\r\nB\r\n',
      '{{ x }}, not .\n\nB\n',
    ],
    ['vitepress', 'a.md', 'A\n\n::: v-pre\n{{ raw }}\n:::\n\nB\n', 'A\n\n\n{{ raw }}\n\n\nB\n'],
    ['vitepress', 'a.md', 'A\r\n\r\n::: v-pre\r\n{{ raw }}\r\n:::\r\n', 'A\n\n\n{{ raw }}\n'],
    [
      'vitepress',
      'a.md',
      '```md\n::: v-pre\n{{ x }}\n:::\n```\n\n`<b v-pre>{{ a }}</b>`\n\n::: v-pre\n{{ y }}\n```\n{{ z }}\n```\n:::\n',
      '```md\n::: v-pre\n{{ x }}\n:::\n```\n\n`<b v-pre>{{ a }}</b>`\n\n\n{{ y }}\n```\n{{ z }}\n```\n',
    ],
    [
      'vitepress',
      'a.md',
      'A <b v-pre>{{ x }}</b>.\n\n<div class="c" v-pre>\n\n{{ y }}\n\n</div>\n',
      'A <b>{{ x }}</b>.\n\n<div class="c">\n\n{{ y }}\n\n</div>\n',
    ],
    [
      'eleventy',
      'a.md',
      '{% verbatim %}{{ x }}{% endverbatim %}{% raw %}{{ y }}{% endraw %}',
      '{{ x }}{{ y }}',
    ],
  ] as const)('stays on a page of %s, without its marks', async (name, path, written, read) => {
    const { texts, losses } = await convertedTexts(name, { [path]: written })
    expect(texts.get('a.md')).toContain(read.trim())
    const lost = losses.filter(({ file }) => file === path).map(({ what }) => what)
    expect(lost).toEqual(name === 'jekyll' ? ['{{ me }}: left out'] : [])
  })
})

test.each([
  [
    '{{< highlight python "linenos=table,hl_lines=2 4-5" >}}\na\n{{< /highlight >}}',
    'python showLineNumbers {2,4-5}',
  ],
  ['```go {linenos=true hl_lines=[2,"4-5"]}\na\n```', 'go showLineNumbers {2,4-5}'],
  ['```go {hl_lines=[3],title="a.go",linenos=false}\na\n```', 'go title="a.go" {3}'],
  ['```go {lineNos=inline hl_Lines=["2-3",5]}\na\n```', 'go showLineNumbers {2-3,5}'],
  ['```go {filename="a.go"}\na\n```', 'go title="a.go"'],
  ['``` {linenos=true}\na\n```', 'text showLineNumbers'],
])('of code its numbers and marked lines stay: %j', async (written, info) => {
  const { texts } = await convertedTexts('hugo', { 'content/a.md': `${written}\n` })
  expect(texts.get('a.md')).toContain(`\`\`\`${info}\na\n\`\`\`\n`)
})

test.each([
  [
    'in a list',
    '- a\n\n  {{< highlight go >}}\n  b\n  {{< /highlight >}}\n- c',
    '- a\n\n  ```go\n  b\n  ```\n- c',
  ],
  ['after a mark', '- {{< highlight go >}}b{{< /highlight >}}\n- c', '- ```go\n  b\n  ```\n- c'],
  ['in a quote', '> ```go {linenos=true}\n> b\n> ```', '> ```go showLineNumbers\n> b\n> ```'],
  [
    'in a quote, between tags,',
    '> {{< highlight html >}}\n> <br>\n> {{< /highlight >}}',
    '> ```html\n> <br>\n> ```',
  ],
  ['that ends with its tag', '{{< highlight html >}}<br>{{< /highlight >}}', '```html\n<br>\n```'],
  ['in a sentence', 'a {{< highlight go >}}b{{< /highlight >}} c', 'a \n```go\nb\n```\n c'],
  ['in a line', 'a {{< highlight go "hl_inline=true" >}}b{{< /highlight >}} c', 'a `b` c'],
  ['around code', '{{< highlight md >}}\n```go\nb\n```\n{{< /highlight >}}', '````md\n```go\nb\n```\n````'],
  [
    'around code with options',
    '````md\n```go {linenos=true}\nb\n```\n````',
    '````md\n```go {linenos=true}\nb\n```\n````',
  ],
])('code %s is a block to its own end', async (_, written, read) => {
  const { texts, losses } = await convertedTexts('hugo', { 'content/a.md': `${written}\n` })
  expect(texts.get('a.md')).toBe(`---\ntitle: A\n---\n${read}\n`)
  expect(losses).toEqual([])
})

test('code of Jekyll may be in a language of any name', async () => {
  const { texts } = await convertedTexts('jekyll', {
    'a.md': '{% highlight c++ linenos mark_lines="1 2" %}\na\n{% endhighlight %}\n',
  })
  expect(texts.get('a.md')).toContain('```c++ showLineNumbers {1,2}\na\n```\n')
})

test('numbers of code that begin elsewhere are told', async () => {
  const { losses } = await convertedTexts('hugo', {
    'content/a.md':
      'A\n\n```go {linenos=true,linenostart=9}\na\n```\n\n{{< highlight go "linenos=table,linenostart=3" >}}\na\n{{< /highlight >}}\n\n```go {linenos=true,linenostart=1}\na\n```\n',
  })
  expect(losses).toEqual([
    { file: 'content/a.md', line: 3, what: 'linenostart=9: lines are numbered from 1' },
    { file: 'content/a.md', line: 7, what: 'linenostart=3: lines are numbered from 1' },
  ])
})

test.each([
  ['', '', '/2023/04/06/p1.html'],
  ['permalink: pretty', '', '/2023/04/06/p1'],
  ['permalink: pretty', 'categories: Big News', '/big/news/2023/04/06/p1'],
  ['permalink: ordinal', '', '/2023/096/p1.html'],
  ['permalink: /:categories/:title', 'category: Big\ncategories: [Old, old]', '/old/big/p1'],
  ['permalink: /:slugified_categories/:title', 'categories: [Big News]', '/big-news/p1'],
  ['permalink: /:year/:i_month/:title', 'date: 2024-5-06 10:00:00 +0100', '/2024/5/p1'],
  ['permalink: none', 'permalink: /x/:title/', '/x/p1'],
  ['', 'permalink: /:categories/:short_year/:title.html\ncategory: News', '/news/23/p1.html'],
  ['collections: { posts: { permalink: "/b/:title:output_ext" } }', '', '/b/p1.html'],
])('a post of Jekyll is found where a pattern had it: %j, %j', async (config, fields, address) => {
  const { texts, losses } = await convertedTexts('jekyll', {
    '_config.yml': `title: A\n${config}\n`,
    '_posts/2023-04-06-p1.md': `---\ntitle: One\n${fields}\n---\nA\n`,
    'b.md': `[one](${address})\n`,
  })
  expect(texts.get('blog/p1.md')).toContain(`redirect_from:\n  - ${address}\n`)
  expect(texts.get('b.md')).toContain('[one](/blog/p1)')
  expect(losses.filter(({ what }) => !/^categor(y|ies): nothing/.test(what))).toEqual([])
})

test.each([
  [
    'permalink: weekdate',
    '',
    '_config.yml: permalink: posts lie beneath /blog, and nothing leads there from where a pattern of this kind had them',
  ],
  [
    '',
    'permalink: /:unknown/:title/',
    '_posts/2023-04-06-p1.md: permalink: the page is at /blog/p1, and nothing leads there from where this pattern had it',
  ],
  ['', 'permalink: /blog/my-own/', null],
])('a pattern that is not known is told where it stands: %j, %j', async (config, fields, what) => {
  const { losses } = await convertedTexts('jekyll', {
    '_config.yml': `title: A\n${config}\n`,
    '_posts/2023-04-06-p1.md': `---\ntitle: One\n${fields}\n---\nA\n`,
  })
  expect(losses.map((loss) => `${loss.file}: ${loss.what}`)).toEqual(what === null ? [] : [what])
})

test.each([
  '{{ site.baseurl }}/2023/04/06/p1.html',
  '{{ site.url }}{{ site.baseurl }}/2023/04/06/p1.html',
  '{{ "/2023/04/06/p1.html" | prepend: site.baseurl | prepend: site.url }}',
  '{{ site.baseurl }}{% post_url 2023-04-06-p1 %}',
])('a link of Jekyll follows what it leads to, however it is made: %s', async (link) => {
  const { texts, losses } = await convertedTexts('jekyll', {
    '_config.yml': 'title: A\n',
    '_posts/2023-04-06-p1.md': '---\ntitle: One\n---\nA\n',
    'b.md': `[one](${link}#x) <a href="${link.replaceAll('"', "'")}">two</a>\n`,
  })
  expect(texts.get('b.md')).toContain('[one](/blog/p1#x) <a href="/blog/p1">two</a>')
  expect(losses).toEqual([])
})

test.each([
  ['image: /assets/a.svg', 'og_image_url: /assets/a.svg\n'],
  ['image: { path: assets/a.svg, alt: A }', 'og_image_url: /assets/a.svg\n'],
  ['images: [https://example.com/a.png]', 'og_image_url: https://example.com/a.png\n'],
  ['cover: { image: /assets/a.svg }', 'og_image_url: /assets/a.svg\n'],
  ['image: a.svg', 'og_image_url: /a.svg\n'],
])('the picture of a page is carried over: %j', async (fields, written) => {
  const { texts, losses } = await convertedTexts('jekyll', {
    '_config.yml': 'title: A\n',
    'assets/a.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
    'a.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
    'c/b.md': `---\ntitle: B\n${fields}\n---\nB\n`,
  })
  expect(texts.get('c/b.md')).toContain(written)
  expect(texts.get('c/b.md')).not.toContain('config')
  expect(losses).toEqual([])
})

test('the words for a picture stay where it is shown, on an article', async () => {
  const fields = 'title: B\ncover: { image: /a.svg, alt: A lamp }'
  const { texts, losses } = await convertedTexts('hugo', {
    'content/posts/b.md': `---\n${fields}\n---\nB\n`,
    'content/docs/b.md': `---\n${fields}\n---\nB\n`,
    'static/a.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
  })
  expect(texts.get('posts/b.md')).toContain('config:\n  image:\n    src: /a.svg\n    alt: A lamp\n')
  expect(texts.get('docs/b.md')).not.toContain('config')
  expect(losses).toEqual([])
})

test('what nothing shows is told once of each kind', async () => {
  const { texts, losses } = await convertedTexts('hugo', {
    'content/a.md': '---\ntags: [x]\nedit_url: /a\n---\nA\n',
    'content/b.md': '---\ntags: [y]\nmath: true\n---\nB\n',
    'content/c.md': '---\ntags: y\n---\nC\n',
  })
  expect(texts.get('b.md')).toContain('config:\n  tags:\n    - y\n  math: true\n')
  expect(losses).toEqual([
    {
      file: 'content/a.md',
      line: 1,
      what: 'tags: nothing shows it; it stayed in config, as in 2 other files',
    },
    { file: 'content/b.md', line: 1, what: 'math: nothing shows it; it stayed in config' },
  ])
})

test.each([
  ['image: my photo.png', 'image: it leads to no picture'],
  ['images: [/a.png, /b.png]', 'images: a page has one; the others are left out'],
  ['image: /a.png\nthumbnail: /b.png', 'thumbnail: a page has one picture, which image names'],
])('a picture that a page cannot have is told: %j', async (fields, what) => {
  const { losses } = await convertedTexts('hugo', { 'content/b.md': `---\n${fields}\n---\nB\n` })
  expect(losses).toEqual([{ file: 'content/b.md', line: 1, what }])
})

describe('quoin convert', () => {
  const quoin = (...args: string[]) => startCommand(args).ended

  test('makes a folder that builds without a dead link', async () => {
    const out = join(await temporaryFolder(), 'new')
    const { code, out: said } = await quoin('convert', join(fixtures, 'jekyll/from'), '--out', out)
    expect(code).toBe(0)
    expect(said).toContain('_posts/2026-01-02-first-light.md:13: {% include note.html %}')
    const built = await quoin('build', out, '--out', join(out, 'dist'), '--json', '--strict')
    expect([built.code, built.err]).toEqual([0, ''])
  })

  test('tells machines what it did, and replaces nothing', async () => {
    const out = join(await temporaryFolder(), 'new')
    const from = join(fixtures, 'hugo/from')
    const { out: said } = await quoin('convert', from, '--out', out, '--from', 'hugo', '--json')
    expect(JSON.parse(said)).toMatchObject({ ok: true, from: 'hugo', pages: 6, files: 2 })
    const again = await quoin('convert', from, '--out', out)
    expect(again).toMatchObject({ code: 1, err: expect.stringMatching(/is not empty, .*--out/) })
    const onFile = await quoin('convert', from, '--out', join(out, 'site.yaml'))
    expect(onFile).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^quoin: The system refused: [^\n]*\n$/),
    })
  })

  test('knows no other folder', async () => {
    const folder = await temporaryFolder()
    const unknown = await quoin('convert', folder, '--out', join(folder, 'new'))
    expect(unknown).toMatchObject({ code: 2, err: expect.stringContaining('--from') })
  })
})

describe('a configuration that is a program', () => {
  test('says what is written out in it, whatever else stands around', () => {
    const value = fc.dictionary(
      fc.stringMatching(/^[a-z]{1,5}$/),
      fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null), fc.array(fc.string())),
    )
    const other = fc.constantFrom('f: (a) => a', 'g() { return `}` }', '...rest', 'h: [x]', 'i: a + "}"', 'j')
    fc.assert(
      fc.property(value, fc.array(other), (fields, others) => {
        const written = Object.entries(fields).map(([name, given]) => `"${name}": ${JSON.stringify(given)}`)
        const text = `{ ${[...others, ...written, '// }\nz: 1'].join(', ')} }`
        const plain = readObjectLiteral(text, 0)
        // What JSON writes as \\uXXXX is passed over.
        const expected = Object.entries(fields).filter(
          ([, given]) => !/(?<!\\)(?:\\\\)*\\u/.test(JSON.stringify(given)),
        )
        expect(plain.fields).toEqual({ ...Object.fromEntries(expected), z: 1 })
        expect(plain.skipped.length).toBeGreaterThanOrEqual(others.length > 0 ? 1 : 0)
      }),
    )
  })

  test('with a comment that never ends is read to an end', () => {
    expect(readObjectLiteral('{ a: b /* c', 0).skipped).toContain('a')
  })

  test('of any text at all is read to an end', () => {
    const part = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      '(',
      ')',
      ',',
      ':',
      '"',
      "'",
      '`',
      '/',
      '*',
      'a',
      '1',
      '\n',
      '\\',
      '.',
    )
    fc.assert(
      fc.property(fc.array(part), (parts) => {
        const { skipped, fields } = readObjectLiteral(`{${parts.join('')}`, 0)
        expect(skipped.length + Object.keys(fields).length).toBeLessThanOrEqual(parts.length + 1)
      }),
    )
  })

  test('that holds nothing else than what is carried over loses nothing', () => {
    const { fields, skipped } = vitepressConfig(
      "const a = 1\nexport default { title: 'A', themeConfig: { nav: [] } }",
    )
    expect([fields, skipped]).toEqual([{ name: 'A' }, []])
    expect(vitepressConfig('export default config').skipped).toEqual(['all of it'])
  })
})

describe('code', () => {
  test('is left as it is, whatever is around it', () => {
    const code = fc.constantFrom('`{{ x }}`', '``{{ ` }}``', '```js\n{{ y }}\n```\n', '~~~\n{% z %}\n~~~\n')
    const prose = fc.constantFrom('text ', '{{ gone }}', '\n', '# Title\n', '- item\n', '> quote\n')
    fc.assert(
      fc.property(fc.array(fc.tuple(prose, code)), (parts) => {
        const body = parts.map(([words, block]) => `${words}\n${block}\n`).join('')
        const changed = mapProse(body, (text) => text.replaceAll(/\{\{ gone \}\}/g, ''))
        expect(changed).toBe(body.replaceAll('{{ gone }}', ''))
      }),
    )
  })

  test('any text at all is taken apart and put together again', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('`', '~', '\n', ' ', 'a', '>', '-') }), (body) => {
        expect(mapProse(body, (text) => text)).toBe(body)
      }),
    )
  })
})
