import fc from 'fast-check'
import { MARKDOWN } from './fields.ts'
import type { Fault } from './page-rules.ts'
import { NAMES } from './project-rules.ts'
import type { KeyName } from './step.ts'
import type { Json } from './world.ts'

/*
 * Arbitraries for requests. Any number selects a project or page: modulo the existing ones, and the last number one
 * that never existed. Few distinct values make collisions likely.
 */

/** The numbers from here may be of what was deleted. */
export const EVER = 17
/** The number of what does not exist. */
export const NOBODY = 19

const number = fc.oneof(
  { weight: 30, arbitrary: fc.nat(NOBODY - 1) },
  { weight: 1, arbitrary: fc.constant(NOBODY) },
)
/** Most requests are about the first project, so that its pages have neighbours. */
const project = fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 2, arbitrary: number })

const key: fc.Arbitrary<KeyName> = fc.oneof(
  { weight: 40, arbitrary: fc.constant<KeyName>('full') },
  { weight: 1, arbitrary: fc.constantFrom<KeyName[]>('reader', 'writer', 'publisher') },
  { weight: 1, arbitrary: fc.constantFrom<KeyName[]>('scoped', 'stranger') },
  { weight: 3, arbitrary: fc.constantFrom<KeyName[]>('editor', 'author', 'viewer') },
)
const surface = fc.constantFrom('current' as const, 'current' as const, 'legacy' as const)
const match = fc.oneof(
  { weight: 12, arbitrary: fc.constant('absent' as const) },
  { weight: 2, arbitrary: fc.constant('present' as const) },
  { weight: 1, arbitrary: fc.constant('stale' as const) },
)
const asked = { key, surface, isPrefixed: fc.boolean() }

/** Mostly none. */
function rarely(faults: readonly Fault[]): fc.Arbitrary<Fault | null> {
  return fc.oneof(
    { weight: 15, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: fc.constantFrom(...faults) },
  )
}

const type = fc.constantFrom(
  'page' as const,
  'article' as const,
  'article' as const,
  'docs' as const,
  'docs' as const,
  'docs' as const,
  'item' as const,
)
const fields = {
  title: fc.constantFrom('One', 'Two', 'Three & more', 'a'),
  slug: fc.constantFrom('one', 'two', 'Three', 'index', 'docs', 'x', '-', 'no slug'),
  subroute: fc.constantFrom('', 'docs', '/docs/', 'docs/deep', 'blog', 'a//b'),
  type,
  description: fc.constantFrom('', 'About it.'),
  og_image_url: fc.constantFrom(null, '/cover.png'),
  meta: fc.constantFrom(
    {},
    { title: 'For search' },
    { title: null },
    { description: 'D', robots: 'noindex' },
  ),
  config: fc.constantFrom<Json[]>(
    {},
    { sections: [{ type: 'hero', props: { title: 'Hi' } }] },
    { theme: 'dark', sections: [] },
    { nav_order: 3, publish_date: '2026-01-02' },
    { author: { name: 'Conrad', avatar: null }, tags: ['Buses', 'Trains'] },
    { sections: 'none' },
    { theme: 'neon' },
  ),
  markdown_content: fc.constantFrom(...MARKDOWN.keys()),
  tags: fc.constantFrom(
    [],
    ['Trains'],
    ['trains', 'Night trains', 'Trains'],
    ['Ferries'],
    ['ferries', 'Trams'],
  ),
  publish_date: fc.constantFrom(null, '2026-05-06', '2026-05-06T07:08:09.000Z'),
  author: fc.constantFrom(null, 'Ada', { name: 'Bo', avatar: '/bo.png' }),
  nav_order: fc.integer({ min: -1, max: 2 }),
  parent: fc.oneof(fc.constant(null), number),
}
/** Fields that most creates have, so that pages exist. */
const valid = {
  slug: fc.constantFrom('one', 'two', 'three', 'index', 'docs', 'four', 'five', 'six'),
  subroute: fc.constantFrom('', 'docs', 'docs', '/docs/', 'docs/deep', 'blog'),
  config: fc.oneof({ weight: 4, arbitrary: fc.constant<Json>({}) }, { weight: 1, arbitrary: fields.config }),
  parent: fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: number }),
}
const spelling = fc.record({
  title: fc.constantFrom('title' as const, 'page_name' as const),
  legacyTypes: fc.boolean(),
})

