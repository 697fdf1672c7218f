import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hostName, siteHost } from '../../src/domain/site-host.ts'

describe('the name in a Host header', () => {
  test.each([
    ['docs.acme.example', 'docs.acme.example'],
    ['DOCS.Acme.Example', 'docs.acme.example'],
    ['docs.acme.example:8080', 'docs.acme.example'],
    ['docs.acme.example:', 'docs.acme.example'],
    ['docs.acme.example.', 'docs.acme.example'],
    ['docs.acme.example.:443', 'docs.acme.example'],
    ['localhost:80', 'localhost'],
    ['xn--bcher-kva.example', 'xn--bcher-kva.example'],
    ['my_host.example', 'my_host.example'],
    [`${'a.'.repeat(126)}a.:65535`, `${'a.'.repeat(126)}a`],
  ])('is read from %j as %j', (host, name) => {
    expect(hostName(host)).toBe(name)
  })

  test.each([
    ...['', '127.0.0.1', '127.0.0.1:80', '[::1]', '[::1]:80', '::1', '[fe80::1%25eth0]', '2130706433'],
    ...['.', '..', '.example', 'a..example', 'docs.acme.example..', ':80', 'a:b', 'a:80:80', 'a b', ' '],
    ...['user@docs.acme.example', 'docs.acme.example/path', 'docs.acme.example,x', 'a\0b', 'bücher.example'],
    ...['[', ']', '*', '%', '%2e', '\\', 'a\n', 'a\r\nX: y', 'a'.repeat(1_000_000), '.a'.repeat(500_000)],
  ])('cannot be read from %j', (host) => {
    expect(hostName(host)).toBeNull()
  })

  test('is read from any text, and reads back as itself', () => {
    const piece = fc.constantFrom('a', 'B', '1', '-', '_', '.', ':', '[', ']', '@', '80', ' ', '\0', 'ü', '/')
    const host = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(piece).map((pieces) => pieces.join('')),
    )
    fc.assert(
      fc.property(host, (text) => {
        const name = hostName(text)
        if (name === null) return
        expect(name).toMatch(/^[a-z0-9_.-]{1,253}$/)
        expect(hostName(name)).toBe(name)
        expect(hostName(`${name.toUpperCase()}.:8080`)).toBe(name)
      }),
    )
  })
})

describe('a host', () => {
  const known = {
    sitesDomain: 'sites.example',
    ownHosts: ['api.example', 'cdn.sites.example', 'sites.example', '127.0.0.1'],
  }

  test.each([
    ['docs.acme.example', { customDomain: 'docs.acme.example' }],
    ['www.docs.acme.example', { customDomain: 'www.docs.acme.example' }],
    ['docs.sites.example', { subdomain: 'docs' }],
    ['a.b.sites.example', { subdomain: 'a.b' }],
    ['notsites.example', { customDomain: 'notsites.example' }],
    ['www.api.example', { customDomain: 'www.api.example' }],
    ['a.localhost', { customDomain: 'a.localhost' }],
  ])('%j is looked up as %j', (name, host) => {
    expect(siteHost(name, known)).toEqual(host)
  })

  test.each(['localhost', 'api.example', 'sites.example', 'cdn.sites.example'])(
    'is never looked up when it is one of the service itself (%s)',
    (name) => {
      expect(siteHost(name, known)).toBeNull()
    },
  )

  test('is a domain of its own where there is no sites domain', () => {
    expect(siteHost('docs.sites.example', { ...known, sitesDomain: null })).toEqual({
      customDomain: 'docs.sites.example',
    })
  })
})
