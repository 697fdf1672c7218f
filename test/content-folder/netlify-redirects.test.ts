import { describe, expect, test } from 'vitest'
import { readNetlifyRedirects } from '../../src/content-folder/netlify-redirects.ts'

const path = (from: string, to: string, line: number) => {
  return { from, to: { kind: 'path', path: to, fragment: null }, line }
}

describe('a _redirects file', () => {
  test('has a redirect for good on each line, and comments', () => {
    const { redirects, errors } = readNetlifyRedirects(
      '# Moved\n\n/a /b\n/c   /d  301\r\n/e/ /f 308 # For good\n/g /h 301!\n/x.xml https://example.org/x\n',
    )
    expect(errors).toEqual([])
    expect(redirects).toEqual([
      path('/a', '/b', 3),
      path('/c', '/d', 4),
      path('/e', '/f', 5),
      path('/g', '/h', 6),
      { from: '/x.xml', to: { kind: 'url', url: 'https://example.org/x' }, line: 7 },
    ])
  })

  test.each([
    ['/blog/* /news/:splat', 'is a pattern'],
    ['/news/:year /archive', 'is a pattern'],
    ['/a /b 302', 'has 302, and there are only redirects for good'],
    ['/a /b 200', 'has 200'],
    ['/a /b 301 Country=de', 'has conditions, and there are none: Country=de'],
    ['/a id=:id /b', 'The target of /a must be'],
    ['/a', 'The target of /a must be'],
    ['a /b', 'a must be a path of the site'],
    ['/a http://example.org', 'The target of /a must be'],
  ])('reports the line %s as an error', (line, reason) => {
    const { redirects, errors } = readNetlifyRedirects(`/first /x\n${line}\n`)
    expect(redirects).toHaveLength(1)
    expect(errors).toMatchObject([{ line: 2, message: expect.stringContaining(reason) }])
  })
})
