import { cp, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { serialize } from 'node:v8'
import { gzipSync } from 'node:zlib'

import fc from 'fast-check'
import { HtmlValidate, type Message } from 'html-validate'
import { afterEach, describe, expect, test } from 'vitest'

import { loadMarkdownTools } from '../../src/render/markdown/markdown-tools.ts'
import { renderPage } from '../../src/render/page/render-page.ts'
import { listThemes } from '../../src/theme/list-themes.ts'
import { loadTheme } from '../../src/theme/load-theme.ts'
import type { SectionView } from '../../src/theme/view.ts'
import { livePage } from '../support/live-page.ts'
import { runs } from '../support/long-form.ts'
import { FOLDERS, loadBuiltIn, THEME_NAMES } from './load-built-in.ts'
import { content, headView, navLink, pageView, SITE, samplePages } from './sample-pages.ts'
import * as sections from './sample-sections.ts'

const validator = new HtmlValidate({
  root: true,
  extends: ['html-validate:recommended'],
  rules: {
    // Templates do not decide how long titles are and how tables are wrapped.
    'long-title': 'off',
    'prefer-native-element': ['error', { exclude: ['region'] }],
    // Safari takes the role from lists that are drawn without markers.
    'no-redundant-role': 'off',
    'require-sri': 'off',
  },
})

describe.each(THEME_NAMES)('theme %s', async (name) => {
  const theme = await loadBuiltIn(name)
  const pages = samplePages(theme)

  test.each(Object.keys(pages))('%s is complete and valid', async (page) => {
    const html = pages[page] ?? ''
    expect(withoutStyle(html)).not.toMatch(/undefined|\bnull\b|\[object|NaN/)
    expect(html.match(/<h1[ >]/g)).toHaveLength(1)
    expect(
      faultsOf((await validator.validateString(html)).results.flatMap(({ messages }) => messages)),
    ).toEqual([])
  })

  test('no page except 404.html has inline styles or scripts', () => {
    for (const [page, html] of Object.entries(pages)) {
      expect(html).not.toMatch(/<[^>]+\s(?:style|on[a-z]+)=/)
      if (page === 'not-found') continue
      expect(html).not.toMatch(/<script(?![^>]*\s(?:src=|type="(?:application\/ld\+json|speculationrules)"))/)
    }
  })

  test('loads to the same bytes every time, with hashes in their names', async () => {
    const again = await loadBuiltIn(name)
    expect(again.digest).toBe(theme.digest)
    expect(again.assets).toEqual(theme.assets)
    expect(theme.assets.style.key).toMatch(/^_assets\/theme\.[0-9a-f]{16}\.css$/)
  })

  test('loads the style of sections before its own, and only where a document shows sections or cards', () => {
    const { sectionStyle, style } = theme.assets
    const { 'not-found': _, ...documents } = pages
    const linked = (html: string) =>
      [...html.matchAll(/<link rel="stylesheet" href="\/([^"]*)"/g)].map(([, key]) => key)
    const isText = (page: string) => /^(article|docs|item|nav-page|tags)/.test(page)
    for (const [page, html] of Object.entries(documents))
      expect(linked(html), page).toEqual(isText(page) ? [style.key] : [sectionStyle.key, style.key])
    const plain = pageView(theme, { page: content({ type: 'page', html: '<p>Text.</p>' }) })
    expect(linked(theme.page(plain))).toEqual([style.key])
  })

  test('renders an English page as a one-byte string', () => {
    for (const type of ['page', 'article', 'item'] as const) {
      const site = { ...SITE, languages: [] }
      const html = theme.page(pageView(theme, { lang: 'en', page: content({ type }), site }))
      // The third byte of V8's serialisation is a quotation mark for one-byte strings.
      expect(String.fromCharCode(serialize(html)[2] ?? 0), type).toBe('"')
    }
  })

  test('stays within its size budget', () => {
    // With its HTML and the script, a docs page stays below 30 KB and a landing page below 45 KB.
    const { style, sectionStyle } = theme.assets
    expect(gzipSync(style.body).byteLength).toBeLessThan(13 * 1024)
    expect(gzipSync(style.body).byteLength + gzipSync(sectionStyle.body).byteLength).toBeLessThan(19 * 1024)
    expect(gzipSync(theme.assets.script.body).byteLength).toBeLessThan(6 * 1024)
  })
})

describe('rendered documents', async () => {
  const theme = await loadBuiltIn('default')

  test('let search find each line of an address', async () => {
    const sections = [{ type: 'contact', address: 'Kai 3\n20457 Hamburg' }]
    const live = livePage({ page: { type: 'page', config: { sections } } })
    const { search } = renderPage(live, theme, await loadMarkdownTools(''))
    expect(search?.words.split(' ')).toEqual(expect.arrayContaining(['3', '20457', 'hamburg']))
  })

  test('escape any text everywhere', () => {
    // No template writes text like this itself.
    const hostile = fc
      .array(fc.constantFrom('<', '>', '"', "'", '&', '&amp;', '</title>', '-->', 'x'), {
        minLength: 1,
        maxLength: 6,
      })
      .map((parts) => `§${parts.join('')}§`)
    fc.assert(
      fc.property(hostile, (text) => {
        for (const html of everywhere(text)) {
          for (const [, written = ''] of html.matchAll(/§([^§]*)§/g)) expect(written).not.toMatch(/[<>"']/)
          for (const [, written = ''] of html.matchAll(/§([^§]*)§/g))
            expect(unescaped(written)).toBe(text.slice(1, -1))
        }
      }),
      { numRuns: runs(60) },
    )
  })

  test('show a section of an unknown type with the generic template', () => {
    for (const type of ['comparison', '../layouts/page', '__proto__', 'constructor']) {
      expect(theme.section({ ...sections.GENERIC, type })).toBe(theme.section(sections.GENERIC))
    }
  })

  test('have labels in the language of the page', () => {
    const page = (lang: string) => theme.page(pageView(theme, { lang, page: content({ type: 'page' }) }))
    expect(page('ar')).toContain('تخطَّ إلى المحتوى')
    expect(page('zh-Hant-TW')).toContain('跳到正文')
    expect(page('nb')).toContain('Skip to content')
    expect(page('constructor')).toContain('Skip to content')
  })

  test("end the head with the owner's HTML", () => {
    const head = {
      ...headView(theme),
      robots: 'noindex',
      customStyle: '/_assets/custom.css',
      analytics: { script: '/_assets/analytics.js', id: 'G-ABC' },
      visits: '/_assets/visits.js',
      brandStyle: ':root{--brand:#0a7;--brand-font:"Inter", sans-serif}',
      customHeadHtml: '<meta name="mine" content="1">',
    }
    const html = theme.page(pageView(theme, { head, page: content({ type: 'page' }) }))
    const order = [
      '<meta name="robots" content="noindex">',
      head.themeStyle,
      '<style>:root{--brand:#0a7;--brand-font:"Inter", sans-serif}</style>',
      '<link rel="stylesheet" href="/_assets/custom.css">',
      // Not deferred, so that it applies the colour scheme before the first paint.
      `<script src="${head.script}">`,
      '<script defer src="/_assets/analytics.js" data-id="G-ABC"></script>',
      '<script defer src="/_assets/visits.js" data-root="/"></script>',
      '<meta name="mine" content="1"></head>',
    ].map((part) => html.indexOf(part))
    expect(order).not.toContain(-1)
    expect(order).toEqual([...order].sort((one, other) => one - other))
  })

  /** Views with the text in every text field. */
  function everywhere(text: string): string[] {
    const withText = <View>(view: View): View =>
      JSON.parse(JSON.stringify(view), (key, value) =>
        TEXT_FIELDS.has(key) && value !== null ? text : value,
      )
    const action = { text, href: text, variant: 'link', external: true, icon: text, iconHtml: null } as const
    const views = [sections.SPLIT_HERO, sections.LINKED_GRID, sections.CTA_SPLIT, sections.GENERIC]
    const image = { ...sections.SCREEN, src: text, alt: text, dark: text }
    const site = withText({ ...SITE, logo: text, navLinks: [navLink(text, text, { external: true })] })
    const page = content({
      ...withText(content({ type: 'article', description: text })),
      type: 'article',
      image,
      toc: [
        { depth: 2, id: text, text },
        { depth: 3, id: text, text },
      ],
      date: { iso: text, text },
      updated: { iso: text, text },
      author: { name: text, avatar: text, bio: text, href: text },
      editHref: text,
      readingMinutes: 1,
      fields: [
        {
          label: text,
          value: {
            kind: 'list',
            values: [
              { kind: 'link', text, href: text },
              { kind: 'text', text },
            ],
          },
        },
      ],
    })
    const step = { title: text, href: text }
    const tree = [
      { ...step, badge: text, iconHtml: null, current: true, open: true, more: false, children: [] },
      { ...step, badge: text, iconHtml: null, current: false, open: true, more: true, children: [] },
    ]
    const docs = { tree, breadcrumbs: [step], previous: step, next: step, navFile: text, navPage: text }
    const head = {
      ...withText({
        ...headView(theme),
        json: text,
        keywords: text,
        robots: text,
        favicon: text,
        customStyle: text,
        manifest: text,
        icons: [{ rel: 'icon' as const, href: text, type: text, sizes: text }],
        themeColours: [{ colour: text, media: text }],
      }),
      analytics: { script: text, id: text },
      visits: text,
    }
    const common = { lang: text, dir: 'ltr', head, site } as const
    const listing = { title: text, href: text }
    const posts = [
      { title: text, href: text, excerpt: text, image: null, date: { iso: text, text }, author: text },
    ]
    const tags = [{ name: text, href: text, count: 1 }]
    const list = {
      title: text,
      numbered: text,
      author: { avatar: text, bio: text, links: [{ label: text, href: text }] },
      tags,
      allTags: text,
      listing,
      feed: text,
      posts,
      entries: posts.map((post) => ({
        ...post,
        id: 'entry',
        version: text,
        html: null,
        tags: tags.map((tag) => ({ ...tag, href: text, kind: 'added' as const })),
      })),
      newer: text,
      older: text,
    }
    const part = { ...listing, current: false }
    const series = {
      name: 'By train',
      numbered: 'Part 2 of 3',
      parts: [part, { ...part, current: true }, part],
      previous: listing,
      next: listing,
    }
    const neighbours = { newer: listing, older: listing, related: posts, series }
    return [
      ...views.map((view) =>
        theme.section({
          ...withText(view),
          id: text,
          backgroundImage: text,
          actions: [action],
        } as SectionView),
      ),
      ...(['page', 'article', 'docs', 'item'] as const).map((type) =>
        theme.page({
          ...common,
          layout: null,
          page: { ...page, type },
          docs,
          breadcrumbs: [listing],
          listing,
          neighbours,
        }),
      ),
      theme.navPage({ ...common, title: text, tree }),
      ...(['grid', 'list'] as const).map((layout) => theme.listing({ ...common, ...list, layout })),
      theme.tags({ ...common, listing, blogs: [listing, listing].map((blog) => ({ ...blog, tags })) }),
      ...[null, { ...page, type: 'page' as const }].map((own) =>
        theme.notFound({
          ...common,
          page: own,
          favicon: text,
          icons: head.icons,
          themeColours: head.themeColours,
          script: '',
          css: '',
          visits: text,
          brandStyle: null,
          policy: text,
        }),
      ),
    ]
  }
})

describe('a theme that cannot be used', () => {
  const made: string[] = []
  afterEach(async () => {
    await Promise.all(made.splice(0).map((folder) => rm(folder, { recursive: true })))
  })

  test('a template that does not compile is reported with its line', async () => {
    const folders = await copyOfThemes()
    const file = join(folders.themes, 'default/layouts/page.eta')
    await cp(join(folders.templates, 'layouts'), join(folders.themes, 'default/layouts'), { recursive: true })

    await writeFile(file, '<h1>One</h1>\n<% if (it.page { %>\n<p></p>\n<% } %>\n')
    await expect(loadTheme('default', folders)).rejects.toThrow(`${file}:2: `)
    await expect(loadTheme('default', folders)).rejects.toMatchObject({ line: 2, column: 16 })
    await writeFile(file, '<h1>One</h1>\n\n<% for (const a of []) { %>\n<%= it.page.title\n')
    await expect(loadTheme('default', folders)).rejects.toThrow(`${file}:4: unclosed tag`)
    await expect(loadTheme('default', folders)).rejects.toMatchObject({ line: 4, column: 1 })
    await writeFile(file, `<h1>One</h1>\n<p><% if ( { %></p>\n${'<p></p>\n'.repeat(20)}`)
    await expect(loadTheme('default', folders)).rejects.toMatchObject({ line: 2, column: 7 })
    await writeFile(file, '<p><%= it.name </p>\n<p>a / b</p>\n<%= it.kind %>\n')
    await expect(loadTheme('default', folders)).rejects.toMatchObject({
      line: 1,
      column: 4,
      reason: 'This tag is not closed: %> is missing.',
    })
    await writeFile(file, '<p>\n<% if (it.page) { %>\n<% for (const a of []) { %>\n<% } %>\n</p>\n')
    await expect(loadTheme('default', folders)).rejects.toMatchObject({
      line: 2,
      column: 17,
      reason: 'The block that is opened here is not closed.',
    })
    await writeFile(file, "<h1>One</h1>\n<%~ include('partials/none') %>\n")
    await expect(loadTheme('default', folders)).rejects.toThrow(
      `${file}:2: There is no template partials/none.`,
    )
  })

  test.each([
    ['<title></title>\n<%= it.head.missing.title %>\n', 2, 21],
    ['<%\n  const { head } = it\n  const { title } = head.missing\n%>\n<title><%= title %></title>', 3, 11],
    ['<p>\n\n<% for (const a of [1]) { %><%~ a.b.c %><% } %></p>', 3, 37],
    ["<% const say = () => { throw new Error('no') } %>\n<p>\n<%= say() %>\n", 1, 30],
  ])(
    'a template that fails while rendering is reported with its position: %j',
    async (text, line, column) => {
      const folders = await copyOfThemes()
      const file = join(folders.templates, 'partials/head.eta')
      await writeFile(file, text)
      const theme = await loadTheme('default', folders)
      const render = () => theme.page(pageView(theme, { page: content({ type: 'page' }) }))
      expect(render).toThrow(`${file}:${line}`)
      expect(render).toThrow(expect.objectContaining({ file, line, column }))
    },
  )

  test('a symbolic link is refused', async () => {
    const folders = await copyOfThemes()
    await symlink('/etc/hostname', join(folders.templates, 'sections/linked.eta'))
    await expect(loadTheme('default', folders)).rejects.toThrow(
      'sections/linked.eta: Symbolic links are not allowed',
    )

    await symlink(join(folders.themes, 'dark'), join(folders.themes, 'linked'))
    await expect(loadTheme('linked', folders)).rejects.toThrow('Symbolic links are not allowed')
  })

  test('a template of the theme overrides the shared one and changes the digest', async () => {
    const folders = await copyOfThemes()
    const before = await loadTheme('minimal', folders)
    await cp(join(folders.templates, 'sections'), join(folders.themes, 'minimal/sections'), {
      recursive: true,
    })
    await writeFile(join(folders.themes, 'minimal/sections/cta.eta'), 'Own <%= it.title %>')
    const after = await loadTheme('minimal', folders)
    expect(after.section(sections.BANNER)).toBe('Own Your next page could be live in a minute')
    expect(after.digest).not.toBe(before.digest)
  })

  test.each(['missing', '../themes/default', '', 'default/'])('there is no theme %j', async (name) => {
    await expect(loadTheme(name, FOLDERS)).rejects.toThrow(`There is no theme ${JSON.stringify(name)}.`)
  })

  test('an incomplete theme.json is refused with the missing field', async () => {
    const folders = await copyOfThemes()
    await writeFile(join(folders.themes, 'dark/theme.json'), '{ "name": "dark", "title": "Dark" }')
    await expect(loadTheme('dark', folders)).rejects.toThrow(/dark\/theme\.json:1: .*color_scheme/)
    await cp(join(folders.themes, 'default/theme.json'), join(folders.themes, 'dark/theme.json'))
    await expect(loadTheme('dark', folders)).rejects.toThrow('dark/theme.json:2: name: must be dark')
    await writeFile(join(folders.themes, 'dark/theme.json'), '{')
    await expect(loadTheme('dark', folders)).rejects.toThrow(/dark\/theme\.json:1: /)
  })

  async function copyOfThemes(): Promise<{ themes: string; templates: string }> {
    const folder = await mkdtemp(join(tmpdir(), 'themes-'))
    made.push(folder)
    const folders = { themes: join(folder, 'themes'), templates: join(folder, 'templates') }
    await cp(fileURLToPath(FOLDERS.themes), folders.themes, { recursive: true })
    await cp(fileURLToPath(FOLDERS.templates), folders.templates, { recursive: true })
    return folders
  }
})

test('themes are listed by name', async () => {
  const listed = await listThemes(FOLDERS)
  expect(listed.map(({ name }) => name)).toEqual([...THEME_NAMES].sort())
})

const TEXT_FIELDS = new Set(
  'name title label text copyright description tagline icon linkText alt src href ogTitle ogImage canonical script themeStyle'.split(
    ' ',
  ),
)

function withoutStyle(html: string): string {
  return html.replace(/<(style|script)>[\s\S]*?<\/\1>/g, '')
}

function unescaped(html: string): string {
  return html
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
}

function faultsOf(messages: readonly Message[]): string[] {
  return messages.map(({ ruleId, message, line }) => `${line}: ${ruleId}: ${message}`)
}
