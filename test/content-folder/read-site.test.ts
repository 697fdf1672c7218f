import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ignoreRules } from '../../src/content-folder/ignored-files.ts'
import { readSite } from '../../src/content-folder/read-site.ts'
import type { Diagnostic } from '../../src/domain/diagnostic.ts'
import { readSubroute } from '../../src/domain/route.ts'
import { readSlug } from '../../src/domain/slug.ts'
import { runs } from '../support/long-form.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const NAMED = { 'site.yaml': 'name: Notes\n' }

/** A content folder of these files, by path. */
async function folderOf(files: Readonly<Record<string, string | Uint8Array>>): Promise<string> {
  const folder = await temporaryFolder()
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), content)
  }
  return folder
}

async function read(files: Readonly<Record<string, string | Uint8Array>>) {
  return readSite(await folderOf({ ...NAMED, ...files }))
}

/** `docs/a.md:3 QN-BAD-VALUE nav_order must be a whole number.` */
function inOneLine({ file, line, code, message }: Diagnostic): string {
  return `${line === null ? file : `${file}:${line}`} ${code} ${message}`
}

async function errorsOf(files: Readonly<Record<string, string | Uint8Array>>): Promise<readonly string[]> {
  return (await read(files)).errors.map(inOneLine)
}

const titled = (more = '') => `---\ntitle: A\n${more}---\nText\n`

describe('what a file says', () => {
  test('a Markdown file is a docs page at the address of its path', async () => {
    const { site, errors } = await read({ 'docs/guides/install.md': titled('nav_order: 3\n') })
    expect(errors).toEqual([])
    expect(site.pages).toEqual([
      {
        source: 'docs/guides/install.md',
        type: 'docs',
        title: 'A',
        subroute: 'docs/guides',
        slug: 'install',
        description: '',
        ogImageUrl: null,
        meta: {},
        config: {},
        markdown: 'Text\n',
        ownFields: { navOrder: 3 },
        parent: null,
        draft: false,
      },
    ])
  })

  test('a file is read to its last letter, however long it and the one before it are', async () => {
    const lengths = [200_000, 65_535, 3, 65_536, 65_537, 0, 131_072]
    const texts = lengths.map((length) => titled().padEnd(length, 'x').slice(0, Math.max(length, 20)))
    const files = Object.fromEntries(texts.map((text, index) => [`${index}.md`, text]))
    const { site, errors } = await read(files)
    expect(errors).toEqual([])
    expect(site.pages.map(({ markdown }) => markdown)).toEqual(
      texts.map((text) => text.slice('---\ntitle: A\n---\n'.length)),
    )
  })

  test('prose is edited beneath the base that the site names, or where the page says', async () => {
    const { site, errors } = await read({
      'site.yaml': 'name: Notes\nedit_base: https://forge.example/notes/edit/main/\n',
      'docs/a.md': titled(),
      'docs/b.md': titled('edit_url: https://forge.example/elsewhere\n'),
      'c.yaml': 'title: C\n',
    })
    expect(errors).toEqual([])
    expect(site.pages.map(({ config }) => config['edit_url'])).toEqual([
      undefined,
      'https://forge.example/notes/edit/main/docs/a.md',
      'https://forge.example/elsewhere',
    ])
  })

  test('an article has its date and its author', async () => {
    const { site } = await read({ 'a.md': titled('type: article\npublish_date: 2026-03-02\nauthor: Ada\n') })
    expect(site.pages[0]?.ownFields).toEqual({
      publishDate: '2026-03-02T00:00:00.000Z',
      author: { name: 'Ada', avatar: null },
    })
  })

  test('a section page keeps its sections and its theme in its config', async () => {
    const { site } = await read({
      'index.page.yaml': 'title: Home\ntheme: dark\nlang: ar\nsections:\n  - type: hero\n    title: Hi\n',
    })
    expect(site.pages[0]).toMatchObject({
      type: 'page',
      slug: 'index',
      config: { theme: 'dark', lang: 'ar', sections: [{ type: 'hero', title: 'Hi' }] },
    })
  })

  test('an item has its fields beside the title or under their own name', async () => {
    const { site } = await read({
      'a.yaml': 'type: item\ntitle: A\nprice: 3\n',
      'b.json': '{"type": "item", "title": "B", "fields": {"title": "inner"}}',
    })
    expect(site.pages.map(({ config }) => config)).toEqual([{ price: 3 }, { title: 'inner' }])
  })

  test('slug, subroute and draft are as the page says', async () => {
    const { site } = await read({
      'drafts/2026 notes.md': titled('slug: Notes\nsubroute: /blog/\ndraft: true\n'),
    })
    expect(site.pages[0]).toMatchObject({ slug: 'notes', subroute: 'blog', draft: true })
  })

  test('a page is of the type of the nearest folder that has one', async () => {
    const { site } = await readSite(
      await folderOf({
        'site.yaml': 'name: A\ntypes:\n  blog: article\n  blog/shop: item\n',
        'blog/a.md': titled(),
        'blog/index.yaml': 'title: Blog\nsections: []\n',
        'blog/shop/b.md': titled(),
        'blog/shop/c.yaml': 'title: C\n',
        'blogs/d.md': titled(),
      }),
    )
    expect(site.pages.map(({ source, type }) => `${source} ${type}`)).toEqual([
      'blog/a.md article',
      'blog/index.yaml page',
      'blog/shop/b.md item',
      'blog/shop/c.yaml item',
      'blogs/d.md docs',
    ])
  })

  test('settings are in the words of the domain, and only those that were written', async () => {
    const { site } = await readSite(
      await folderOf({
        'site.yaml': 'name: A\nlogo: /l.svg\nfooter_text: ~\nsite_routes: { Docs: /Help/, blog: / }\n',
      }),
    )
    expect(site).toMatchObject({ name: 'A' })
    expect(site.settings).toEqual({
      logoUrl: '/l.svg',
      footerText: null,
      siteRoutes: { docs: '/help', blog: '/' },
    })
  })

  test('lines end in a line feed whatever they ended in', async () => {
    const { site, errors } = await read({ 'a.md': '\uFEFF---\r\ntitle: A\r\n---\r\nOne\r\ntwo\r\n' })
    expect(errors).toEqual([])
    expect(site.pages[0]?.markdown).toBe('One\ntwo\n')
  })

  test('front matter may be all there is', async () => {
    const { site } = await read({ 'a.md': '---\ntitle: A\n---' })
    expect(site.pages[0]).toMatchObject({ title: 'A', markdown: '' })
  })
})

