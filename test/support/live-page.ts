import fc from 'fast-check'
import { ID_ALPHABET, ID_LENGTH, type Id, type IdPrefix } from '../../src/domain/ids.ts'
import type { JsonObject, JsonValue } from '../../src/domain/json.ts'
import type { Collections, DocsContext, LivePage, NavNode } from '../../src/domain/live-page.ts'
import type { Page, TypeFields } from '../../src/domain/page.ts'
import { PAGE_TYPES } from '../../src/domain/page.ts'
import { pathFolder, publicPath } from '../../src/domain/route.ts'
import { DEFAULT_SETTINGS, type Settings } from '../../src/domain/settings.ts'
import { distinctTags, isTagName } from '../../src/domain/tag.ts'

const NOW = '2026-03-03T09:00:00.000Z'

/** The fields that a test sets. All others are those of a new page. */
export interface LivePageParts {
  readonly page?: Partial<Page>
  readonly fields?: Partial<TypeFields>
  readonly settings?: Partial<Settings>
  readonly site?: Partial<LivePage['site']>
  readonly docs?: DocsContext | null
  readonly neighbours?: LivePage['context']['neighbours']
  readonly collections?: Collections
}

/** A page as it is after a publish was accepted. */
export function livePage({
  page = {},
  fields = {},
  settings = {},
  site = {},
  docs = null,
  neighbours = null,
  collections = new Map(),
}: LivePageParts = {}): LivePage {
  const whole: Page = { ...NEW_PAGE, ...page }
  const all: Settings = { ...DEFAULT_SETTINGS, ...settings }
  return {
    page: whole,
    fields: {
      redirectFrom: [],
      tags: [],
      locale: null,
      translationKey: null,
      publishDate: null,
      author: null,
      blog: null,
      navOrder: 0,
      parentPage: null,
      badge: null,
      ...fields,
    },
    settings: all,
    site: {
      projectId: whole.projectId,
      name: 'Acme',
      origin: 'https://acme.example',
      hostingMode: 'full_host',
      keyId: null,
      manifest: 'full',
      ...site,
    },
    path: publicPath(whole, all.siteRoutes),
    file: `${pathFolder(publicPath(whole, all.siteRoutes))}index.html`,
    context: { docs, collections, neighbours },
  }
}

const NEW_PAGE: Page = {
  id: 'pageaaaaaaaaaaaa' as Id<'page'>,
  projectId: 'projaaaaaaaaaaaa' as Id<'proj'>,
  title: 'Install',
  slug: 'install',
  subroute: '',
  type: 'page',
  status: 'draft',
  description: '',
  ogImageUrl: null,
  meta: {},
  config: {},
  markdown: '',
  ownFields: {},
  contentDigest: '',
  wordCount: 0,
  tags: [],
  feedGuid: null,
  feedId: null,
  publishedAt: null,
  firstPublishedAt: null,
  createdAt: NOW,
  updatedAt: NOW,
  version: 1,
}

function anyId<K extends IdPrefix>(): fc.Arbitrary<Id<K>> {
  const character = fc.constantFrom(...ID_ALPHABET)
  return fc.string({ unit: character, minLength: ID_LENGTH, maxLength: ID_LENGTH }).map((id) => id as Id<K>)
}

/** Texts of authors, language models and attackers. */
export function anyText(): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 3, arbitrary: fc.string({ unit: 'grapheme', maxLength: 40 }) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
    { weight: 2, arbitrary: fc.constantFrom(...NASTY_TEXTS) },
    { weight: 2, arbitrary: anyUrl() },
  )
}

const NASTY_TEXTS = [
  '"><script>alert(1)</script>',
  "' onerror='alert(1)",
  '[click](javascript:alert(1))',
  '![x](data:text/html;base64,PHNjcmlwdD4=)',
  '<a href="jav&#x61;script:alert(1)">x</a>',
  '</style><script>alert(1)</script>',
  '# A heading\n\n- a list\n\n| a | b |\n|---|---|\n| 1 | 2 |',
  'مرحبا بالعالم',
  '你好，世界',
  '__proto__',
  'undefined',
  ' ',
  '',
]

/** Valid and invalid URLs, whole and assembled from parts. */
export function anyUrl(): fc.Arbitrary<string> {
  const piece = fc.constantFrom(...URL_PIECES)
  return fc.oneof(
    fc.constantFrom(...URLS),
    fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join('')),
    fc.webUrl({ withQueryParameters: true, withFragments: true }),
  )
}

const URLS = [
  'https://example.com/a?b=c#d',
  '/docs/install#x',
  '/images/a.png',
  '/',
  '#top',
  'sibling/',
  '../up',
  'mailto:a@b.example',
  'tel:+49301234',
  '//evil.example/x',
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  ' javascript:alert(1)',
  'java\nscript:alert(1)',
  'java&#115;cript:alert(1)',
  'javascript&colon;alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:x',
  '\\\\evil.example',
  '/\\evil.example',
  '/javascript:alert(1)',
  '/.//evil.example',
  '/../../up',
  '/%2e%2e/up',
  'https:evil',
  'https://',
]

