import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isAgent, isReading, searchedTerm, visitedKey, visitedPath } from '../../src/domain/visits.ts'

const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36'

describe('the path that a visit counts for', () => {
  test.each([
    ['/', '/'],
    ['/index.html', '/'],
    ['/docs/install/', '/docs/install'],
    ['/docs/install', '/docs/install'],
    ['/docs/install/index.md', '/docs/install'],
    ['/docs/%E5%AE%89%E8%A3%85/', '/docs/安装'],
    ['/llms.txt', '/llms.txt'],
    [`/${'a'.repeat(501)}/`, ''],
  ])('is for %s the path %s', (written, path) => {
    expect(visitedPath(written)).toBe(path)
  })

  test.each(['/_visits', '/_assets/site.js', 'docs/', '', '/%', '/a%2fb/', '/a%00b/'])(
    'does not exist for %j, because no page has it',
    (written) => {
      expect(visitedPath(written)).toBeNull()
    },
  )

  test('is short and well-formed, whatever a client sends', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(0xffff), { maxLength: 20 }),
        fc.integer({ min: 1, max: 60 }),
        (units, times) => {
          const path = visitedPath(
            `/${encodeURI(String.fromCharCode(...units).toWellFormed()).repeat(times)}`,
          )
          if (path === null || path === '') return
          expect(path.length).toBeLessThanOrEqual(500)
          expect(path.isWellFormed()).toBe(true)
        },
      ),
    )
  })

  test('leads to the document of a page, or to the text for models itself', () => {
    expect(['/', '/docs', '/fr/llms-full.txt'].map(visitedKey)).toEqual([
      'index.html',
      'docs/index.html',
      'fr/llms-full.txt',
    ])
  })
})

test('agents read pages, their Markdown and texts for models; files of pages and feeds are not counted', () => {
  expect(['/docs/', '/', '/docs/index.html', '/docs/index.md', '/llms.txt'].every(isReading)).toBe(true)
  expect(['/feed.xml', '/_assets/site.css', '/media/a.png', '/sitemap.xml'].some(isReading)).toBe(false)
})

test.each([
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)',
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ClaudeBot/1.0; +claudebot@anthropic.com)',
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; ChatGPT-User/1.0; +https://openai.com/bot',
  'Claude-User (claude-code/2.0; +https://support.anthropic.com/)',
  'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  'facebookexternalhit/1.1',
  'meta-externalagent/1.1',
  'curl/8.5.0',
  'python-requests/2.32',
])('%s is an agent', (name) => {
  expect(isAgent(name)).toBe(true)
})

test.each([
  CHROME,
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:145.0) Gecko/20100101 Firefox/145.0',
  'Mozilla/5.0 (Linux; Android 11; CUBOT X50) AppleWebKit/537.36 Chrome/120 Mobile Safari/537.36',
  '',
])('%j is no agent', (name) => {
  expect(isAgent(name)).toBe(false)
})

describe('a searched term', () => {
  test('is counted in lower case, with single blanks and at most 64 characters', () => {
    expect(searchedTerm('  Single\t Sign-On \n')).toBe('single sign-on')
    expect(searchedTerm('😀'.repeat(80))).toBe('😀'.repeat(64))
  })

  test.each(['', '   ', 'ada@example.com', 'call 0301 234567', '4111 1111 1111 1111', '2026-11-28'])(
    'such as %j is not counted: it is empty or may be about a person',
    (text) => {
      expect(searchedTerm(text)).toBeNull()
    },
  )
})
