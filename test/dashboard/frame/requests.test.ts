import { describe, expect, test } from 'vitest'
import { browserName } from '../../../src/dashboard/frame/browser-name.ts'
import { formToken, isFormToken, isOwnForm } from '../../../src/dashboard/frame/cross-site.ts'
import { isDashboardHost } from '../../../src/dashboard/frame/dashboard-host.ts'
import { pagerOf, sliceOf } from '../../../src/dashboard/frame/paging.ts'
import { returnPath } from '../../../src/dashboard/frame/return-path.ts'
import { sessionToken } from '../../../src/dashboard/frame/session-cookie.ts'
import { suggestedSlug } from '../../../src/dashboard/frame/suggested-slug.ts'

describe('the host of a request', () => {
  test.each([
    ['quoin.example.com', true],
    ['QUOIN.example.com:8443', true],
    ['localhost:8080', true],
    ['127.0.0.1:8080', true],
    ['[::1]:8080', true],
    ['customer.example', false],
    ['evil.quoin.example.com', false],
    ['quoin.example.com.evil.example', false],
    ['', false],
  ])('%s: the dashboard answers %s', (host, answers) => {
    expect(isDashboardHost(host, 'https://quoin.example.com')).toBe(answers)
  })
})

describe('the origin of a form', () => {
  const opened = { host: 'quoin.example.com', schemes: ['https:'] }

  test('is the dashboard where the browser says so, in either header', () => {
    for (const [fetchSite, origin] of [
      ['same-origin', ''],
      ['', 'https://quoin.example.com'],
      ['same-origin', 'https://QUOIN.example.com'],
    ] as const)
      expect(isOwnForm({ fetchSite, origin, ...opened }, false)).toBe(true)
  })

  test('is not proved by a token where a header says otherwise', () => {
    for (const [fetchSite, origin] of [
      ['cross-site', ''],
      ['', 'https://quoin.example.com@evil.example'],
      ['', 'http://quoin.example.com'],
      ['', 'https://quoin.example.com:8443'],
      ['', 'null'],
    ] as const)
      expect(isOwnForm({ fetchSite, origin, ...opened }, true)).toBe(false)
  })

  test('has a token of one session only', () => {
    const key = new Uint8Array(32).fill(1)
    expect(isFormToken(formToken('a', key), 'a', key)).toBe(true)
    expect(isFormToken(formToken('a', key), 'b', key)).toBe(false)
    expect(isFormToken(formToken('a', key), 'a', new Uint8Array(32))).toBe(false)
    expect(isFormToken('', 'a', key)).toBe(false)
  })
})

describe('the cookie of a session', () => {
  const token = 'x'.repeat(43)

  test('has the prefix over HTTPS, and one without it counts on plain HTTP only', () => {
    expect(sessionToken(`a=b; __Host-quoin_session=${token}`, true)).toBe(token)
    expect(sessionToken(`quoin_session=${token}`, true)).toBe(null)
    expect(sessionToken(`quoin_session=${token}`, false)).toBe(token)
    expect(sessionToken(`__Host-quoin_session=${token}`, false)).toBe(null)
  })

  test('counts for nothing when there are two, of which another path or domain has set one', () => {
    expect(sessionToken(`quoin_session=${token}; quoin_session=${'y'.repeat(43)}`, false)).toBe(null)
  })
})

test('the way back keeps the path and the query of a view', () => {
  expect(returnPath('/dashboard/projects/proj_a/pages?q=a%20b&page=2')).toBe(
    '/dashboard/projects/proj_a/pages?q=a%20b&page=2',
  )
  expect(returnPath('/dashboardx')).toBe('/dashboard/projects')
  expect(returnPath('/dashboard/sign-in?next=/dashboard')).toBe('/dashboard/projects')
})

test('a list is turned within its bounds, and its links keep the filters', () => {
  const query = new URLSearchParams('q=tide&page=2&done=pageSaved')
  expect(sliceOf(query)).toEqual({ limit: 50, offset: 50 })
  expect(pagerOf('/p', query, 50, 101)).toEqual({
    first: 51,
    last: 100,
    total: 101,
    previous: '/p?q=tide',
    next: '/p?q=tide&page=3',
  })
  expect(sliceOf(new URLSearchParams('page=-1')).offset).toBe(0)
  expect(sliceOf(new URLSearchParams('page=999999999')).offset).toBe(0)
  expect(pagerOf('/p', new URLSearchParams(), 0, 0)).toMatchObject({ first: 0, previous: null, next: null })
})

test.each([
  ['How tides work', 'how-tides-work'],
  ['  Größe & Maß!', 'grosse-mass'],
  ['Crème brûlée', 'creme-brulee'],
  ['東京', ''],
  ['a'.repeat(200), 'a'.repeat(80)],
])('the address of a page follows from its title: %s', (title, slug) => {
  expect(suggestedSlug(title)).toBe(slug)
})

test.each([
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox, Windows'],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile/15E148 Safari/604.1',
    'Safari, iPhone',
  ],
  [
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0',
    'Edge, Linux',
  ],
  ['<script>', null],
])('a browser has a name that people know: %s', (userAgent, name) => {
  expect(browserName(userAgent)).toBe(name)
})
