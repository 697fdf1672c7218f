import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Artifact } from '../../src/domain/artifact.ts'
import { ServiceError } from '../../src/domain/errors.ts'
import type { LivePage } from '../../src/domain/live-page.ts'
import { PACKAGE_ROOT } from '../../src/platform/package-paths.ts'
import { liveCard } from '../../src/render/listing/live-card.ts'
import { llmsLine } from '../../src/render/site-files/llms.ts'
import { manifestLine } from '../../src/render/site-files/manifest.ts'
import { sitemapLine } from '../../src/render/site-files/sitemap.ts'
import { createInProcessRenderer } from '../../src/renderer/in-process.ts'
import { loadThemes } from '../../src/theme/load-theme.ts'
import { CHROMIUM, launchChromium } from '../browser/chromium.ts'
import { LONG_FORM } from '../support/long-form.ts'
import { expectRefusal } from '../support/refusal.ts'
import { pageBody, startService, type TestService } from '../support/service.ts'
import { attackText } from './attack-texts.ts'
import { attackedPages } from './attacked-pages.ts'
import { documentErrors, fragmentErrors, xmlErrors } from './document-errors.ts'

/*
 * Writes attacks into every text field of both API surfaces, and checks every rendered document with an HTML parser,
 * never as text.
 */

/** `npm run attacks` runs all of them, which takes minutes. */
const ALL = process.env['QUOIN_ATTACKS'] === 'all'

/** Number of batches, and of texts in each, that are rendered without the API, one text in every field. */
const BATCHES = ALL ? 20 : 1
const RENDERED = ALL ? 300 : 24
/** Number of texts that one round writes through the API, where fields are validated. */
const GROUP = 8
const WRITTEN = ALL ? 320 : 16
/** Number of texts that are opened in a browser. */
const OPENED = ALL ? 160 : 32

let service: TestService
let project: string
let pages: Readonly<Record<'page' | 'article' | 'docs' | 'item', string>>
/** Documents with attacks that are not checked yet. */
const documents = new Set<string>()

beforeAll(async () => {
  service = await startService()
  project = await service.newProject()
  const made = ['page', 'article', 'docs', 'item'].map(async (type) => {
    const fields = { type, slug: `a-${type}`, subroute: type === 'docs' ? 'docs' : '' }
    return [type, (await service.call('POST', '/pages', pageBody(project, fields))).body.data.id]
  })
  pages = Object.fromEntries(await Promise.all(made))
})
afterAll(() => service.close())

const put = async (path: string, body: object) => {
  const { status, body: answer } = await service.call('PUT', path, body)
  expect({ path, status, answer: status === 200 ? null : answer }).toEqual({
    path,
    status: 200,
    answer: null,
  })
}

/** The attack without control characters, cut to a length. */
const line = (text: string, most: number) =>
  `${[...text.replace(/\p{Cc}/gu, ' ')].slice(0, most - 1).join('')}.`
/** The attack in a valid URL. */
const imageUrl = (text: string) => `https://evil.test/${text.replace(/[\s\p{Cc}\\?#]/gu, '')}.png`

