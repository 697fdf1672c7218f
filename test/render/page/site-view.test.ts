import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { JsonValue } from '../../../src/domain/json.ts'
import { relativeLinks } from '../../../src/render/links/links.ts'
import { searchAssets } from '../../../src/render/page/assets.ts'
import { createRendering } from '../../../src/render/page/rendering.ts'
import { siteView } from '../../../src/render/page/site-view.ts'
import { anyLivePage, type LivePageParts, livePage } from '../../support/live-page.ts'
import { createPlainTheme } from '../../support/plain-theme.ts'
import { unsafeUrls } from '../../support/safe-urls.ts'

function viewOf(settings: LivePageParts['settings'], path: string | null = '/docs/install') {
  const rendering = createRendering(relativeLinks(path ?? '/'))
  const view = siteView(
    livePage({ settings: settings ?? {} }),
    path,
    searchAssets(createPlainTheme(), 'en'),
    rendering,
  )
  return { view, warnings: rendering.warnings }
}

const footerOf = (...links: JsonValue[]) =>
  viewOf({ sharedFooter: { links, copyright: '' } }).view.footer.groups

describe('a link of the navigation', () => {
  test.each([
    ['/docs/install', true],
    ['/docs/install/', true],
    ['/docs', true],
    ['/docs/', true],
    ['/doc', false],
    ['/docs/inst', false],
    ['/docs/install/more', false],
    ['/', false],
    ['/docs#install', false],
    ['https://acme.example/docs', false],
    ['//acme.example/docs', false],
  ])('to %s is marked as current on /docs/install: %s', (href, current) => {
    expect(viewOf({ navLinks: [{ label: 'Docs', href }] }).view.navLinks[0]?.current).toBe(current)
  })

  test('to the home page is current there and nowhere else', () => {
    const navLinks = [{ label: 'Home', href: '/' }]
    const currentAt = (path: string | null) => viewOf({ navLinks }, path).view.navLinks[0]?.current
    expect([currentAt('/'), currentAt('/docs'), currentAt(null)]).toEqual([true, false, false])
  })

  test('opens as external when its owner says so, else when it leads to another site', () => {
    const href = 'https://other.example/'
    const navLinks = [
      { label: 'A', href },
      { label: 'B', href: '/b' },
      { label: 'C', href, external: false },
      { label: 'D', href: '/d', external: true },
    ]
    expect(viewOf({ navLinks }).view.navLinks.map(({ external }) => external)).toEqual([
      true,
      false,
      false,
      true,
    ])
  })

  test('with an unsafe address is left out, and its place in the settings is reported', () => {
    const { view, warnings } = viewOf({
      navLinks: [
        { label: 'Good', href: '/good' },
        { label: 'Bad', href: 'javascript:alert(1)' },
      ],
    })
    expect(view.navLinks.map(({ label }) => label)).toEqual(['Good'])
    expect(warnings.map(({ at }) => at)).toEqual(['nav_links[1].href'])
  })
})

describe('the header', () => {
  test('has menus and buttons, and a menu is current where one of its links is', () => {
    const { view, warnings } = viewOf({
      navLinks: [
        {
          label: 'Learn',
          links: [
            { label: 'Docs', href: '/docs', icon: 'book', description: 'From the start.' },
            { label: 'Bad', href: 'javascript:alert(1)' },
          ],
        },
        { label: 'Start', href: '/start', style: 'button' },
      ],
    })
    const [menu, button] = view.navLinks
    expect(menu).toMatchObject({ label: 'Learn', href: '../../docs/', current: true, style: 'link' })
    expect(menu?.links).toMatchObject([
      { label: 'Docs', href: '../../docs/', description: 'From the start.', current: true },
    ])
    expect(menu?.links[0]?.iconHtml).toMatch(/^<svg class="icon"/)
    expect(button).toMatchObject({ label: 'Start', style: 'button', links: [], current: false })
    expect(warnings.map(({ at }) => at)).toEqual(['nav_links[0].links[1].href'])
  })

  test('leaves out a menu whose links are all unsafe', () => {
    const links = [{ label: 'Bad', href: 'javascript:alert(1)' }]
    expect(viewOf({ navLinks: [{ label: 'Menu', links }] }).view.navLinks).toEqual([])
  })

  test('is announced by a line, with or without a link, and by none where its text is blank', () => {
    const announced = (text: string, href?: string) =>
      viewOf({ announcement: { text, ...(href !== undefined && { href }) } }).view.announcement
    expect(announced('New', '/blog')).toEqual({
      text: 'New',
      href: '../../blog/',
      external: false,
      hreflang: null,
      until: null,
    })
    expect(announced('New', 'https://other.example/')).toMatchObject({ external: true })
    expect(announced('New')).toEqual({
      text: 'New',
      href: null,
      external: false,
      hreflang: null,
      until: null,
    })
    expect(announced('New', 'javascript:alert(1)')).toMatchObject({ href: null, external: false })
    expect(announced(' ', '/blog')).toBeNull()
  })
})

