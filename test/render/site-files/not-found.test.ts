import { describe, expect, test } from 'vitest'
import { hashSource } from '../../../src/render/page/content-policy.ts'
import { renderNotFound } from '../../../src/render/site-files/not-found.ts'
import type { Theme } from '../../../src/theme/theme.ts'
import { type LivePageParts, livePage } from '../../support/live-page.ts'
import { createPlainTheme } from '../../support/plain-theme.ts'

function render(parts: LivePageParts = {}, change: (theme: Theme) => Partial<Theme> = () => ({})) {
  const theme = createPlainTheme()
  const artifact = renderNotFound(livePage(parts), null, { ...theme, ...change(theme) })
  const [view] = theme.views.notFound
  if (view === undefined) throw new Error('The theme was not asked for a page.')
  return { artifact, view }
}

const withStyle = (css: string) => (theme: Theme) => ({
  assets: { ...theme.assets, style: { ...theme.assets.style, body: Buffer.from(css) } },
})

describe('a page for missing addresses', () => {
  test('works at any depth: its links are absolute', () => {
    const { view } = render({
      site: { origin: 'https://acme.example/help' },
      settings: { logoUrl: '/logo.png', navLinks: [{ label: 'Docs', href: '/docs' }] },
    })
    expect(view.site).toMatchObject({
      homeHref: 'https://acme.example/help/',
      logo: 'https://acme.example/help/logo.png',
      navLinks: [{ href: 'https://acme.example/help/docs/', current: false }],
    })
  })

  test('names files of the theme absolutely, and leaves other files of its style alone', () => {
    const file = { key: '_assets/inter.0000.woff2', body: Buffer.from('') }
    const { view } = render({}, (theme) => ({
      ...withStyle('a { src: url(inter.0000.woff2); mask: url(other.svg) }')(theme),
      files: new Map([['inter.woff2', file]]),
    }))
    expect(view.css).toContain('url(https://acme.example/_assets/inter.0000.woff2)')
    expect(view.css).toContain('url(other.svg)')
  })

  test('has the language, the favicon and the colours of the site', () => {
    const { view } = render({
      settings: { faviconUrl: '/icon.png', branding: { lang: 'ar', primary_color: '#0b6e4f' } },
    })
    expect(view).toMatchObject({ lang: 'ar', dir: 'rtl', favicon: 'https://acme.example/icon.png' })
    expect(view.brandStyle).toContain('#0b6e4f')
  })

  test('drops a favicon with an unsafe address', () => {
    expect(render({ settings: { faviconUrl: 'javascript:alert(1)' } }).view.favicon).toBeNull()
  })
})

describe('its inline style and script', () => {
  test('are allowed by its policy, to the byte', () => {
    const { view } = render({
      settings: { customCss: 'a { color: red }', branding: { primary_color: '#0b6e4f' } },
    })
    for (const inline of [view.css, view.brandStyle ?? '', view.script])
      expect(view.policy).toContain(hashSource(inline))
  })

  test('contain nothing that an HTML parser would change, so that the policy stays true', () => {
    const { view } = render({ settings: { customCss: 'a::after { content: "\0" }' } }, (theme) => ({
      ...withStyle('\r\n a { color: red }\r b {}\r\n')(theme),
      notFoundScript: 'let a = 1\r\nlet b = "\0"\r',
    }))
    for (const inline of [view.css, view.script]) {
      expect(inline).not.toMatch(/[\r\0]/)
      expect(inline).toBe(inline.trim())
    }
  })

  test.each(['</style><script>alert(1)</script>', '<!-- ', '</STYLE >', 'a { content: "</style>" }'])(
    'cannot be ended by custom CSS such as %j',
    (customCss) => {
      expect(render({ settings: { customCss } }).view.css).not.toMatch(/<[/!]/)
    },
  )

  test.each(['let a = "</script>"', 'let a = "<!--"', 'let a = "<script>"', 'let a = "</SCRIPT "'])(
    'cannot be ended by a string such as %j, which means the same afterwards',
    (notFoundScript) => {
      const { script } = render({}, () => ({ notFoundScript: `;${notFoundScript}` })).view
      expect(script).not.toMatch(/<(?:!--|\/?script)/i)
      const runScript = (code: string) => new Function(`${code}\nreturn a`)()
      expect(runScript(script)).toBe(runScript(notFoundScript))
    },
  )
})

test('it is one file of the site, written with the indexes', () => {
  const { artifact } = render()
  expect(artifact).toMatchObject({ key: '404.html', stage: 'index', owner: { kind: 'site', id: '' } })
})
