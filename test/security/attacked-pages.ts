import type { JsonObject, JsonValue } from '../../src/domain/json.ts'
import type { LivePage, NavNode } from '../../src/domain/live-page.ts'
import type { Settings } from '../../src/domain/settings.ts'
import { liveCard } from '../../src/render/listing/live-card.ts'
import { SECTION_TYPES, shapeOf } from '../../src/sections/catalogue.ts'
import type { Prop, Shape } from '../../src/sections/prop.ts'
import { livePage } from '../support/live-page.ts'

/** A page of each type with the text in every field, in the settings and in its neighbours, without validation. */
export function attackedPages(text: string): readonly LivePage[] {
  const settings = attackedSettings(text)
  const site = { name: text }
  const fields = {
    author: { name: text, avatar: text },
    badge: text,
    publishDate: '2026-01-01T00:00:00.000Z',
  }
  const common = {
    title: text,
    description: text,
    ogImageUrl: text,
    meta: { title: text, description: text, keywords: text, robots: text },
    markdown: `---\n${JSON.stringify({ lang: text, image: text, author: text })}\n---\n${text}\n\n# ${text}\n\n${text}`,
  }
  const page = (type: LivePage['page']['type'], config: JsonObject = {}) => ({ ...common, type, config })
  const nodes: readonly NavNode[] = [
    {
      title: text,
      path: '/docs/a',
      badge: text,
      children: [{ title: text, path: null, badge: text, children: [] }],
    },
  ]
  const step = { title: text, path: '/docs/a' }
  const article = livePage({ page: page('article'), fields, settings, site })
  const card = liveCard(article, '/a', fields.publishDate)
  const sections = attackedSections(text)
  return [
    article,
    livePage({
      page: { ...page('docs'), subroute: 'docs' },
      fields,
      settings,
      site,
      docs: { home: 'docs', branch: nodes, breadcrumbs: [step], previous: step, next: step },
    }),
    livePage({ page: page('item', attackedItem(text)), fields, settings, site }),
    livePage({
      page: page('page', { lang: text, sections }),
      fields,
      settings,
      site,
      collections: new Map(sections.map((_, index) => [index, [card]])),
    }),
  ]
}

/** One section of every type with every prop of the type, and one of an unknown type. */
function attackedSections(text: string): readonly JsonObject[] {
  return [...SECTION_TYPES.map(({ name }) => name), text].map((type) => ({
    type,
    id: text,
    props: attackedProps(text, shapeOf({ type, known: SECTION_TYPES.some(({ name }) => name === type) })),
  }))
}

function attackedProps(text: string, { props }: Shape): JsonObject {
  return Object.fromEntries(Object.entries(props).map(([name, prop]) => [name, attackedProp(text, prop)]))
}

function attackedProp(text: string, prop: Prop): JsonValue {
  switch (prop.kind) {
    case 'boolean':
      return true
    case 'number':
      return prop.min
    case 'choice':
      // A valid value, because an invalid one would omit the prop.
      return prop.of[prop.of.length - 1] ?? text
    case 'choice-or-image':
      return attackedProps(text, prop.image)
    case 'object':
      return attackedProps(text, prop.shape)
    case 'list':
      return [attackedProp(text, prop.of), text]
    default:
      return text
  }
}

function attackedItem(text: string): JsonObject {
  const keys = ['lang', 'badge', 'image', 'link', 'homepage', 'email', 'price', 'tags', 'release_date', text]
  return {
    ...Object.fromEntries(keys.map((key) => [key, text])),
    screenshots: [text, { src: text, alt: text }],
    tags: [text, text],
    nested: { [text]: { [text]: [text] } },
  }
}

function attackedSettings(text: string): Partial<Settings> {
  const link = { label: text, href: text }
  return {
    faviconUrl: text,
    logoUrl: text,
    ogImageUrl: text,
    metaTitle: text,
    metaDescription: text,
    googleAnalyticsId: text,
    customCss: `a{content:"${text.replace(/["\\\n\r\f]/g, '')}"}`,
    footerText: text,
    navLinks: [link, { ...link, external: true }],
    docsNav: [{ title: text, badge: text, slug: text }],
    sharedFooter: { links: [{ ...link }, { title: text, links: [{ ...link }] }], copyright: text },
    branding: { primary_color: text, font: text, tagline: text, lang: text, dir: text, social: [text] },
  }
}
