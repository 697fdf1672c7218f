import fc from 'fast-check'
import type { Element, ElementContent, Root, RootContent } from 'hast'
import rehypeRaw from 'rehype-raw'
import { unified } from 'unified'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CHROMIUM, launchChromium } from '../browser/chromium.ts'
import { LONG_FORM } from '../support/long-form.ts'
import { expectRefusal } from '../support/refusal.ts'
import { pageBody, startService, type TestService } from '../support/service.ts'

/*
 * Every text a tenant can write, through both surfaces, carries an attack into every document that
 * is made of it. What comes out is read as browsers read it, never as text.
 */

const PAYLOADS = LONG_FORM ? 320 : 100
const GROUP = 8
/** What every attack tries to call. */
const CODE = 'pwned(1)'

const scheme = fc.constantFrom(
  ...['javascript:', 'JaVaScRiPt:', ' javascript:', '\u0001javascript:', 'java\tscript:', 'java\nscript:'],
  ...['javascript&colon;', '&#106;avascript:', '&#x6A&#x61vascript:', 'java&Tab;script:', 'java%0ascript:'],
  ...['\u00a0javascript:', '\u2028javascript:', '\\javascript:', 'x:javascript:', 'view-source:javascript:'],
  ...['vbscript:', 'data:text/html,<script>', 'data:image/svg+xml,<svg onload=', 'blob:', 'ｊavascript:'],
)
const url = fc
  .tuple(scheme, fc.constantFrom('', '//', '/*', '%0a'))
  .map(([start, rest]) => start + rest + CODE)

const handler = fc.constantFrom(
  ...['onerror', 'onload', 'ONCLICK', 'onfocus autofocus tabindex=0 x', 'onmouseover', 'ontoggle', 'onbegin'],
  ...['onanimationstart', 'on\u0000error', 'onpointerrawupdate', 'oncontentvisibilityautostatechange'],
)
const quote = fc.constantFrom('"', "'", '', '`', '&quot;', '&#34;')
const gap = fc.constantFrom(' ', '/', '\t', '\n', '\f', ' / ', '"', "'")
const attribute = fc.oneof(
  fc.tuple(handler, quote).map(([name, mark]) => `${name}=${mark}${CODE}${mark}`),
  fc
    .tuple(
      fc.constantFrom(
        ...['href', 'src', 'srcset', 'xlink:href', 'action', 'formaction', 'data', 'poster', 'background'],
        ...['ping', 'content', 'code', 'from', 'to', 'values'],
      ),
      quote,
      url,
    )
    .map(([name, mark, target]) => `${name}=${mark}${target}${mark}`),
  fc.constantFrom(
    `srcdoc="<script>${CODE}</script>"`,
    `style="background:url(javascript:${CODE});behavior:url(#x);animation:x"`,
    'http-equiv=refresh content="0;url=https://evil.test/"',
    'class="anchor sr-only" id="content" name="location" is="x-y" slot=x',
    'target=_top rel=opener attributeName=href',
  ),
)
const tag = fc.constantFrom(
  ...['script', 'img', 'svg', 'iframe', 'form', 'object', 'embed', 'base', 'meta', 'link', 'math', 'style'],
  ...['details open', 'video', 'audio', 'a', 'input', 'button', 'textarea', 'template', 'noscript', 'xmp'],
  ...['title', 'plaintext', 'select', 'svg><script', 'svg><animate', 'svg><foreignObject><img', 'body'],
  ...['math><mtext><img', 'table><caption><img', 'SCRIPT', 'ſcript', 'scr\u0000ipt', 'image', 'isindex'],
  ...['frameset', 'frame', 'marquee', 'keygen', 'dialog open', 'p', 'x-y', '/p', '!--', '?xml', '![CDATA['],
)
const element = fc
  .tuple(
    tag,
    gap,
    fc.array(attribute, { minLength: 1, maxLength: 3 }),
    gap,
    fc.constantFrom('>', '/>', '', '>x'),
  )
  .map(([name, before, attributes, between, end]) => `<${name}${before}${attributes.join(between)}${end}`)