describe('the parent of a docs page', () => {
  const parents = async (files: Readonly<Record<string, string>>) => {
    const { site, errors } = await read(files)
    expect(errors).toEqual([])
    return Object.fromEntries(
      site.pages.map(({ source, parent }) => [source, parent && `${parent.subroute}/${parent.slug}`]),
    )
  }

  test('is the nearest index above it', async () => {
    expect(
      await parents({
        'docs/index.md': titled(),
        'docs/a.md': titled(),
        'docs/deep/er/b.md': titled(),
        'docs/guides/index.md': titled(),
        'docs/guides/c.md': titled(),
        'blog/d.md': titled('type: article\n'),
      }),
    ).toEqual({
      'docs/index.md': null,
      'docs/a.md': 'docs/index',
      'docs/deep/er/b.md': 'docs/index',
      'docs/guides/index.md': 'docs/index',
      'docs/guides/c.md': 'docs/guides/index',
      'blog/d.md': null,
    })
  })

  test('is the one it names, here before elsewhere', async () => {
    expect(
      await parents({
        'docs/a.md': titled(),
        'docs/b.md': titled('parent: a\n'),
        'other/a.md': titled(),
        'other/c.md': titled('parent: docs/b\n'),
        'third/d.md': titled('parent: b\n'),
        'third/index.md': titled('parent: null\n'),
      }),
    ).toEqual({
      'docs/a.md': null,
      'docs/b.md': 'docs/a',
      'other/a.md': null,
      'other/c.md': 'docs/b',
      'third/d.md': 'docs/b',
      'third/index.md': null,
    })
  })

  test('comes before the page itself', async () => {
    const { site } = await read({
      'a.md': titled('parent: z\n'),
      'm.md': titled('parent: a\n'),
      'z.md': titled(),
    })
    expect(site.pages.map(({ slug }) => slug)).toEqual(['z', 'a', 'm'])
  })

  test.each([
    [
      'nobody',
      { 'a.md': titled('parent: nobody\n') },
      ['a.md:3 QN-BAD-PARENT parent: no docs page, or more than one, is called "nobody".'],
    ],
    [
      'one of two',
      { 'x/a.md': titled(), 'y/a.md': titled(), 'b.md': titled('parent: a\n') },
      ['b.md:3 QN-BAD-PARENT parent: no docs page, or more than one, is called "a".'],
    ],
    [
      'an article',
      { 'a.md': titled('type: article\n'), 'b.md': titled('parent: a\n') },
      ['b.md:3 QN-BAD-PARENT parent: no docs page, or more than one, is called "a".'],
    ],
    [
      'a page beneath it',
      { 'a.md': titled('parent: b\n'), 'b.md': titled('parent: a\n'), 'c.md': titled('parent: b\n') },
      [
        'a.md:3 QN-BAD-PARENT parent must not lead back to the page itself.',
        'b.md:3 QN-BAD-PARENT parent must not lead back to the page itself.',
      ],
    ],
    [
      'itself',
      { 'a.md': titled('parent: a\n') },
      ['a.md:3 QN-BAD-PARENT parent must not lead back to the page itself.'],
    ],
  ])('cannot be a page such as %s', async (_, files, errors) => {
    expect(await errorsOf(files)).toEqual(errors)
  })
})