/** Each field of a body that is wrong by itself. */
const PAGE_FAULTS: readonly Fault[] = [
  { body: { title: '', page_name: '' }, onLegacyToo: true },
  { body: { title: 'Either', page_name: 'Or' }, onLegacyToo: true },
  { body: { config: 'text' }, onLegacyToo: true },
  { body: { markdown_content: 5 }, onLegacyToo: true },
  { body: { description: 'd'.repeat(501) }, onLegacyToo: false },
  { body: { meta: { title: 't'.repeat(61) } }, onLegacyToo: false },
  { body: { tags: ['Trains', '?'] }, onLegacyToo: false },
  { body: { tags: 'Trains' }, onLegacyToo: false },
  { body: { nonsense: 1 }, onLegacyToo: false },
]

export const createPage = fc.record({
  ...asked,
  project,
  fields: fc.oneof(
    {
      weight: 12,
      arbitrary: fc.record({ ...fields, ...valid }, { requiredKeys: ['title', 'slug', 'subroute', 'type'] }),
    },
    { weight: 1, arbitrary: fc.record(fields, { requiredKeys: [] }) },
  ),
  spelling,
  fault: rarely(PAGE_FAULTS),
})

const { type: _, ...changeable } = fields
export const updatePage = fc.record({
  ...asked,
  page: number,
  fields: fc.oneof(
    { weight: 3, arbitrary: fc.record(changeable, { requiredKeys: [] }) },
    {
      weight: 1,
      arbitrary: fc.record({ type, ...valid, nav_order: fields.nav_order }, { requiredKeys: [] }),
    },
    { weight: 2, arbitrary: fc.constant({}) },
  ),
  spelling,
  fault: rarely(PAGE_FAULTS),
  status: fc.oneof(
    { weight: 2, arbitrary: fc.constant(null) },
    { weight: 2, arbitrary: fc.constant('published') },
    { weight: 1, arbitrary: fc.constantFrom('draft', 'archived') },
  ),
  match,
})

const shownParts = { sections: fc.boolean(), markdown: fc.boolean() }
export const getPage = fc.record({ ...asked, page: number, ...shownParts })
export const move = fc.record({
  key,
  isPrefixed: fc.boolean(),
  door: fc.constantFrom('path', 'body', 'legacy'),
  page: number,
})
export const ofPage = fc.record({ key, isPrefixed: fc.boolean(), page: number })

const order = fc.constantFrom('asc' as const, 'desc' as const)
const slice = { limit: fc.constantFrom(1, 2, 5, 100, 0, 101), offset: fc.constantFrom(0, 1, 3, 50) }
export const listPages = fc.record({
  ...asked,
  project,
  query: fc.record(
    {
      type: fc.constantFrom('page', 'article', 'docs', 'item', 'all'),
      status: fc.constantFrom('draft', 'published', 'archived', 'all'),
      subroute: fc.constantFrom('', 'docs', 'blog'),
      slug: fc.constantFrom('one', 't*', '*o*', '*e', 'in*x', '*', '_ne'),
      tag: fc.constantFrom('Trains', 'night-TRAINS', 'ferries', 'none', '?'),
      sort: fc.constantFrom('created_at', 'updated_at', 'page_name', 'slug'),
      order,
      include_content: fc.boolean(),
      ...slice,
    },
    { requiredKeys: [] },
  ),
  createdAfter: fc.option(number, { freq: 4 }),
})
export const listProjects = fc.record({
  key,
  surface,
  query: fc.record(
    {
      status: fc.constantFrom('active', 'archived', 'all'),
      sort: fc.constantFrom('created_at', 'updated_at', 'name'),
      order,
      limit: fc.constantFrom(1, 2, 100),
      offset: slice.offset,
    },
    { requiredKeys: [] },
  ),
})

export const createProject = fc.record({
  key: key.filter((name) => name !== 'stranger'),
  surface,
  name: fc.constantFrom(...NAMES.keys(), ' '),
})

