import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readRedirectPath } from '../../../src/domain/redirect-path.ts'
import { redirectArtifact } from '../../../src/render/site-files/redirect.ts'
import { anyLivePage, livePage } from '../../support/live-page.ts'

const htmlOf = (from: string, live = livePage()) => Buffer.from(redirectArtifact(from, live).body).toString()

const anyPath = fc
  .tuple(
    fc.array(fc.stringMatching(/^[a-z0-9~-][a-z0-9_~-]{0,8}$/), { minLength: 1, maxLength: 5 }),
    fc.boolean(),
  )
  .map(([segments, isFile]) => `/${segments.join('/')}${isFile ? '.html' : ''}`)
  .filter((path) => readRedirectPath(path) === path)

describe('a visitor of an old address', () => {
  test('arrives at the page, wherever the site is served', () => {
    fc.assert(
      fc.property(anyPath, anyLivePage(), fc.constantFrom('', '/help', '/a/b'), (from, live, folder) => {
        const { key } = redirectArtifact(from, live)
        const origin = `https://acme.example${folder}`
        const href = /content="0; url=([^"]*)"/.exec(htmlOf(from, live))?.[1] ?? ''
        const arrived = new URL(href, `${origin}/${key}`).href
        expect(arrived).toBe(`${origin}${live.path === '/' ? '/' : `${live.path}/`}`)
      }),
    )
  })

  test('finds the same link in the text, for browsers that do not follow the redirect', () => {
    const html = htmlOf('/old/setup')
    const [, refresh] = /url=([^"]*)"/.exec(html) ?? []
    expect(html).toContain(`<a href="${refresh}">/install</a>`)
  })

  test.each([
    ['/old', 'old/index.html', '../install/'],
    ['/old/page', 'old/page/index.html', '../../install/'],
    ['/old/page.html', 'old/page.html', '../install/'],
    ['/page.html', 'page.html', 'install/'],
  ])('at %s gets the file %s, which leads to %s', (from, key, href) => {
    expect(redirectArtifact(from, livePage()).key).toBe(key)
    expect(htmlOf(from)).toContain(`url=${href}"`)
  })
})

describe('a redirect', () => {
  test('asks search engines for the page in its place', () => {
    const html = htmlOf('/old')
    expect(html).toContain('<meta name="robots" content="noindex">')
    expect(html).toContain('<link rel="canonical" href="https://acme.example/install/">')
  })

  test('does not change with the content of the page, so that an edit does not write it again', () => {
    const edited = livePage({
      page: { title: '"><script>', description: 'New', markdown: '# New', version: 9 },
      site: { name: '<b>Other</b>' },
    })
    expect(htmlOf('/old', edited)).toBe(htmlOf('/old'))
  })

  test('contains no script, whatever the page is', () => {
    fc.assert(
      fc.property(anyPath, anyLivePage(), (from, live) => {
        const html = htmlOf(from, live)
        expect(html).not.toMatch(/<script|javascript:/i)
        expect(html.match(/<[a-z]+/g)).toEqual(htmlOf(from).match(/<[a-z]+/g))
      }),
    )
  })

  test('belongs to the page, so that it disappears with it', () => {
    const live = livePage()
    expect(redirectArtifact('/old', live).owner).toEqual({ kind: 'redirect', id: live.page.id })
  })
})
