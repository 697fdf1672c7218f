import { describe, expect, test } from 'vitest'
import { readSite } from '../../src/content-folder/read-site.ts'
import type { Site, SitePage } from '../../src/content-folder/site.ts'
import { blogOf } from '../../src/domain/blog.ts'
import type { JsonValue } from '../../src/domain/json.ts'
import { publicPath } from '../../src/domain/route.ts'
import { renderMarkdown } from '../../src/render/markdown/render-markdown.ts'
import { SAMPLE_SITES } from '../support/sample-sites.ts'

const readFixture = (name: keyof typeof SAMPLE_SITES) => readSite(SAMPLE_SITES[name])

interface Written {
  /** Root-relative addresses and `#…`, in the order they stand. */
  readonly links: readonly string[]
  /** What a link with a fragment may lead to. */
  readonly ids: readonly string[]
}

describe.each(['quoin', 'handbook', 'minimal', 'reuse'] as const)('%s', (name) => {
  test('reads without a fault', async () => {
    expect((await readFixture(name)).errors).toEqual([])
  })

  test('every link within the site leads to something', async () => {
    const { site } = await readFixture(name)
    const routes = site.settings.siteRoutes ?? {}
    const pages = new Map(site.pages.map((page) => [publicPath(page, routes), writtenIn(page)]))
    // Articles bring the list of their folder along.
    for (const blog of site.pages.map((page) => blogOf(page, null)))
      if (blog !== null && !pages.has(publicPath({ subroute: blog, slug: 'index' }, routes)))
        pages.set(publicPath({ subroute: blog, slug: 'index' }, routes), { links: [], ids: [] })
    const assets = new Set(site.assets.map(({ path }) => `/${path}`))

    const leadsSomewhere = (from: Written, link: string) => {
      if (assets.has(link)) return true
      const [path = '', fragment] = link.split('#')
      const target = path === '' ? from : pages.get(path)
      return target !== undefined && (fragment === undefined || target.ids.includes(fragment))
    }
    const dead = [...pages].flatMap(([path, page]) =>
      page.links.filter((link) => !leadsSomewhere(page, link)).map((link) => `${path} → ${link}`),
    )
    const fromSettings = linksOf(site)
    expect([...dead, ...fromSettings.filter((link) => !pages.has(link) && !assets.has(link))]).toEqual([])
  })
})

test('the demo shows every type of page, both directions and more than one script', async () => {
  const { site } = await readFixture('quoin')
  const count = (type: SitePage['type']) => site.pages.filter((page) => page.type === type).length
  expect(count('page')).toBeGreaterThanOrEqual(2)
  expect(count('article')).toBeGreaterThanOrEqual(3)
  expect(count('docs')).toBeGreaterThanOrEqual(12)
  expect(count('item')).toBeGreaterThanOrEqual(2)
  expect(site.pages.flatMap(({ config }) => config['lang'] ?? [])).toEqual(['ar', 'zh-Hans'])
  expect(site.pages.filter(({ description }) => description === '')).toEqual([])
})

function writtenIn({ title, markdown, config }: SitePage): Written {
  const links: string[] = []
  const collect = (url: string) => {
    links.push(url)
    return url
  }
  const { html, ids } = renderMarkdown(markdown, { title, href: collect })
  const inPage = [...html.matchAll(/<a [^>]*href="(#[^"]+)"/g)].map(([, href = '']) => href)
  const inConfig = [...textsIn(config)].flatMap((text) => {
    if (text.startsWith('/')) return [text]
    renderMarkdown(text, { href: collect })
    return []
  })
  return { links: [...links, ...inPage, ...inConfig].filter((link) => /^[/#]/.test(link)), ids }
}

function linksOf({ settings }: Site): readonly string[] {
  const { navLinks = [], sharedFooter, faviconUrl, logoUrl, ogImageUrl } = settings
  const footer = [...textsIn(sharedFooter?.links ?? [])]
  const links = [...textsIn(navLinks as unknown as JsonValue), ...footer, faviconUrl, logoUrl, ogImageUrl]
  return links.filter((link) => typeof link === 'string').filter((link) => link.startsWith('/'))
}

function* textsIn(value: JsonValue): Generator<string> {
  if (typeof value === 'string') yield value
  else if (typeof value === 'object' && value !== null)
    for (const inner of Object.values(value)) yield* textsIn(inner)
}
