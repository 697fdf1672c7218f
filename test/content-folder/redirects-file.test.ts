import { describe, expect, test } from 'vitest'
import { readSiteTexts } from '../../src/content-folder/read-site.ts'

function read(redirects: string) {
  const { site, errors } = readSiteTexts(
    new Map([
      ['site.yaml', 'name: N\n'],
      ['index.md', '# Home\n'],
      ['docs/a.md', '---\ntitle: A\nredirect_from: /first\n---\n'],
      ['redirects.yaml', redirects],
    ]),
  )
  return {
    redirects: site.redirects,
    paths: Object.fromEntries(site.pages.map(({ source, config }) => [source, config['redirect_from']])),
    errors: errors.map(({ file, line, message }) => `${file}:${line} ${message}`),
  }
}

describe('redirects.yaml', () => {
  test('adds old paths to the pages that they lead to, through other old paths too', () => {
    const { paths, errors } = read('/old: /docs/a\n/older: /old\n/start/: /\n')
    expect(errors).toEqual([])
    expect(paths).toEqual({ 'docs/a.md': ['/first', '/old', '/older'], 'index.md': ['/start/'] })
  })

  test('reports paths that lead back to themselves, are patterns, or are the path of a page', () => {
    expect(read('/a: /b\n/b: /a\n').errors).toEqual([
      'redirects.yaml:1 /a leads back to itself.',
      'redirects.yaml:2 /b leads back to itself.',
    ])
    expect(read('/old: 1\n').errors[0]).toContain('The target of /old must be a path of the site')
    expect(read('/old: http://example.org/\n').errors[0]).toContain('or an https: URL')
    expect(read('/docs/a: /\n').errors[0]).toContain('is already the path of docs/a.md')
    expect(read('/Old: /feed.xml\n/old: /docs/a\n').errors).toHaveLength(1)
    expect(read('/v1/*: /docs/:splat\n').errors).toEqual([
      'redirects.yaml:1 /v1/* is a pattern, and there are none: write a line for each path.',
    ])
    expect(read('/old: [\n').errors).toHaveLength(1)
  })

  test('keeps redirects to anything but pages, and those that a page has no room for, for the site', () => {
    expect(read('/gh: https://example.org\n/part/: /docs/a#s\n/index.xml: /feed.xml\n').redirects).toEqual([
      { from: '/gh', to: { kind: 'url', url: 'https://example.org/' }, line: 1 },
      { from: '/part', to: { kind: 'path', path: '/docs/a', fragment: 's' }, line: 2 },
      { from: '/index.xml', to: { kind: 'path', path: '/feed.xml', fragment: null }, line: 3 },
    ])
    const many = Array.from({ length: 20 }, (_, index) => `/p${index}: /docs/a\n`).join('')
    expect(read(many)).toMatchObject({
      errors: [],
      redirects: [{ from: '/p19', to: { kind: 'path', path: '/docs/a' } }],
    })
  })
})