/** Writes the attacks into every field and collects all outputs. */
async function attack(written: readonly string[]): Promise<void> {
  // U+0000 is refused in every field.
  const texts = written.map((text) => text.replaceAll('\0', '\u0001'))
  const text = (i: number) => texts[i % texts.length] ?? ''
  const all = texts.join('\n\n')

  await put(`/projects/${project}`, {
    name: line(text(0), 100),
    settings: { logo: imageUrl(text(1)), custom_css: `/* ${all.replace(/<\/|<!--|\*\//g, '')} */ a{b:c}` },
  })
  await put(`/projects/${project}/settings`, {
    meta_title: line(text(2), 60),
    meta_description: [...text(3)].slice(0, 160).join(''),
    favicon_url: imageUrl(text(4)),
    og_image_url: imageUrl(text(5)),
    footer_text: text(6),
    nav_links: texts.map((label) => ({ label: line(label, 100), href: imageUrl(label) })),
  })
  await put(`/v1/projects/${project}/settings`, {
    docs_nav: [
      { title: line(text(1), 200), badge: line(text(2), 20), children: [{ title: 'A', slug: 'a-docs' }] },
    ],
    shared_footer: {
      links: [
        { title: line(text(3), 100), links: [{ label: line(text(4), 100), href: imageUrl(text(4)) }] },
        { label: line(text(5), 100), href: imageUrl(text(6)) },
      ],
      copyright: [...text(7)].slice(0, 500).join(''),
    },
    branding: { tagline: text(2), dir: text(4) },
  })
  // Branding values that pages show are refused when malformed.
  for (const [name, value] of Object.entries({ primary_color: text(0), font: text(1), lang: text(3) })) {
    const { status } = await service.call('PUT', `/v1/projects/${project}/settings`, {
      branding: { [name]: value },
    })
    expect([200, 422]).toContain(status)
  }

  const common = {
    title: line(text(0), 200),
    description: [...text(1)].slice(0, 500).join(''),
    og_image_url: imageUrl(text(2)),
    meta: {
      title: line(text(3), 60),
      description: [...text(4)].slice(0, 160).join(''),
      keywords: text(5),
      robots: line(text(6), 100),
    },
    author: { name: line(text(7), 200), avatar: imageUrl(text(0)) },
    markdown_content: all,
  }
  const matter = JSON.stringify({ author: { name: text(0), avatar: text(1) }, badge: text(2), lang: text(3) })
  await put(`/pages/${pages.article}`, common)
  await put(`/pages/${pages.docs}`, { ...common, markdown_content: `---\n${matter}\n---\n${all}` })
  await put(`/pages/${pages.item}`, {
    ...common,
    config: {
      lang: text(1),
      badge: text(2),
      image: text(3),
      [text(4)]: texts,
      nested: { [text(5)]: text(6) },
    },
  })
  const image = { src: text(1), alt: text(2), width: 5, dark: text(3) }
  const action = { text: text(4), link: text(5), variant: text(6), target: text(7), icon: text(0) }
  const card = {
    title: text(1),
    description: text(2),
    icon: text(3),
    image,
    link: text(4),
    link_text: text(5),
  }
  const props = {
    title: text(6),
    subtitle: text(7),
    tagline: text(0),
    actions: [action, action],
    background: image,
    align: text(1),
    image,
    background_image: text(2),
    video: text(3),
    layout: text(4),
    note: text(5),
    items: texts.map((title) => ({ ...card, title })),
    columns: 3,
    body: all,
    html: all,
  }
  await put(`/pages/${pages.page}`, {
    ...common,
    config: {
      lang: text(5),
      sections: ['hero', 'features', 'cta', text(0)].map((type) => ({ type, id: text(1), props })),
    },
  })

  for (const page of Object.values(pages)) {
    const { status } = await service.call('POST', `/pages/${page}/publish`)
    expect([200, 422]).toContain(status)
    documents.add((await service.call('GET', `/render/${page}`)).body)
  }
  const { storage } = service.server.service
  for (const key of await storage.list(`${project}/`)) {
    const body = await storage.get(key)
    // The file of the search index was replaced meanwhile.
    if (body === null) continue
    if (key.endsWith('.html')) documents.add(Buffer.from(body).toString())
    else expect([key, errorsIn({ key, body })]).toEqual([key, []])
  }
}

describe('any text of a tenant', () => {
  test('renders no script, handler, foreign frame or form, or dangerous URL', async () => {
    const attacks = fc.sample(attackText, { numRuns: WRITTEN, seed: 7 })
    for (let i = 0; i < attacks.length; i += GROUP) {
      await attack(attacks.slice(i, i + GROUP))
      for (const html of documents) expect(documentErrors(html)).toEqual([])
      // Four pages and their previews, the 404 page and the docs navigation.
      expect(documents.size).toBeGreaterThanOrEqual(10)
      documents.clear()
    }
  })

  test('the checks detect attacks', () => {
    const attacked = [
      ...[
        '<script>x</script>',
        '<img src=x onerror=x>',
        '<a href="java\tscript:x">',
        '<iframe srcdoc=x></iframe>',
      ],
      ...[
        '<form action=/x></form>',
        '<svg><a xlink:href="javascript:x"></a></svg>',
        '<base href=//evil.test>',
      ],
      ...['<meta http-equiv=refresh content=0>', '<p style="color:red">', '<script src=/evil.js></script>'],
      ...[
        '<p><style>a{}</style>',
        '<template><img onerror=x></template>',
        '<link rel=stylesheet href=//evil.test>',
      ],
    ]
    for (const html of attacked) expect([html, documentErrors(html).length > 0]).toEqual([html, true])
    expect(documentErrors('<!doctype html><p><a href="/a:b">&lt;script&gt;</a>')).toEqual([])
  })
})