describe('a fault says where it is', () => {
  test.each([
    [
      'an unknown field further in',
      { 'a.md': titled('meta:\n  titel: A\n') },
      ['a.md:4 QN-UNKNOWN-FIELD Unknown field "meta.titel". Is it title?'],
    ],
    ['a missing title', { 'a.yaml': 'sections: []\n' }, ['a.yaml:1 QN-MISSING-FIELD title is required.']],
    [
      'an empty title',
      { 'a.yaml': 'sections: []\ntitle: " "\n' },
      ['a.yaml:2 QN-BAD-VALUE title must have 1 to 200 characters.'],
    ],
    [
      'an unknown type',
      { 'a.md': titled('type: post\n') },
      ['a.md:3 QN-BAD-VALUE type must be page, article, docs or item.'],
    ],
    [
      'a bad date',
      { 'a.md': titled('type: article\npublish_date: 2026-02-30\n') },
      ['a.md:4 QN-BAD-VALUE publish_date must be an ISO 8601 date or timestamp, such as 2026-03-10.'],
    ],
    [
      'a bad language',
      { 'a.md': titled('lang: english!\n') },
      ['a.md:3 QN-BAD-VALUE lang must be a language tag, e.g. en or zh-Hans.'],
    ],
    [
      'a language that is no text',
      { 'a.md': titled('lang: 7\n') },
      ['a.md:3 QN-BAD-VALUE lang must be a language tag, e.g. en or zh-Hans.'],
    ],
    [
      'an author that is no name',
      { 'a.md': titled('type: article\nauthor: [3]\n') },
      ['a.md:4 QN-BAD-VALUE author must be a name, or an object with name, avatar, bio and url.'],
    ],
    [
      'a field deep inside',
      { 'a.md': titled('type: article\nauthor:\n  name: Ada\n  age: 36\n') },
      ['a.md:6 QN-UNKNOWN-FIELD Unknown field "author.age".'],
    ],
    [
      'an unsafe image',
      { 'a.md': titled('og_image_url: javascript:alert(1)\n') },
      [
        'a.md:3 QN-BAD-VALUE og_image_url must be an http or https URL, the path of a file beside the page, or start with "/".',
      ],
    ],
    [
      'a section without a type',
      { 'a.yaml': 'title: A\nsections:\n  - type: hero\n  - props: {}\n' },
      ['a.yaml:4 QN-BAD-SECTION sections[1].type is required.'],
    ],
    [
      'sections that are no list',
      { 'a.yaml': 'title: A\nsections: 3\n' },
      ['a.yaml:2 QN-BAD-SECTION sections must be an array.'],
    ],
    [
      'an article without Markdown',
      { 'a.yaml': 'title: A\ntype: article\n' },
      [
        'a.yaml:2 QN-BAD-VALUE type must be page or item in this file: a page of type article is a Markdown file.',
      ],
    ],
    [
      'front matter that does not end',
      { 'a.md': '---\ntitle: Hi\n\nText.\n' },
      ['a.md:1 QN-NO-FRONT-MATTER The front matter does not end. Close it with a line of "---".'],
    ],
    [
      'broken YAML',
      { 'a.md': '---\ntitle: A\nmeta: [\n---\n' },
      [
        'a.md:3 QN-BAD-YAML A value that begins with [ is a list and must end with ]. Put text that begins with [ in quotes.',
      ],
    ],
    [
      'a name given twice',
      { 'a.yaml': 'title: A\nsections: []\ntitle: B\n' },
      ['a.yaml:3 QN-BAD-YAML The name "title" is used twice. Names must be unique.'],
    ],
    [
      'a quote that is never closed',
      { 'a.md': '---\ntype: docs\ntitle: "A\nnav_order: 1\n---\n' },
      ['a.md:3 QN-BAD-YAML Text that begins with " must end with ".'],
    ],
    [
      'a quote that the next one closes',
      { 'a.yaml': 'type: item\ntitle: "A\nlead: "B"\n' },
      ['a.yaml:2 QN-BAD-YAML Text that begins with " must end with ".'],
    ],
    [
      'text that goes on after its quotes',
      { 'a.yaml': 'type: item\ntitle: "A" b\n' },
      ['a.yaml:2 QN-BAD-YAML Text that begins with " ends at the next ". Nothing may follow it on the line.'],
    ],
    [
      'text with a star at its beginning',
      { 'a.yaml': 'type: item\nlead: &own B\nmore: *own\ntitle: *A\n' },
      ['a.yaml:4 QN-BAD-YAML Put a value that begins with * in quotes.'],
    ],
    [
      'text in bold',
      { 'a.yaml': 'type: item\ntitle: **A** b\n' },
      ['a.yaml:2 QN-BAD-YAML Put a value that begins with * in quotes.'],
    ],
    [
      'text with a sign that YAML keeps for itself',
      { 'a.yaml': 'type: item\ntitle: @quoin\n' },
      ['a.yaml:2 QN-BAD-YAML Put a value that begins with @ in quotes.'],
    ],
    [
      'a number JSON does not have',
      { 'a.yaml': 'type: item\ntitle: A\nx: .inf\n' },
      ['a.yaml:3 QN-BAD-YAML JSON cannot represent this number.'],
    ],
    [
      'a list in place of fields',
      { 'a.page.json': '[1]' },
      ['a.page.json:1 QN-BAD-YAML The file must hold names and values.'],
    ],
    [
      'a file that is not UTF-8',
      { 'a.md': new Uint8Array([0x61, 0xff]) },
      ['a.md QN-BAD-ENCODING The file is not UTF-8 text.'],
    ],
    [
      'a file larger than 5 MiB',
      { 'a.md': 'x'.repeat(5 * 1024 * 1024 + 1) },
      ['a.md QN-FILE-TOO-LARGE The file is larger than 5 MiB.'],
    ],
    [
      'folders too deep',
      { 'a/b/c/d/e/f/g/h/i/j.md': titled() },
      ['a/b/c/d/e/f/g/h/i QN-TOO-DEEP Folders may be nested at most 8 levels deep.'],
    ],
  ])('in a file with %s', async (_, files, errors) => {
    expect(await errorsOf(files)).toEqual(errors)
  })

  test.each([
    ['no name', 'theme: dark\n', ['site.yaml:1 QN-MISSING-FIELD name is required.']],
    [
      'an unknown key',
      'name: A\nthemes: dark\n',
      ['site.yaml:2 QN-UNKNOWN-FIELD Unknown field "themes". Is it theme?'],
    ],
    [
      'unknown keys further in',
      'name: A\nnav_links:\n  - lable: One\n    href: /one\nbranding: { font: Inter }\nshared_footer: [T]\n',
      [
        'site.yaml:3 QN-MISSING-FIELD nav_links[0].label is required.',
        'site.yaml:3 QN-UNKNOWN-FIELD Unknown field "nav_links[0].lable". Is it label?',
        'site.yaml:6 QN-BAD-VALUE shared_footer must be an object.',
      ],
    ],
    [
      'a list that does not end',
      'name: [A\ntheme: dark\n',
      [
        'site.yaml:2 QN-BAD-YAML A value that begins with [ is a list and must end with ]. Put text that begins with [ in quotes.',
      ],
    ],
    [
      'a link without a target',
      'name: A\nnav_links:\n  - label: One\n    href: /one\n  - label: Two\n',
      ['site.yaml:5 QN-MISSING-FIELD nav_links[1].href is required.'],
    ],
    [
      'a link that runs',
      'name: A\nnav_links: [{ label: One, href: "javascript:x" }]\n',
      [
        'site.yaml:2 QN-BAD-VALUE nav_links[0].href must be an http, https, mailto or tel URL, or start with "/" or "#".',
      ],
    ],
    [
      'a logo of another kind',
      'name: A\nlogo: /logo.gif\n',
      ['site.yaml:2 QN-BAD-VALUE logo must be the URL of a .png, .jpg, .jpeg, .svg file.'],
    ],
    [
      'an id that nothing is measured with',
      'name: A\ngoogle_analytics_id: UA-1\n',
      ['site.yaml:2 QN-BAD-VALUE google_analytics_id must be a measurement id such as G-ABC1234567.'],
    ],
    [
      'a favicon that is no URL',
      'name: A\nfavicon_url: icon\n',
      ['site.yaml:2 QN-BAD-VALUE favicon_url must be an http or https URL, or start with "/".'],
    ],
    [
      'a brand that no page could show',
      'name: A\nbranding:\n  primary_color: blau\n  font: 5\n  lang: deutsch\n  own: any\n',
      [
        'site.yaml:3 QN-BAD-VALUE branding.primary_color must be a colour, e.g. #0b6e4f or teal.',
        'site.yaml:4 QN-BAD-VALUE branding.font must be names of fonts, e.g. Inter, sans-serif.',
        'site.yaml:5 QN-BAD-VALUE branding.lang must be a language tag, e.g. en or zh-Hans.',
      ],
    ],
    [
      'a footer group with a typo',
      'name: A\nshared_footer:\n  links:\n    - title: More\n      links:\n        - lable: One\n          href: /\n',
      [
        'site.yaml:6 QN-MISSING-FIELD shared_footer.links[0].links[0].label is required.',
        'site.yaml:6 QN-UNKNOWN-FIELD Unknown field "shared_footer.links[0].links[0].lable". Is it label?',
      ],
    ],
    [
      'a route that climbs',
      'name: A\nsite_routes:\n  docs: ../up\n',
      [
        'site.yaml:3 QN-BAD-VALUE site_routes.docs must be "/", or up to 8 segments joined by "/": letters and digits of any script, "-", "_" and ".", without a "_" at the start of a segment, a "." at either end of one, or ".json" at its end.',
      ],
    ],
    [
      'a sidebar entry without a page',
      'name: A\ndocs_nav:\n  - title: One\n    children:\n      - title: Two\n        slug: two\n',
      ['site.yaml:6 QN-BAD-DOCS-NAV docs_nav[0].children[0].slug: no docs page is called "two".'],
    ],
    [
      'a type that is none',
      'name: A\ntypes:\n  blog: post\n',
      ['site.yaml:3 QN-BAD-VALUE types.blog must be one of page, article, docs, item, changelog.'],
    ],
  ])('in a site.yaml with %s', async (_, text, errors) => {
    expect(await errorsOf({ 'site.yaml': text })).toEqual(errors)
  })

  const news = { 'blog/a.md': titled('publish_date: 2026-01-01\nmeta: { x: 1 }\n') }

  test('what is wrong in site.yaml makes nothing wrong of pages that are right', async () => {
    const errors = ['site.yaml:2 QN-BAD-VALUE logo must be the URL of a .png, .jpg, .jpeg, .svg file.']
    expect(
      await errorsOf({ 'site.yaml': 'name: A\nlogo: /logo.gif\ntypes:\n  blog: article\n', ...news }),
    ).toEqual(['blog/a.md:4 QN-UNKNOWN-FIELD Unknown field "meta.x".', ...errors])
  })

  test.each([
    ['its types are wrong', 'name: A\ntypes:\n  blog: articel\n'],
    ['nothing of it can be read', 'name: [A\n'],
  ])('pages are judged once it is known what they are: %s', async (_, text) => {
    const errors = await errorsOf({ 'site.yaml': text, ...news })
    expect(errors.map((fault) => fault.split(':')[0])).toEqual(['site.yaml'])
  })

  test('all of them at once, by file and line', async () => {
    expect(
      await errorsOf({
        'b.md': titled('meta:\n  x: 1\n  y: 2\n'),
        'a.md': titled('draft: maybe\n'),
        'static/c:d.txt': '',
      }),
    ).toEqual([
      'a.md:3 QN-BAD-VALUE draft must be true or false.',
      'b.md:4 QN-UNKNOWN-FIELD Unknown field "meta.x".',
      'b.md:5 QN-UNKNOWN-FIELD Unknown field "meta.y".',
      'static/c:d.txt QN-BAD-ASSET-NAME The name must not contain ":": a system or a URL cannot have it in a name. Rename the file.',
    ])
  })

  test('a folder without site.yaml', async () => {
    const { errors } = await readSite(await folderOf({ 'a.md': titled() }))
    expect(errors.map(inOneLine)).toEqual([
      'site.yaml QN-NO-SITE-FILE A content folder needs this file. It holds the name of the site. Create one with quoin init, or convert a folder of Markdown with quoin convert.',
    ])
  })
})

