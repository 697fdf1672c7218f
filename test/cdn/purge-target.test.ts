import { describe, expect, test } from 'vitest'
import { objectUrls, siteUrls } from '../../src/cdn/object-urls.ts'
import { parsePurgeUrl } from '../../src/cdn/purge-target.ts'
import type { ProjectId } from '../../src/domain/ids.ts'
import { DEFAULT_HOSTING } from '../../src/domain/project.ts'

describe('the address of a purge', () => {
  test('names a CDN and what it is called there', () => {
    expect(parsePurgeUrl('cloudflare:zone1?by=urls', 't')).toEqual({
      service: 'cloudflare',
      id: 'zone1',
      by: 'urls',
      endpoint: 'https://api.cloudflare.com',
      token: 't',
    })
  })

  test('may be a webhook, whose query is its own', () => {
    const url = 'http://varnish.internal:6081/_purge?site=1'
    expect(parsePurgeUrl(url, null)).toEqual({ service: 'webhook', url, token: null })
  })

  test.each([
    ['fastly:abc', null, /QUOIN_PURGE_TOKEN/],
    ['cloudfront:E1', 'token', /AWS_ACCESS_KEY_ID/],
    ['fastly:abc?by=urls', 'token', /Fastly cannot/],
    ['bunny:1?by=paths', 'token', /tags or urls/],
    ['bunny:1?zone=2', 'token', /by, endpoint/],
    ['bunny:1?endpoint=ftp://x', 'token', /http or https/],
    ['akamai:1', 'token', /must look like/],
    ['fastly:', 'token', /must look like/],
    ['fastly:a/b', 'token', /must look like/],
    ['https://user:pass@cache.example.com/', null, /QUOIN_PURGE_TOKEN/],
    ['https://cache.example.com/', 'to ken', /visible ASCII/],
  ])('%j with the token %j is refused with the reason', (url, token, reason) => {
    expect(() => parsePurgeUrl(url, token)).toThrow(reason)
  })
})

describe('the URLs of an object', () => {
  const id = 'abcdefgh23456789' as ProjectId
  const addresses = { contentUrl: 'https://cdn.example', sitesDomain: 'sites.example' }

  test('are those of each host of its site', () => {
    const hosting = { ...DEFAULT_HOSTING, subdomain: 'docs', customDomain: 'docs.customer.example' }
    expect(siteUrls(id, hosting, addresses)).toEqual([
      `https://cdn.example/proj_${id}`,
      'https://docs.sites.example',
      'https://docs.customer.example',
    ])
  })

  test('are those below the content URL for a deleted project', () => {
    expect(siteUrls(id, null, addresses)).toEqual([`https://cdn.example/proj_${id}`])
  })

  test.each([
    ['index.html', ['/index.html', '/']],
    ['docs/a b/index.html', ['/docs/a%20b/index.html', '/docs/a%20b/', '/docs/a%20b']],
    ['_index.json', ['/_index.json']],
    ['myindex.html', ['/myindex.html']],
  ])('with the key %j are its file and its folder', (key, paths) => {
    expect(objectUrls(key, ['https://h'])).toEqual(paths.map((path) => `https://h${path}`))
  })
})
