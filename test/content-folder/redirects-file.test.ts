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

  test('reports paths that lead nowhere, back to themselves, or are the path of a page', () => {
    expect(read('/old: /none\n').errors).toEqual([
      'redirects.yaml:1 /old leads to /none, which is no page of the site.',
    ])
    expect(read('/a: /b\n/b: /a\n').errors[0]).toBe('redirects.yaml:1 /a leads back to itself, by /a, /b.')
    expect(read('/old: 1\n').errors[0]).toContain('/old must lead to a path of the site')
    expect(read('/docs/a: /\n').errors[0]).toContain('is already the path of docs/a.md')
    expect(read('/old: [\n').errors).toHaveLength(1)
    const many = Array.from({ length: 20 }, (_, index) => `/p${index}: /docs/a\n`).join('')
    expect(read(many).errors[0]).toContain('21 paths lead to docs/a.md, and a page has at most 20.')
  })
})
