import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type DomainRules, refusedDomain, toDomainName } from '../../src/custom-domains/domain-name.ts'

describe('a domain is stored in one form', () => {
  test.each([
    ['docs.acme.com', 'docs.acme.com'],
    ['Docs.ACME.com', 'docs.acme.com'],
    ['docs.acme.com.', 'docs.acme.com'],
    ['ｄｏｃｓ．ａｃｍｅ．ｃｏｍ', 'docs.acme.com'],
    ['docs。acme｡com', 'docs.acme.com'],
    ['do\u00adcs.acme.com', 'docs.acme.com'],
    ['\u200bdocs.acme.com', 'docs.acme.com'],
    ['ⓓocs.acme.com', 'docs.acme.com'],
    ['bücher.de', 'xn--bcher-kva.de'],
    ['BÜCHER.DE', 'xn--bcher-kva.de'],
    ['bu\u0308cher.de', 'xn--bcher-kva.de'],
    ['XN--BCHER-KVA.de', 'xn--bcher-kva.de'],
    ['straße.de', 'xn--strae-oqa.de'],
    ['пример.рф', 'xn--e1afmkfd.xn--p1ai'],
    ['例え.テスト', 'xn--r8jz45g.xn--zckzah'],
  ])('for example %s as %s', (given, stored) => {
    expect(toDomainName(given)).toBe(stored)
    expect(toDomainName(stored)).toBe(stored)
  })

  test('but a name with a letter that only looks like another one is another name', () => {
    expect(toDomainName('p\u0430ypal.com')).toBe('xn--pypal-4ve.com')
  })

  test('every other spelling in capitals or full-width letters is the same name', () => {
    const letter = fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz0123456789')
    const wide = (text: string) =>
      [...text].map((one) => String.fromCodePoint((one.codePointAt(0) ?? 0) + 0xfee0)).join('')
    fc.assert(
      fc.property(fc.string({ unit: letter, minLength: 1, maxLength: 20 }), (label) => {
        const name = `a${label}.com`
        expect(toDomainName(name)).toBe(name)
        expect(toDomainName(name.toUpperCase())).toBe(name)
        expect(toDomainName(wide(name))).toBe(name)
      }),
    )
  })
})

test.each([
  '',
  '.',
  'com',
  'localhost',
  'a..com',
  '.docs.acme.com',
  'docs.acme.com..',
  'docs.acme.com:443',
  'https://docs.acme.com',
  'docs.acme.com/path',
  'docs.acme.com?a',
  'docs.acme.com#a',
  'user@docs.acme.com',
  'docs acme.com',
  'docs.acme.com\n',
  'docs.acme.com\0',
  'exa%6dple.com',
  'docs_x.acme.com',
  '*.acme.com',
  '-docs.acme.com',
  'docs-.acme.com',
  `${'a'.repeat(64)}.com`,
  `${'a.'.repeat(126)}com`,
  'xn--a.com',
  'xn--zzzzzzzzzzzzzzzz-.com',
  'acme.1',
  'acme.0x1',
  '127.0.0.1',
  '127.1',
  '2130706433',
  '0x7f000001',
  '0x7f.1',
  '017700000001',
  '１２７.0.0.1',
  '127。0。0。1',
  '0x7f.0x0.0x0.0x1',
  '[::1]',
  '::1',
  '::ffff:127.0.0.1',
  '2001:db8::1',
  'a'.repeat(100_000),
  `${'ü'.repeat(100_000)}.de`,
])('%j is no domain name', (text) => {
  expect(toDomainName(text)).toBeNull()
})

const OPEN: DomainRules = { ownHosts: [], needsProof: true }

describe('no project can take', () => {
  const rules: DomainRules = {
    ownHosts: ['api.quoin.host', 'cdn.quoin.host', 'sites.quoin.net', '10.1.2.3', 'localhost'],
    needsProof: true,
  }

  test.each([
    'api.quoin.host',
    'a.api.quoin.host',
    'a.b.cdn.quoin.host',
    'sites.quoin.net',
    'acme.sites.quoin.net',
  ])('a host of the service or a name under it: %s', (domain) => {
    expect(refusedDomain(domain, rules)).toBe('is a domain of this service and cannot be taken.')
  })

  test.each(['quoin.host', 'quoin.net'])('the parent of a host of the service: %s', (domain) => {
    expect(refusedDomain(domain, rules)).toBe(
      'is the parent of a domain of this service and cannot be taken.',
    )
  })

  test.each(['docs.quoin.host', 'notapi.quoin.host', 'quoin.hosting', 'xquoin.host'])(
    'but a name beside it: %s',
    (domain) => {
      expect(refusedDomain(domain, rules)).toBeNull()
    },
  )

  test.each([
    'co.uk',
    'com.au',
    'b.ck',
    'kobe.jp',
    'github.io',
    'pages.dev',
    's3.amazonaws.com',
    'blogspot.com',
    'xn--55qx5d.cn',
  ])('the public suffix %s', (domain) => {
    expect(refusedDomain(domain, OPEN)).toMatch(/^is a public suffix/)
  })

  test.each([
    'docs.local',
    'a.b.local',
    'docs.localhost',
    'facebookwkhpilnemxj7asaniu7vnjjbiltxjqhye3mhbshg7kx5tfyd.onion',
    'docs.test',
    'docs.example',
    'docs.invalid',
    'docs.internal',
    'docs.alt',
    'nas.home.arpa',
    '1.0.0.127.in-addr.arpa',
  ])('the special-use name %s', (domain) => {
    expect(refusedDomain(domain, OPEN)).toMatch(/^is a special-use name/)
  })

  test.each([
    'acme.co.uk',
    'acme.github.io',
    'www.ck',
    'city.kobe.jp',
    'xn--bcher-kva.de',
    'docs.acme.com',
    'acme.unlisted',
  ])('but a name that somebody can own: %s', (domain) => {
    expect(refusedDomain(domain, OPEN)).toBeNull()
  })
})

test('only hosts of the service and names under them are refused where domains need no proof', () => {
  const rules: DomainRules = { ownHosts: ['api.quoin.host'], needsProof: false }
  expect(refusedDomain('api.quoin.host', rules)).not.toBeNull()
  expect(refusedDomain('a.api.quoin.host', rules)).not.toBeNull()
  for (const domain of ['quoin.host', 'wiki.local', 'docs.internal', 'github.io'])
    expect(refusedDomain(domain, rules)).toBeNull()
})
