import fc from 'fast-check'
import type { PageId, ProjectId, UserId } from '../../src/domain/ids.ts'
import { ID_ALPHABET, ID_LENGTH } from '../../src/domain/ids.ts'
import type { JsonObject, JsonValue } from '../../src/domain/json.ts'
import { PAGE_STATUSES, PAGE_TYPES, type Page, type TypeFields } from '../../src/domain/page.ts'
import type { Project } from '../../src/domain/project.ts'
import type { Settings } from '../../src/domain/settings.ts'
import { derive, resolvedFields } from '../../src/page-text/derive.ts'
import type { ShownFields } from '../../src/services/pages/pages.ts'

/* Arbitrary values as the database holds them: every one could have come through the API. */

export const THEMES = ['default', 'dark', 'minimal'] as const

export const anyId = fc
  .array(fc.constantFrom(...ID_ALPHABET), { minLength: ID_LENGTH, maxLength: ID_LENGTH })
  .map((letters) => letters.join(''))

/** ISO 8601 UTC. */
export const anyInstant = fc
  .date({ min: new Date('2000-01-01'), max: new Date('2099-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString())

/** A line of at most `max` code points without control characters. */
function anyLine(max: number, min = 0) {
  return fc
    .string({ unit: 'grapheme', minLength: min, maxLength: max })
    .filter((text) => !/\p{Cc}/u.test(text) && [...text].length <= max && [...text].length >= min)
}

export const anyTitle = anyLine(40, 1).filter((text) => text.trim() !== '')
const anySlug = fc.stringMatching(/^[a-z0-9][a-z0-9-]{0,12}$/)
const anySubroute = fc.array(anySlug, { maxLength: 3 }).map((segments) => segments.join('/'))
const anyUrl = fc.constantFrom('/a.png', 'https://example.com/é/b.png?c=d', 'http://example.com')
const orNull = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null })

/** Any object as it is after it was sent as JSON. */
const anyJsonObject: fc.Arbitrary<JsonObject> = fc
  .dictionary(
    fc.string({ unit: 'grapheme', maxLength: 8 }).filter((key) => key !== '__proto__'),
    fc.jsonValue({ maxDepth: 2 }),
    { maxKeys: 4 },
  )
  .map((value) => JSON.parse(JSON.stringify(value)))
  .filter((value) => !JSON.stringify(value).includes('__proto__'))

const anyConfig = fc
  .tuple(
    anyJsonObject,
    fc.record(
      {
        sections: fc.array(fc.constantFrom({ type: 'hero', props: { title: 'Hi' } }, { type: 'unknown' }), {
          maxLength: 3,
        }),
        theme: fc.constantFrom(...THEMES, null),
        publish_date: fc.constantFrom('2026-03-01', 'soon', 7),
        author: fc.constantFrom('Ada', { name: 'Ada', avatar: 'not a URL' }, 7),
        nav_order: fc.constantFrom(3, 'first'),
        badge: fc.constantFrom('new', ''),
        redirect_from: fc.constantFrom('/old', ['/a', '/b.html'], 7),
      },
      { requiredKeys: [] },
    ),
  )
  .map(([others, known]): JsonObject => ({ ...others, ...known }))

const anyAuthor = fc.record({ name: anyTitle, avatar: orNull(anyUrl) }, { noNullPrototype: true })

/** A page of any type and state, with the digests of its content. */
export const anyPage: fc.Arbitrary<Page> = fc
  .record({
    id: anyId.map((id) => id as PageId),
    projectId: anyId.map((id) => id as ProjectId),
    title: anyTitle,
    slug: anySlug,
    subroute: anySubroute,
    type: fc.constantFrom(...PAGE_TYPES),
    status: fc.constantFrom(...PAGE_STATUSES),
    description: fc.string({ unit: 'grapheme', maxLength: 60 }),
    ogImageUrl: orNull(anyUrl),
    meta: fc.record(
      { title: anyLine(30), description: anyLine(60), keywords: anyLine(60), robots: anyLine(20) },
      { requiredKeys: [] },
    ),
    config: anyConfig,
    markdown: fc.constantFrom('', 'Text.\n', '---\nnav_order: 4\nauthor: Bob\n---\n# Title\n', '---\n'),
    ownFields: fc.record(
      {
        locale: orNull(fc.constantFrom('en', 'pt-BR')),
        translationKey: orNull(anyTitle),
        publishDate: orNull(anyInstant),
        author: orNull(anyAuthor),
        feedGuid: orNull(fc.uuid()),
        navOrder: fc.integer({ min: -1_000_000, max: 1_000_000 }),
        parentPage: orNull(anyId.map((id) => id as PageId)),
      },
      { requiredKeys: [] },
    ),
    feedId: orNull(fc.constantFrom('tag:example.com,2026-03-01:a', 'https://example.com/#page_a')),
    publishedAt: orNull(anyInstant),
    firstPublishedAt: orNull(anyInstant),
    createdAt: anyInstant,
    updatedAt: anyInstant,
    version: fc.nat({ max: 1_000 }).map((edits) => edits + 1),
  })
  .map((page) => ({ ...page, ...derive(page) }))

const anyLink = fc.record({
  label: anyTitle,
  href: fc.constantFrom('/about', '#top', 'mailto:ada@example.com', 'https://example.com'),
})

const anyRoutes = fc.dictionary(
  anySubroute,
  anySubroute.map((path) => `/${path}`),
  { maxKeys: 4 },
)

/** Settings that the settings resource accepts. */
export const anySettings: fc.Arbitrary<Settings> = fc.record({
  theme: fc.constantFrom(...THEMES),
  faviconUrl: orNull(fc.constantFrom('/icon.svg', 'https://example.com/a.ICO?v=2')),
  logoUrl: orNull(fc.constantFrom('/logo.svg', 'https://example.com/logo.jpeg#x')),
  ogImageUrl: orNull(anyUrl),
  siteName: orNull(anyTitle),
  socialCards: fc.constantFrom('pages', 'none'),
  mcp: fc.constantFrom('read', 'none'),
  metaTitle: orNull(anyLine(60)),
  metaDescription: orNull(fc.string({ unit: 'grapheme', maxLength: 40 })),
  googleAnalyticsId: orNull(fc.constantFrom('G-ABC1234567', 'UA-1234-1')),
  customCss: orNull(fc.constantFrom('', 'a { color: red }')),
  customHeadHtml: orNull(fc.constantFrom('', '<script>x</script>')),
  footerText: orNull(fc.string({ unit: 'grapheme', maxLength: 80 })),
  announcement: fc.constantFrom({ text: '' }, { text: 'New' }, { text: 'Version 2 is out', href: '/blog/2' }),
  navLinks: fc.array(
    fc.oneof(
      anyLink,
      anyLink.map((link) => ({ ...link, style: 'button' as const, icon: 'rocket' })),
      fc.record({
        label: anyTitle,
        links: fc.array(
          anyLink.map((link) => ({ ...link, description: 'Text.' })),
          { minLength: 1, maxLength: 2 },
        ),
      }),
      anyLink.map((link) => ({ ...link, external: true })),
    ),
    { maxLength: 3 },
  ),
  docsNav: fc.array(
    fc.record(
      {
        title: anyTitle,
        slug: anySlug,
        badge: anyLine(10, 1),
        children: fc.array(fc.record({ title: anyTitle }), { maxLength: 2 }),
      },
      { requiredKeys: ['title'] },
    ),
    { maxLength: 3 },
  ),
  sharedFooter: fc.record({
    links: fc.array(fc.oneof(anyLink, fc.record({ title: anyLine(20), links: fc.array(anyLink) })), {
      maxLength: 3,
    }),
    copyright: fc.string({ unit: 'grapheme', maxLength: 40 }),
    social: fc.constantFrom(
      [],
      [{ href: 'https://github.com/acme' }, { href: '/feed.xml', label: 'Feed', icon: 'rss' }],
    ),
    legal: fc.array(anyLink, { maxLength: 1 }),
  }),
  branding: fc.record(
    {
      primary_color: fc.constantFrom('teal', '#0b6e4f', ''),
      font: fc.constantFrom('Inter, sans-serif', ''),
      lang: fc.constantFrom('en', 'zh-Hans'),
      anything: fc.constantFrom(1, [true], { deep: 'value' }),
    },
    { requiredKeys: [] },
  ),
  siteRoutes: anyRoutes,
  locales: fc.constantFrom(
    [],
    [
      { code: 'en', label: 'English', dir: 'ltr' as const, subroute: '' },
      { code: 'ar', label: 'العربية', dir: 'rtl' as const, subroute: 'ar', home: '/ar/home' },
    ],
  ),
  byLocale: fc.constantFrom({}, { ar: { site_name: 'قطارات', nav_links: [{ label: 'ا', href: '/ar' }] } }),
  versions: fc.constantFrom(
    [],
    [
      { name: '2.0', label: 'Version 2', subroute: 'docs', latest: true },
      { name: '1.0', label: '1.0', subroute: 'docs/1.0', latest: false },
    ],
  ),
  data: fc.dictionary(
    anySlug,
    // JSON has no negative zero.
    fc.jsonValue({ maxDepth: 2 }).map((value): JsonValue => JSON.parse(JSON.stringify(value))),
    { maxKeys: 3 },
  ),
  variables: fc.constantFrom({}, { version: '2.4' }),
  mediaRefresh: fc.constantFrom('auto', 'manual'),
  visits: fc.constantFrom('none', 'count'),
  logoDarkUrl: orNull(fc.constantFrom('/logo-dark.svg', 'https://example.com/dark.png')),
  feedGuid: orNull(fc.constantFrom('https://example.com/', 'tag:example.com,2020:feed')),
})

/** A project that is not suspended. */
export const anyProject: fc.Arbitrary<Project> = fc.record({
  id: anyId.map((id) => id as ProjectId),
  userId: anyId.map((id) => id as UserId),
  name: anyTitle,
  slug: anySlug,
  status: fc.constantFrom('active', 'archived'),
  context: fc.string({ unit: 'grapheme' }),
  legacySettings: anyJsonObject,
  hosting: fc.record({
    mode: fc.constantFrom('full_host', 'rewrite', 'data_mode'),
    subdomain: orNull(fc.stringMatching(/^[a-z0-9][a-z0-9-]{1,10}[a-z0-9]$/)),
    customDomain: orNull(fc.constantFrom('docs.example.com', 'example.org')),
    sslEnabled: fc.boolean(),
    cdnEnabled: fc.boolean(),
    basePath: fc.constantFrom('/', '/help', '/a/b'),
    manifest: fc.constantFrom('full', 'minimal'),
    slugs: fc.constantFrom('standard', 'wide'),
  }),
  dataModeEnabledAt: orNull(anyInstant),
  createdAt: anyInstant,
  updatedAt: anyInstant,
  version: fc.nat({ max: 1_000 }).map((edits) => edits + 1),
})

/** What an update receives of a page's own fields, as the service passes it. @param now as the API shows them. */
export function shownFields(page: Page, now: TypeFields = resolvedFields(page)): ShownFields {
  return { now, withContent: (content) => resolvedFields({ ...page, ...content }) }
}