const breakout = fc.constantFrom(
  ...[
    '',
    '">',
    "'>",
    '-->',
    ']]>',
    '</title>',
    '</style>',
    '</script>',
    '</textarea>',
    '</template>',
    '</svg>',
  ],
  ...[
    '<!-->',
    '<!--->',
    '<![CDATA[',
    '<noscript><p title="</noscript>',
    '<svg><style>',
    '<math><mi><mglyph>',
  ],
  ...[
    '<form><math><mtext></form><form><mglyph><style></math>',
    '<table><svg><desc>',
    '\u0000',
    '&lt;',
    '\\"',
  ],
  ...[
    '" ',
    "' ",
    '%> ',
    '<%~ it.x %>',
    '${',
    '{{',
    '\u2028',
    '\r\n\r\n',
    '`',
    ';}',
    '}</style>',
    '<a title="',
  ],
)
const markdown = fc.oneof(
  url.map((target) => `[x](${target})`),
  url.map((target) => `[x](<${target}>)`),
  url.map((target) => `![x](${target} "t")`),
  url.map((target) => `<${target}>`),
  url.map((target) => `[x]\n\n[x]: ${target} "t"`),
  element.map((html) => `[${html}](/a "${html}")`),
  element.map((html) => `# ${html}\n\n${html}`),
  element.map((html) => `\`\`\`x"${html}\n${html}\n\`\`\``),
  element.map((html) => `a[^${html.replace(/[\]\s]/g, '')}]\n\n[^${html.replace(/[\]\s]/g, '')}]: ${html}`),
  element.map((html) => `> [!NOTE]\n> ${html}`),
  element.map((html) => `| ${html} | b |\n|---|---|\n| ${html} | c |`),
  element.map((html) => `- [ ] ${html}\n  <b>${html}`),
)
const payload = fc.oneof(
  { weight: 3, arbitrary: fc.tuple(breakout, element).map(([out, html]) => out + html) },
  { weight: 2, arbitrary: fc.tuple(breakout, markdown).map(([out, text]) => out + text) },
  { weight: 1, arbitrary: url },
)

let service: TestService
let project: string
let pages: Readonly<Record<'page' | 'article' | 'docs' | 'item', string>>
/** The documents that were made of attacks and not looked at yet. */
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

/** What fits a field of one line. */
const line = (text: string, most: number) =>
  `${[...text.replace(/\p{Cc}/gu, ' ')].slice(0, most - 1).join('')}.`
/** As near to an attack as a URL may come. */
const imageUrl = (text: string) => `https://evil.test/${text.replace(/[\s\p{Cc}\\?#]/gu, '')}.png`

/** Write the attacks into every field there is, and take what is made of them. */
async function attack(texts: readonly string[]): Promise<void> {
  const text = (i: number) => texts[i % texts.length] ?? ''
  const all = texts.join('\n\n')

  await put(`/projects/${project}`, {
    name: line(text(0), 100),
    settings: { logo: imageUrl(text(1)), custom_css: `/* ${all.replace(/<\/|<!--/g, '')} */ a{b:c}` },
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
    branding: { primary_color: text(0), font: text(1), tagline: text(2), lang: text(3), dir: text(4) },
  })

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
    ...{ title: text(6), subtitle: text(7), tagline: text(0), actions: [action, action], background: image },
    ...{ align: text(1), image, background_image: text(2), video: text(3), layout: text(4), note: text(5) },
    ...{ items: texts.map((title) => ({ ...card, title })), columns: 3, body: all, html: all },
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
  const { storage } = service.server.quoin
  for (const key of await storage.list(`${project}/`)) {
    if (key.endsWith('.html')) documents.add(Buffer.from((await storage.get(key)) ?? []).toString())
  }
}

describe('whatever a tenant writes', () => {
  test('makes no script, handler, foreign frame or form, or dangerous URL', async () => {
    const attacks = fc.sample(payload, { numRuns: PAYLOADS, seed: 7 })
    for (let i = 0; i < attacks.length; i += GROUP) {
      await attack(attacks.slice(i, i + GROUP))
      for (const html of documents) expect(faultsOf(html)).toEqual([])
      // Four pages and their previews, the 404 page and the docs navigation.
      expect(documents.size).toBeGreaterThanOrEqual(10)
      documents.clear()
    }
  })

  test('the eye sees what it looks for', () => {
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
    for (const html of attacked) expect([html, faultsOf(html).length > 0]).toEqual([html, true])
    expect(faultsOf('<!doctype html><p><a href="/a:b">&lt;script&gt;</a>')).toEqual([])
  })
})