test.runIf(LONG_FORM && CHROMIUM !== null)('no attack runs in a browser', async () => {
  const attacks = fc.sample(attackText, { numRuns: OPENED, seed: 8 })
  const browser = await launchChromium()
  try {
    const tab = await browser.newPage()
    const calls: unknown[] = []
    await tab.exposeFunction('pwned', (...values: unknown[]) => calls.push(values))
    let shown = ''
    await tab.route('**/*', (route) =>
      route.request().resourceType() === 'document'
        ? route.fulfill({ contentType: 'text/html; charset=utf-8', body: shown })
        : route.abort(),
    )
    for (let i = 0; i < attacks.length; i += GROUP * 4) {
      documents.clear()
      await attack(attacks.slice(i, i + GROUP * 4))
      for (const html of documents) {
        shown = html
        await tab.goto('https://site.test/')
        expect(new URL(tab.url()).hostname).toBe('site.test')
        // Links run only when they are clicked.
        await tab.evaluate(`for (const link of document.links) {
          if (link.protocol === 'javascript:') link.click()
        }`)
      }
    }
    expect(calls).toEqual([])
  } finally {
    await browser.close()
  }
})

describe('no URL field accepts', () => {
  const SCHEMES = [
    ...[
      'javascript:alert(1)',
      'JAVASCRIPT:alert(1)//.png',
      ' javascript:x.png',
      'java\tscript:x.png',
      '//evil.test/a.png',
    ],
    ...[
      'data:image/png;base64,AAAA.png',
      'vbscript:x.png',
      '\\\\evil.test\\a.png',
      '/\\evil.test/a.png',
      'file:///a.png',
    ],
    ...['https:///a.png', 'ftp://evil.test/a.png', 'blob:https://evil.test/a.png', '/a\u0000.png'],
  ]
  test.each(SCHEMES)('the dangerous address %j', async (value) => {
    const named = [{ label: 'A', href: value }]
    const writes = [
      ['PUT', `/pages/${pages.article}`, { og_image_url: value }],
      ['PUT', `/pages/${pages.article}`, { author: { name: 'A', avatar: value } }],
      ['PUT', `/projects/${project}`, { settings: { favicon: value } }],
      ['PUT', `/projects/${project}`, { settings: { logo: value } }],
      ['PUT', `/projects/${project}`, { settings: { social_image: value } }],
      ['PUT', `/projects/${project}/settings`, { favicon_url: value }],
      ['PUT', `/projects/${project}/settings`, { og_image_url: value }],
      ['PUT', `/projects/${project}/settings`, { nav_links: named }],
      ['PUT', `/v1/projects/${project}/settings`, { shared_header: { logo: value } }],
      ['PUT', `/v1/projects/${project}/settings`, { shared_header: { links: named } }],
      ['PUT', `/v1/projects/${project}/settings`, { shared_footer: { links: named } }],
      [
        'PUT',
        `/v1/projects/${project}/settings`,
        { shared_footer: { links: [{ title: 'A', links: named }] } },
      ],
    ] as const
    for (const [method, path, body] of writes)
      expectRefusal(await service.call(method, path, body), 'validation_error')
  })

  test.each(['</style>', '</STYLE >', '</scr', '<!-- ', 'a{}</p'])('custom CSS with %j', async (css) => {
    const write = { settings: { custom_css: css } }
    expectRefusal(await service.call('PUT', `/projects/${project}`, write), 'validation_error')
  })

  test.each(['G-1"><script>', "G-ABCD1234');x('", 'G-abcd', 'G-ABCD1234\n', 'javascript:x'])(
    'the invalid measurement id %j',
    async (id) => {
      const write = { google_analytics_id: id }
      expectRefusal(await service.call('PUT', `/projects/${project}/settings`, write), 'validation_error')
    },
  )
})