const URL_PIECES = [
  ...[
    '/',
    '/',
    '//',
    '.',
    '..',
    '\\',
    ':',
    '#',
    '?',
    '&',
    ';',
    '%2e',
    '%2f',
    '%5c',
    '%',
    '@',
    ' ',
    '\t',
    '\n',
    '\0',
  ],
  ...['a', 'docs', 'a.png', 'é', '名', '\u202e', '\ufeff', '\u2028', '&#58;', '&colon;', '&Tab;', '[::1]'],
  ...[
    'http',
    'https',
    'HTTPS',
    'mailto',
    'tel',
    'javascript',
    'data',
    'vbscript',
    'file',
    'blob',
    'evil.example',
  ],
]

/** A page of any type with any values that may be stored. */
export function anyLivePage(): fc.Arbitrary<LivePage> {
  return fc
    .record({
      page: anyPage(),
      fields: anyFields(),
      settings: anySettings(),
      site: anySite(),
      docs: anyDocsContext(),
    })
    .map(({ docs, ...parts }) => livePage({ ...parts, docs: parts.page.type === 'docs' ? docs : null }))
}

function anyPage(): fc.Arbitrary<Page> {
  return fc
    .record({
      id: anyId<'page'>(),
      title: anyText().filter((title) => title !== ''),
      slug: fc.oneof(anySlug(), fc.constant('index')),
      subroute: anySubroute(),
      type: fc.constantFrom(...PAGE_TYPES),
      description: anyText(),
      ogImageUrl: fc.option(anyUrl()),
      meta: fc.dictionary(fc.constantFrom('title', 'description', 'keywords', 'robots'), anyText()),
      config: anyConfig(),
      markdown: fc.oneof(anyText(), anyMarkdown()),
      wordCount: fc.nat(),
      tags: fc.constant([]),
    })
    .map((parts) => ({ ...NEW_PAGE, ...parts }))
}

function anySlug(): fc.Arbitrary<string> {
  return fc.stringMatching(/^[a-z0-9][a-z0-9-]{0,8}$/)
}

function anySubroute(): fc.Arbitrary<string> {
  return fc.array(anySlug(), { maxLength: 3 }).map((segments) => segments.join('/'))
}

function anyMarkdown(): fc.Arbitrary<string> {
  const frontMatter = fc.constantFrom('', '---\nlang: fa\nimage: /cover.jpg\n---\n', '---\nlang: [\n---\n')
  return fc
    .tuple(frontMatter, fc.array(anyText(), { maxLength: 4 }), anyUrl())
    .map(([start, texts, url]) => `${start}${texts.join('\n\n')}\n\n[a link](${url}) ![an image](${url})`)
}

function anyConfig(): fc.Arbitrary<JsonObject> {
  const keys = fc.constantFrom(
    'lang',
    'image',
    'theme',
    'price',
    'homepage',
    'screenshots',
    'release_date',
    'nested',
  )
  return fc
    .tuple(fc.dictionary(keys, anyJson(3)), fc.option(fc.array(anySection(), { maxLength: 5 })))
    .map(([config, sections]) => (sections === null ? config : { ...config, sections }))
}

/** An element of `config.sections`, mostly with a valid structure and with any props. */
export function anySection(): fc.Arbitrary<JsonValue> {
  const type = fc.constantFrom(
    ...['hero', 'Features', 'call_to_action', 'content', 'pricing', 'testimonials', 'faq', 'stats', 'logos'],
    ...['steps', 'gallery', 'team', 'contact', 'posts', 'Unheard of', ''],
  )
  const props = fc.dictionary(
    fc.constantFrom(...PROP_NAMES),
    fc.oneof(anyText(), anyUrl(), anyJson(2), anyItems(), anyItems(anyItems()), anyForm()),
  )
  return fc.oneof(
    {
      weight: 9,
      arbitrary: fc.tuple(type, props, props).map(([type, flat, props]) => ({ ...flat, type, props })),
    },
    { weight: 1, arbitrary: anyJson(1) },
  )
}

const PROP_NAMES = [
  ...[
    'id',
    'title',
    'headline',
    'subtitle',
    'tagline',
    'actions',
    'cta',
    'ctaText',
    'cta_url',
    'background',
    'align',
  ],
  ...[
    'hidden',
    'image',
    'backgroundImage',
    'video',
    'layout',
    'note',
    'items',
    'features',
    'columns',
    'body',
    'content',
  ],
  ...[
    'plans',
    'image_position',
    'open_first',
    'numbered',
    'grayscale',
    'members',
    'email',
    'phone',
    'address',
  ],
  ...['links', 'form'],
]