test.skipIf(CHROMIUM === null)('no attack runs in a browser', async () => {
  const attacks = fc.sample(payload, { numRuns: PAYLOADS / 4, seed: 8 })
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
    for (let i = 0; i < attacks.length; i += 4 * GROUP) {
      documents.clear()
      await attack(attacks.slice(i, i + 4 * GROUP))
      for (const html of documents) {
        shown = html
        await tab.goto('https://site.test/')
        expect(new URL(tab.url()).hostname).toBe('site.test')
        // A link is only followed by hand.
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

describe('no field for a URL takes', () => {
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
  test.each(SCHEMES)('%j', async (value) => {
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
    'measurement id %j',
    async (id) => {
      const write = { google_analytics_id: id }
      expectRefusal(await service.call('PUT', `/projects/${project}/settings`, write), 'validation_error')
    },
  )
})

const reader = unified().use(rehypeRaw)

/** Reads the document by the rules of HTML, templates included, and names what must not be there. */
function faultsOf(html: string): readonly string[] {
  const root: Root = { type: 'root', children: [{ type: 'doctype' }, { type: 'raw', value: html }] }
  const elements = elementsIn((reader.runSync(root) as Root).children)
  const body = elementsIn(elements.find(({ tagName }) => tagName === 'body')?.children ?? [])
  const misplaced = body.filter(({ tagName }) => ONLY_IN_HEAD.has(tagName)).map(({ tagName }) => tagName)
  return [...misplaced, ...elements.flatMap(elementFaults)]
}

function elementsIn(nodes: readonly (RootContent | ElementContent)[]): readonly Element[] {
  return nodes.flatMap((node) =>
    node.type === 'element'
      ? [node, ...elementsIn(node.children), ...elementsIn(node.content?.children ?? [])]
      : [],
  )
}

const NEVER = new Set([
  ...['iframe', 'form', 'object', 'embed', 'base', 'frame', 'frameset', 'applet', 'math', 'foreignObject'],
  ...['animate', 'set', 'textarea', 'select', 'template', 'noscript', 'marquee', 'portal', 'audio'],
])
const ONLY_IN_HEAD = new Set(['script', 'style', 'link', 'meta', 'title', 'base'])
const URLS = [
  'href',
  'src',
  'xLinkHref',
  'action',
  'formAction',
  'data',
  'poster',
  'background',
  'ping',
  'cite',
]
const NEVER_ATTRIBUTES = ['srcDoc', 'style', 'formAction', 'ping', 'is', 'xLinkHref', 'action']
/** `404.html` is served at any depth, so it names its script in full. */
const OUR_FILE =
  /^(?:(?:\.\.\/)*|\.\/|\/render\/|http:\/\/127\.0\.0\.1:\d+\/public\/proj_\w+\/)_assets\/[\w.-]+$/

function elementFaults({ tagName, properties, children }: Element): readonly string[] {
  const names = Object.keys(properties)
  const target = String(properties['src'] ?? properties['href'] ?? '')
  const isOurs = OUR_FILE.test(target)
  return [
    NEVER.has(tagName) && tagName,
    tagName === 'script' &&
      !isData(properties, children) &&
      (!isOurs || children.length > 0) &&
      `script ${target}`,
    tagName === 'link' && String(properties['rel']) === 'stylesheet' && !isOurs && `stylesheet ${target}`,
    tagName === 'link' &&
      !['stylesheet', 'icon', 'canonical', 'alternate'].includes(String(properties['rel'])) &&
      'link',
    ...names.filter((name) => /^on/i.test(name) || NEVER_ATTRIBUTES.includes(name)),
    properties['httpEquiv'] !== undefined && !isPolicy(properties) && 'httpEquiv',
    ...names.filter((name) => URLS.includes(name) && !isHarmless(String(properties[name]))),
  ]
    .filter((fault) => fault !== false)
    .map((fault) => `${tagName}: ${fault}`)
}

/** The one that the document brings along itself, which lets no inline script run. */
function isPolicy({ httpEquiv, content }: Element['properties']): boolean {
  const isOurs = String(httpEquiv) === 'Content-Security-Policy'
  return isOurs && String(content).startsWith("default-src 'none'; script-src 'self'; style-src 'self'")
}

/** What search engines are told: no browser runs it. */
function isData(properties: Element['properties'], children: Element['children']): boolean {
  const [text] = children
  if (String(Object.entries(properties)) !== 'type,application/ld+json' || text?.type !== 'text') return false
  return JSON.parse(text.value)['@context'] === 'https://schema.org'
}

function isHarmless(target: string): boolean {
  if (!URL.canParse(target, 'https://site.test/a/')) return true
  return ['http:', 'https:', 'mailto:', 'tel:'].includes(new URL(target, 'https://site.test/a/').protocol)
}