// Last, because it blocks the thread and would let connections of the service time out.
describe('any page, even without validation', () => {
  const seeds = Array.from({ length: BATCHES }, (_, index) => 100 + index)
  test.each(seeds)(
    'renders no script, handler, foreign frame or form, or dangerous URL: texts of seed %i',
    async (seed) => {
      const folders = {
        themes: join(PACKAGE_ROOT, 'themes'),
        templates: join(PACKAGE_ROOT, 'themes/_shared'),
      }
      const renderer = createInProcessRenderer(await loadThemes(folders))
      let documents = 0
      for (const text of fc.sample(attackText, { numRuns: RENDERED, seed })) {
        const pages = attackedPages(text)
        for (const artifact of await rendered(renderer, pages)) {
          expect([text, artifact.key, errorsIn(artifact)]).toEqual([text, artifact.key, []])
          documents++
        }
      }
      // For most texts: four pages, three Markdown files, previews, navigation, 404 page, feeds and indexes.
      expect(documents).toBeGreaterThan(RENDERED * 12)
    },
  )
})

/** Renders the pages and the site of them. A page may be refused as too complex. */
async function rendered(
  renderer: ReturnType<typeof createInProcessRenderer>,
  pages: readonly LivePage[],
): Promise<readonly Artifact[]> {
  const bases = { pages: '/public/a/', files: '/render/' }
  const rendering = pages.map(async (live) => {
    const { artifacts } = await renderer.renderPage(live)
    const { html } = await renderer.preview(live, bases)
    return [
      ...artifacts,
      { key: 'preview.html', stage: 'page', body: Buffer.from(html), owner: { kind: 'site', id: '' } },
    ]
  })
  const artifacts = (await Promise.all(rendering.map((page) => page.catch(unlessTooComplex)))) as Artifact[][]
  const [first] = pages
  if (first === undefined) return artifacts.flat()
  const entries = await Promise.all(pages.map((live) => renderer.feedEntry(live)))
  const ofBlog = { folder: 'blog', blog: 'blog', tag: null, feed: null, tags: [] }
  const listing = { ...ofBlog, number: null, path: '/blog', newer: '/blog/page/1', older: null }
  const articles = [liveCard(first, first.path, '2026-01-01T00:00:00.000Z')]
  const site = await renderer.renderSite({
    ...first,
    listings: { pages: [{ ...listing, articles, isNew: true }], tagIndexes: [], fronts: ['/blog'] },
    revision: 1,
    docsOrder: [],
    lines: pages.map((live) => ({
      subroute: live.page.subroute,
      slug: live.page.slug,
      line: manifestLine(live, { publishedAt: '2026-01-01T00:00:00.000Z', etag: 'a' }),
      sitemap: sitemapLine(live),
      llms: llmsLine(live),
    })),
    feed: entries.filter((entry) => entry !== null),
    trees: new Map(
      pages.flatMap(({ context }) => (context.docs === null ? [] : [['docs', context.docs.branch]])),
    ),
  })
  return [...artifacts.flat(), ...site]
}

function unlessTooComplex(error: unknown): readonly Artifact[] {
  if (error instanceof ServiceError && error.name === 'validation_error') return []
  throw error
}

function errorsIn({ key, body }: Pick<Artifact, 'key' | 'body'>): readonly string[] {
  const text = Buffer.from(body).toString()
  if (key.endsWith('.html')) return documentErrors(text)
  if (key.endsWith('.xml')) return [...xmlErrors(text), ...atomTexts(text).flatMap(fragmentErrors)]
  if (!key.endsWith('.json')) return []
  const { items = [] } = JSON.parse(text)
  return items.flatMap((item: { content_html?: string }) => fragmentErrors(item.content_html ?? ''))
}

/** The HTML of a feed's entries, unescaped. */
function atomTexts(xml: string): readonly string[] {
  const references: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
  return [...xml.matchAll(/<(?:content|summary)[^>]* type="html"[^>]*>([^<]*)</g)].map(([, html = '']) =>
    html.replace(/&(?:#(\d+)|(\w+));/g, (_, code?: string, name = '') =>
      code === undefined ? (references[name] ?? '') : String.fromCodePoint(Number(code)),
    ),
  )
}