function anyItems(
  inner: fc.Arbitrary<JsonValue> = fc.oneof(anyText(), fc.integer(), fc.boolean()),
): fc.Arbitrary<JsonValue> {
  const keys = fc.constantFrom(
    ...[
      'title',
      'text',
      'description',
      'icon',
      'image',
      'link',
      'href',
      'link_text',
      'src',
      'caption',
      'date',
    ],
    ...['name', 'price', 'currency', 'period', 'features', 'included', 'action', 'badge', 'highlighted'],
    ...[
      'quote',
      'role',
      'company',
      'avatar',
      'rating',
      'question',
      'answer',
      'value',
      'label',
      'prefix',
      'links',
    ],
  )
  return fc.array(fc.dictionary(keys, fc.oneof(anyText(), anyUrl(), inner)), { maxLength: 3 })
}

function anyForm(): fc.Arbitrary<JsonValue> {
  const field = fc.dictionary(
    fc.constantFrom('name', 'label', 'type', 'required', 'placeholder', 'options', 'value'),
    fc.oneof(
      anyText(),
      fc.constantFrom('email', 'select', 'textarea', 'checkbox', 'hidden', true),
      anyItems(),
    ),
  )
  return fc.record(
    {
      action_url: anyUrl(),
      method: fc.constantFrom('get', 'POST', 'put'),
      fields: fc.array(field, { maxLength: 3 }),
      consent: anyText(),
      submit_text: anyText(),
    },
    { requiredKeys: ['action_url'] },
  )
}

function anyJson(maxDepth: number): fc.Arbitrary<JsonValue> {
  return fc.oneof(anyText(), anyUrl(), fc.jsonValue({ maxDepth }) as fc.Arbitrary<JsonValue>, anyItems())
}

function anyFields(): fc.Arbitrary<TypeFields> {
  const date = fc.date({ min: new Date('1970-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
  return fc.record({
    redirectFrom: fc.array(anyText(), { maxLength: 3 }),
    tags: fc.array(anyText().filter(isTagName), { maxLength: 3 }).map((names) => [...distinctTags(names)]),
    locale: fc.option(fc.constantFrom('en', 'fr', 'ar')),
    translationKey: fc.option(anyText()),
    publishDate: fc.option(date.map((day) => day.toISOString())),
    author: fc.option(fc.record({ name: anyText(), avatar: fc.option(anyUrl()) })),
    blog: fc.option(fc.constantFrom('blog', 'a/b')),
    navOrder: fc.integer(),
    parentPage: fc.option(anyId<'page'>()),
    badge: fc.option(anyText()),
  })
}

function anySettings(): fc.Arbitrary<Partial<Settings>> {
  const link = fc.record({ label: anyText(), href: anyUrl() })
  const footerLink = fc.oneof(
    link,
    fc.record({ title: anyText(), links: fc.array(link, { maxLength: 2 }) }),
    anyJson(2),
  )
  const settings = fc.record({
    faviconUrl: fc.option(anyUrl()),
    logoUrl: fc.option(anyUrl()),
    logoDarkUrl: fc.option(anyUrl()),
    feedGuid: fc.option(anyText()),
    ogImageUrl: fc.option(anyUrl()),
    metaTitle: fc.option(anyText()),
    metaDescription: fc.option(anyText()),
    googleAnalyticsId: fc.option(fc.constantFrom('G-ABC123DEF4', 'UA-1234-5', '"><script>')),
    customCss: fc.option(anyText()),
    footerText: fc.option(anyText()),
    navLinks: fc.array(link, { maxLength: 3 }),
    sharedFooter: fc.record({ links: fc.array(footerLink, { maxLength: 4 }), copyright: anyText() }),
    branding: fc.dictionary(fc.constantFrom('primary_color', 'font', 'lang'), anyJson(1)),
  })
  return settings
}

function anySite(): fc.Arbitrary<Partial<LivePage['site']>> {
  return fc.record({
    projectId: anyId<'proj'>(),
    name: anyText(),
    origin: fc.constantFrom(
      'https://acme.example',
      'https://acme.example/help',
      'http://127.0.0.1:8080/public/proj_x',
    ),
  })
}

function anyDocsContext(): fc.Arbitrary<DocsContext> {
  const step = fc.record({ title: anyText(), path: fc.option(anySlug().map((slug) => `/docs/${slug}`)) })
  const leaf: fc.Arbitrary<NavNode> = fc
    .tuple(step, fc.option(anyText()))
    .map(([named, badge]) => ({ ...named, badge, children: [] }))
  const node = fc
    .tuple(leaf, fc.array(leaf, { maxLength: 3 }))
    .map(([top, children]) => ({ ...top, children }))
  return fc.record({
    home: anySubroute(),
    branch: fc.array(node, { maxLength: 4 }),
    breadcrumbs: fc.array(step, { maxLength: 2 }),
    previous: fc.option(step),
    next: fc.option(step),
  })
}