describe('addresses', () => {
  const climbing =
    'must be 1 to 100 letters and digits of any script, "-", "_" and ".", with at least one letter or digit, without a "_" at its start or a "." at either end, and not the name of a file that Quoin writes.'

  test.each([
    ['..', climbing],
    ['../../etc/passwd', climbing],
    ['a/b', climbing],
    ['%2e%2e', climbing],
    ['---', climbing],
  ])('the slug %j is refused', async (slug, message) => {
    expect(await errorsOf({ 'a.md': titled(`slug: "${slug}"\n`) })).toEqual([
      `a.md:3 QN-BAD-VALUE slug ${message}`,
    ])
  })

  test.each(['../up', 'a/../b', 'a//b', 'a b', '_a', 'a.json'])(
    'the subroute %j is refused',
    async (subroute) => {
      const [error] = await errorsOf({ 'a.md': titled(`subroute: "${subroute}"\n`) })
      expect(error).toMatch(/^a\.md:3 QN-BAD-VALUE subroute must be up to 8 segments/)
    },
  )

  test.each([
    ['my notes/Über uns.md', 'my-notes/über-uns'],
    ['docs/a (1).md', 'docs/a-1'],
    ['docs/a - b.md', 'docs/a-b'],
    ['docs/Copy of "plan" [old].md', 'docs/copy-of-plan-old'],
  ])('blanks and marks in %s are hyphens in the address', async (path, expected) => {
    const { site, errors } = await read({ [path]: titled() })
    expect(errors).toEqual([])
    expect(site.pages.map(({ subroute, slug }) => `${subroute}/${slug}`)).toEqual([expected])
  })

  test('two names with one address are an error', async () => {
    expect(await errorsOf({ 'docs/a 1.md': titled(), 'docs/a-1.md': titled() })).toEqual([
      expect.stringContaining('docs/a-1'),
    ])
  })

  test('a field that is left empty counts as absent, where null means nothing', async () => {
    const fields =
      'title: E\ntype: article\ndescription:\ntags:\nslug:\ndraft:\nauthor:\npublish_date:\nmeta:\n  robots:\n'
    const { site, errors } = await read({
      'site.yaml': 'name: T\ntypes:\nnav_links:\n',
      'blog/e.md': `---\n${fields}---\nText.\n`,
    })
    expect(errors).toEqual([])
    expect(site.pages[0]).toMatchObject({ title: 'E', slug: 'e', description: '', meta: {}, draft: false })
  })

  test.each([
    ['2024-1-10', '2024-01-10T00:00:00.000Z'],
    ['2024-01-01 9:30:00 -5', '2024-01-01T09:30:00.000-05:00'],
  ])('the date %s of YAML is %s', async (written, date) => {
    const { site, errors } = await read({
      'blog/d.md': `---\ntitle: D\ntype: article\ndate: ${written}\n---\n`,
    })
    expect(errors).toEqual([])
    expect(site.pages[0]?.ownFields).toMatchObject({ publishDate: date })
  })

  test.each([
    ['after an empty line', '\n---\ntitle: A\n---\nText.\n', 'not at the start'],
    ['after a comment', '<!-- lint off -->\n---\ntitle: A\ndraft: true\n---\nText.\n', 'not at the start'],
    ['between four hyphens', '----\ntitle: A\n----\nText.\n', 'three hyphens'],
    ['in JSON', '{\n  "title": "A"\n}\n\nText.\n', 'JSON'],
  ])('front matter %s is reported', async (_, text, reason) => {
    const errors = await errorsOf({ 'docs/a.md': text })
    expect(errors).toEqual([expect.stringMatching(new RegExp(`QN-NO-FRONT-MATTER .*${reason}`))])
  })

  test.each(['\n---\n\nText between rules.\n\n---\n', '{ "json": 1 }\n', '<!-- A -->\n\n---\nText: more.\n'])(
    'the text %j is no front matter',
    async (text) => {
      expect(await errorsOf({ 'docs/a.md': text })).toEqual([])
    },
  )

  test('a path that makes no address must be given one', async () => {
    expect(await errorsOf({ 'docs/_.md': titled() })).toEqual([
      'docs/_.md QN-BAD-ADDRESS The name of the file "_" cannot be part of an address, which holds letters and digits of any script, "-", "_" and ".", without a "_" at its start or a "." at either end. Rename the file, or write a slug in the page.',
    ])
  })

  test.each([
    ['v1.2.md', 'v1.2'],
    ['my_function.md', 'my_function'],
    ['Überblick.md', 'überblick'],
    ['Überblick.md'.normalize('NFD'), 'überblick'],
    ['安装.md', '安装'],
    ['ΟΔΗΓΌΣ.md', 'οδηγός'],
    ['node.js.md', 'node.js'],
    ['Начало работы/Вход.md', 'вход'],
    ['Начало/Вход#.md', null],
  ])('a page of the file %s has the slug %j', async (file, slug) => {
    const { site, errors } = await read({ [file]: titled() })
    expect(site.pages.map((page) => page.slug)).toEqual(slug === null ? [] : [slug])
    expect(errors.length).toBe(slug === null ? 1 : 0)
  })

  test.each([
    ['c++.md', 'slug: c'],
    ['C#.md', 'slug: c'],
    ['_draft.md', 'slug: draft'],
    ['feed.xml.md', 'a slug'],
    ['index.html.md', 'a slug'],
    ['a\u200db.md', 'slug: a-b'],
    ['a\u202eb.md', 'slug: a-b'],
    ['a\uff0fb.md', 'slug: a-b'],
  ])('the file %j makes no page, and the error says which address to write', async (file, remedy) => {
    const [error = '', ...others] = await errorsOf({ [file]: titled() })
    expect(others).toEqual([])
    expect(error).toContain(`${file} QN-BAD-ADDRESS The name of the file`)
    expect(error).toContain(remedy)
  })

  test('the list of a tag needs an address too, which no store can hold below a deep blog', async () => {
    const blog = Array.from({ length: 8 }, () => 'a'.repeat(100)).join('/')
    const article = (tag: string) => titled(`type: article\nsubroute: ${blog}\ntags: [${tag}]\n`)
    expect(await errorsOf({ 'a.md': article('Trains') })).toEqual([])
    const [error = '', ...others] = await errorsOf({ 'a.md': article('安'.repeat(50)) })
    expect(others).toEqual([])
    expect(error).toMatch(/^a\.md QN-BAD-ADDRESS The path .*\/tags\/安+ is too long .* Shorten the tag or/)
  })

  test('names that differ only in normalisation or in case are one path', async () => {
    const files = { 'Ärger.md': titled(), ['ärger.md'.normalize('NFD')]: titled() }
    expect(await errorsOf(files)).toEqual([
      expect.stringMatching(/QN-DUPLICATE-PATH \/ärger is already the path of/),
    ])
  })

  test('a link to a file leads to its page however the name is written', async () => {
    const links = ['v1.2.md', 'Überblick.md', '%C3%9Cberblick.md', 'Überblick.md'.normalize('NFD')]
    const { site } = await read({
      'a.md': `${titled()}\n${links.map((link) => `[x](${link}#part)`).join(' ')}\n`,
      'v1.2.md': titled(),
      'Überblick.md': titled(),
    })
    const overview = '[x](/%C3%BCberblick#part)'
    expect(
      site.pages
        .find(({ slug }) => slug === 'a')
        ?.markdown.trim()
        .split('\n')
        .at(-1),
    ).toBe(['[x](/v1.2/#part)', overview, overview, overview].join(' '))
  })

  test.each([
    ['/Old/Name.html', '/Old/Name.html'],
    ['/a b/c.php', '/a b/c.php'],
    ['/%C3%BCber', '/über'],
    ['/a_b/1.2', '/a_b/1.2'],
  ])('a page can be found at %j', async (written, path) => {
    const { site, errors } = await read({ 'a.md': titled(`redirect_from: "${written}"\n`) })
    expect(errors).toEqual([])
    expect(site.pages[0]?.config['redirect_from']).toEqual([path])
  })

  test.each([
    [
      'two kinds of file',
      { 'a.md': titled(), 'a.yaml': 'title: A\n' },
      ['a.yaml QN-DUPLICATE-PATH /a is already the path of a.md.'],
    ],
    [
      'two spellings',
      { 'A.md': titled(), 'a.md': titled() },
      ['a.md QN-DUPLICATE-PATH /a is already the path of A.md.'],
    ],
    [
      'a slug of its own',
      { 'a.md': titled(), 'z.md': titled('slug: a\n') },
      ['z.md QN-DUPLICATE-PATH /a is already the path of a.md.'],
    ],
    [
      'a mapped route',
      { 'site.yaml': 'name: A\nsite_routes: { docs: help }\n', 'docs/a.md': titled(), 'help/a.md': titled() },
      ['help/a.md QN-DUPLICATE-PATH /help/a is already the path of docs/a.md.'],
    ],
  ])('two pages cannot lie at one path by %s', async (_, files, errors) => {
    expect(await errorsOf(files)).toEqual(errors)
  })

  test.each([
    [
      'a page',
      '/b',
      { 'b.md': titled() },
      'a.md:3 QN-REDIRECT-CONFLICT redirect_from[0]: /b is already the path of b.md.',
    ],
    [
      'a file',
      '/b.html',
      { 'static/b.html': '' },
      'a.md:3 QN-REDIRECT-CONFLICT redirect_from[0]: /b.html is already the path of static/b.html.',
    ],
    [
      'what leads to another page',
      '/old/b/index.html',
      { 'b.md': titled('redirect_from:\n  - /old/c\n  - /old/b\n') },
      'b.md:5 QN-REDIRECT-CONFLICT redirect_from[1]: /old/b already redirects to a.md.',
    ],
  ])('a page cannot be found where there is %s', async (_, path, files, error) => {
    expect(await errorsOf({ 'a.md': titled(`redirect_from: ${path}\n`), ...files })).toEqual([error])
  })

  test.each([
    '/a?page=2',
    '/a%2fb',
    '/a/../b',
    '/a/.git/b',
    '/feed.xml',
    '/_nav/x',
    '//host/a',
    'https://other.example/a',
    '/',
    '/404.html',
    '/a/index.md',
  ])('a page cannot be found at %j', async (path) => {
    const rule = /must be a path of the site such as/
    expect(await errorsOf({ 'a.md': titled(`redirect_from: "${path}"\n`) })).toEqual([
      expect.stringMatching(rule),
    ])
    const [error] = await errorsOf({ 'a.md': titled(`redirect_from:\n  - /fine\n  - "${path}"\n`) })
    expect(error).toMatch(/^a\.md:5 QN-BAD-VALUE redirect_from\[1\] must be a path/)
    const hidden = await errorsOf({ 'a.md': titled(`config: { redirect_from: ["${path}"] }\n`) })
    expect(hidden).toEqual([expect.stringMatching(rule)])
  })

  test('whatever a file is called, its page lies at a safe address or is a fault', async () => {
    const name = fc.stringMatching(/^[^/\0.][^/\0]{0,20}$/).filter((text) => Buffer.byteLength(text) < 200)
    await fc.assert(
      fc.asyncProperty(fc.array(name, { maxLength: 3 }), name, async (folders, file) => {
        const path = [...folders, `${file}.md`].join('/')
        const { site, errors } = await read({ [path]: titled() })
        const { ignores } = ignoreRules([])
        const isLeftOut = path.split('/').some((_, i, names) => {
          return ignores(names.slice(0, i + 1).join('/'), i + 1 === names.length ? 'file' : 'folder')
        })
        expect(site.pages.length + errors.length > 0).toBe(!isLeftOut)
        for (const { slug, subroute } of site.pages) {
          expect([readSlug(slug, 'wide'), readSubroute(subroute, 'wide')]).toEqual([slug, subroute])
        }
      }),
      { numRuns: runs(50) },
    )
  })
})

describe('the folder', () => {
  test('nothing outside it is read', async () => {
    const outside = await folderOf({ 'secret.md': titled(), 'more/a.md': titled() })
    const folder = await folderOf(NAMED)
    await symlink(join(outside, 'secret.md'), join(folder, 'a.md'))
    await symlink(join(outside, 'more'), join(folder, 'docs'))
    const { site, errors, warnings } = await readSite(folder)
    expect(site.pages).toEqual([])
    expect(errors).toEqual([])
    const message =
      'This is a symbolic link, a socket or a device, and left out: only regular files are read. Replace a link with a copy of the file.'
    expect(warnings.map(inOneLine)).toEqual([
      `a.md QN-NOT-A-FILE ${message}`,
      `docs QN-NOT-A-FILE ${message}`,
    ])
  })

  test('what a site was built into is passed over', async () => {
    const { site, errors } = await read({
      'a.md': titled(),
      'dist/.quoin/build.json': '{}',
      'dist/index.html': '<p>',
      'dist/index.md': titled(),
    })
    expect(errors).toEqual([])
    expect(site.pages.map(({ source }) => source)).toEqual(['a.md'])
  })

  test('hidden files and folders are passed over', async () => {
    expect(await read({ '.git/HEAD': 'x', '.DS_Store': 'x', 'docs/.draft.md': 'x' })).toMatchObject({
      site: { pages: [] },
      errors: [],
    })
  })

  test('files in static are assets at their own path', async () => {
    const { site, errors } = await read({ 'static/images/b.svg': '<svg/>', 'static/a.min.css': '' })
    expect(errors).toEqual([])
    expect(site.assets).toEqual([
      { path: 'a.min.css', source: 'static/a.min.css', namedBy: null },
      { path: 'images/b.svg', source: 'static/images/b.svg', namedBy: null },
    ])
  })

  test.each([
    'static/404.html',
    'static/sitemap.xml',
    'static/Sitemap.xml',
    'static/_assets/a.css',
    'static/_Search/a.json',
    'static/a?.svg',
    'static/100%.svg',
    'static/ a.svg',
    'static/a./b.svg',
    'static/a\u202egnp.exe',
  ])('%s is refused as an asset', async (path) => {
    const { site, errors } = await read({ [path]: 'x' })
    expect(site.assets).toEqual([])
    expect(errors).toMatchObject([{ file: path, line: null }])
  })

  test('a line separator in the name of an asset is refused by its code', async () => {
    const { errors } = await read({ 'static/a\u2028b.txt': 'x' })
    expect(errors).toMatchObject([{ message: expect.stringContaining('must not contain U+2028') }])
  })

  test('one that is not there is an error', async () => {
    await expect(readSite(join(await temporaryFolder(), 'nowhere'))).rejects.toThrow('ENOENT')
  })
})