describe('the footer', () => {
  test('names profiles by their services, unless the owner names them', () => {
    const social = [
      { href: 'https://github.com/acme' },
      { href: 'https://acme.substack.com/' },
      { href: 'https://floss.example/@acme' },
      { href: 'https://www.linkedin.com/company/acme', label: 'Jobs' },
      { href: 'https://acme.example/', icon: 'rss' },
      { href: 'mailto:hi@acme.example' },
      { href: 'javascript:alert(1)' },
    ]
    const { view } = viewOf({ sharedFooter: { links: [], copyright: '', social } })
    expect(view.footer.social.map(({ label }) => label)).toEqual([
      ...['GitHub', 'Substack', 'Mastodon', 'Jobs', 'acme.example/', 'E-mail'],
    ])
    expect(view.footer.social.every(({ iconHtml }) => iconHtml.startsWith('<svg '))).toBe(true)
  })

  test('shows groups first, then the links without one, without a title', () => {
    const link = (label: string) => ({ label, href: `/${label}` })
    const groups = footerOf(link('a'), { title: 'More', links: [link('b')] }, link('c'))
    expect(groups.map(({ title, links }) => [title, links.map(({ label }) => label)])).toEqual([
      ['More', ['b']],
      [null, ['a', 'c']],
    ])
  })

  test.each([
    [{ label: 'A', href: '/a' }],
    [{ text: 'A', url: '/a' }],
    [{ title: 'A', link: '/a' }],
    [{ label: '', text: 'A', href: '', url: '/a' }],
  ])('reads a link that is written as %j', (written) => {
    expect(footerOf(written)[0]?.links).toEqual([
      { label: 'A', href: '../../a/', external: false, current: false, iconHtml: null, hreflang: null },
    ])
  })

  test.each([
    [null],
    ['/a'],
    [5],
    [[]],
    [{}],
    [{ label: 'A' }],
    [{ href: '/a' }],
    [{ title: 'Empty', links: [] }],
  ])('shows nothing for %j', (written) => {
    expect(footerOf(written as JsonValue)).toEqual([])
  })

  test('has no empty lines where the settings have only white space', () => {
    const { footer } = viewOf({ footerText: ' ', sharedFooter: { links: [], copyright: '\n' } }).view
    expect(footer).toEqual({ text: null, copyright: null, groups: [], social: [], legal: [] })
  })

  test('reports a dropped link with its place in the settings', () => {
    const links = [{ title: 'More', links: [null, { label: 'A', href: 'vbscript:x' }] }]
    const { warnings } = viewOf({ sharedFooter: { links, copyright: '' } })
    expect(warnings.map(({ at }) => at)).toEqual(['shared_footer.links[0].links[1].href'])
  })
})

test('a site never links to an unsafe address and shows no empty group, whatever its settings are', () => {
  fc.assert(
    fc.property(anyLivePage(), (live) => {
      const rendering = createRendering(relativeLinks(live.path))
      const view = siteView(live, live.path, searchAssets(createPlainTheme(), 'en'), rendering)
      expect(unsafeUrls(view)).toEqual([])
      for (const { links } of view.footer.groups) expect(links.length).toBeGreaterThan(0)
    }),
  )
})

test('the links of a site are not links of the content of a page', () => {
  const rendering = createRendering(relativeLinks('/'))
  const live = livePage({ settings: { logoUrl: '/logo.png', navLinks: [{ label: 'A', href: '/a' }] } })
  siteView(live, '/', searchAssets(createPlainTheme(), 'en'), rendering)
  expect(rendering.contentLinks).toEqual([])
})
