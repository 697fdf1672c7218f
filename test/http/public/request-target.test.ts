import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { requestTarget } from '../../../src/http/public/request-target.ts'

const targetOf = (url: string, host?: string) =>
  requestTarget({ url, headers: host === undefined ? {} : { host } } as IncomingMessage)

test.each([
  ['/docs/a?b=c', 'site.example', { host: 'site.example', path: '/docs/a' }],
  ['/', 'site.example:8080', { host: 'site.example:8080', path: '/' }],
  ['/a%20b', 'site.example', { host: 'site.example', path: '/a%20b' }],
  ['', 'site.example', { host: 'site.example', path: '/' }],
  ['?a=b', 'site.example', { host: 'site.example', path: '/' }],
  ['*', 'site.example', { host: 'site.example', path: '*' }],
])('%j with the host %j is %j', (url, host, target) => {
  expect(targetOf(url, host)).toEqual(target)
})

test('a target in absolute form names the host, whatever the header says', () => {
  expect(targetOf('http://real.example/a?b', 'other.example')).toEqual({ host: 'real.example', path: '/a' })
  expect(targetOf('HTTPS://real.example:1', 'other.example')).toEqual({ host: 'real.example:1', path: '/' })
  expect(targetOf('http://real.example?x', 'other.example')).toEqual({ host: 'real.example', path: '/' })
})

test('a path that only looks like a URL is a path', () => {
  expect(targetOf('/http://other.example/', 'site.example')).toEqual({
    host: 'site.example',
    path: '/http://other.example/',
  })
  expect(targetOf('//other.example/a', 'site.example').host).toBe('site.example')
})

test('a request without a host has an empty one', () => {
  expect(targetOf('/a')).toEqual({ host: '', path: '/a' })
})