const embeddedSettings = {
  theme: fc.constantFrom('default', 'dark', 'minimal'),
  favicon: fc.constantFrom(null, '/one.ico'),
  logo: fc.constantFrom(null, '/logo.svg'),
  custom_css: fc.constantFrom(null, 'h1 { color: red }'),
  google_analytics: fc.constantFrom(null, 'G-AAAA1111'),
  meta_description: fc.constantFrom(null, 'All of it.'),
  social_image: fc.constantFrom(null, '/social.png'),
}
/** The first part of a domain, or a subdomain to be; the sequence has its own. */
const address = fc.option(fc.constantFrom('red', 'blue', 'green'), { freq: 4 })
const PROJECT_FAULTS: readonly Fault[] = [
  { body: { name: '' }, onLegacyToo: true },
  { body: { status: 'suspended' }, onLegacyToo: false },
  { body: { nonsense: 1 }, onLegacyToo: false },
]
const name = fc.constantFrom(...NAMES.keys())
const ofAnyProject = { key, project, isPrefixed: fc.boolean() }
const projectWrite = { ...ofAnyProject, fault: rarely(PROJECT_FAULTS), match }
export const updateProject = fc.oneof(
  fc.record({
    ...projectWrite,
    surface: fc.constant('current' as const),
    body: fc.record(
      {
        name,
        status: fc.constantFrom('archived', 'active', 'active'),
        domain: address,
        hosting: fc.record(
          {
            mode: fc.constantFrom('full_host', 'rewrite'),
            subdomain: address,
            custom_domain: address,
            base_path: fc.constantFrom('/', '/help'),
            cdn_enabled: fc.boolean(),
          },
          { requiredKeys: [] },
        ),
        settings: fc.record(embeddedSettings, { requiredKeys: [] }),
      },
      { requiredKeys: [] },
    ),
  }),
  fc.record({
    ...projectWrite,
    surface: fc.constant('legacy' as const),
    body: fc.record(
      {
        name,
        context: fc.constantFrom('', 'A bakery.'),
        settings: fc.record(
          { custom_domain: address, colour: fc.constant('red'), tags: fc.constantFrom([], ['a']) },
          { requiredKeys: [] },
        ),
      },
      { requiredKeys: [] },
    ),
  }),
)
/** Changes of the status alone. */
export const changeStatus = fc.record({
  ...ofAnyProject,
  surface: fc.constant('current' as const),
  body: fc.record({ status: fc.constantFrom('archived', 'active', 'active') }),
  fault: fc.constant(null),
  match: fc.constant('absent' as const),
})
export const ofProject = fc.record({ ...asked, project })
/** Commands of an operator. */
export const operate = fc.record({ project, status: fc.constantFrom('suspended', 'active', 'active') })

const links = fc.constantFrom([], [{ label: 'Start', href: '/' }])
const shape = fc.constantFrom('resource' as const, 'legacy' as const)
export const ofSettings = fc.record({ key, project, isPrefixed: fc.boolean(), shape })
const resourceSettings = {
  theme: embeddedSettings.theme,
  favicon_url: embeddedSettings.favicon,
  og_image_url: embeddedSettings.social_image,
  meta_title: fc.constantFrom(null, 'The site'),
  meta_description: embeddedSettings.meta_description,
  google_analytics_id: embeddedSettings.google_analytics,
  custom_head_html: fc.constantFrom(null, '<meta name="x" content="y">'),
  footer_text: fc.constantFrom(null, 'Made by hand.'),
  nav_links: links,
}
const legacySettings = {
  // A group without pages: a navigation made by hand that is empty yet.
  docs_nav: fc.constantFrom([], [], [{ title: 'Group', children: [{ title: 'One', slug: 'one' }] }]),
  shared_header: fc.record({ logo: embeddedSettings.logo, links }, { requiredKeys: [] }),
  shared_footer: fc.record({ copyright: fc.constantFrom('', '2026 Us') }, { requiredKeys: [] }),
  branding: fc.record(
    {
      theme: embeddedSettings.theme,
      primary_color: fc.constantFrom(null, '#123456'),
      font: fc.constantFrom(null, 'Lato'),
    },
    { requiredKeys: [] },
  ),
  site_routes: fc.constantFrom({}, { docs: '/help' }, { docs: null }, { blog: '/' }, { blog: null }),
}
export const updateSettings = fc.oneof(
  fc.record({
    key,
    project,
    isPrefixed: fc.boolean(),
    shape: fc.constant('resource' as const),
    body: fc.record(resourceSettings, { requiredKeys: [] }),
    fault: rarely([
      { body: { theme: 'neon' }, onLegacyToo: false },
      { body: { nonsense: 1 }, onLegacyToo: false },
      { body: { nav_links: 'none' }, onLegacyToo: false },
    ]),
    match,
  }),
  fc.record({
    key,
    project,
    isPrefixed: fc.boolean(),
    shape: fc.constant('legacy' as const),
    body: fc.record(legacySettings, { requiredKeys: [] }),
    fault: rarely([
      { body: { branding: { theme: 'neon' } }, onLegacyToo: true },
      { body: { docs_nav: {} }, onLegacyToo: true },
      { body: { nonsense: 1 }, onLegacyToo: false },
    ]),
    match,
  }),
)
