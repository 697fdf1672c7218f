import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ProjectId } from '../../src/domain/ids.ts'
import { DEFAULT_HOSTING, projectSlug, siteOrigin } from '../../src/domain/project.ts'

describe('a project', () => {
  test.each([
    ['Söhne & Co.', 'sohne-co'],
    ['  My site  ', 'my-site'],
    ['日本語', 'project'],
    ['', 'project'],
    ['---', 'project'],
  ])('called %j has the slug %j', (name, slug) => {
    expect(projectSlug(name)).toBe(slug)
  })

  test('has a slug that a URL can hold, whatever it is called', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 120 }), (name) => {
        expect(projectSlug(name)).toMatch(/^[a-z0-9][a-z0-9-]{0,79}$/)
      }),
    )
  })

  const id = 'aaaaaaaaaaaaaaaa' as ProjectId
  const addresses = { contentUrl: 'https://cdn.example/public', sitesDomain: 'sites.example' }

  test.each([
    [{}, 'https://cdn.example/public/proj_aaaaaaaaaaaaaaaa'],
    [{ subdomain: 'acme' }, 'https://acme.sites.example'],
    [{ subdomain: 'acme', customDomain: 'acme.example' }, 'https://acme.example'],
    [{ customDomain: 'acme.example', mode: 'rewrite', basePath: '/help' }, 'https://acme.example/help'],
    [{ customDomain: 'acme.example', mode: 'rewrite', basePath: '/' }, 'https://acme.example'],
    // Only the customer's own server serves the site below a path.
    [{ subdomain: 'acme', mode: 'rewrite', basePath: '/help' }, 'https://acme.sites.example'],
    [{ customDomain: 'acme.example', mode: 'full_host', basePath: '/help' }, 'https://acme.example'],
  ] as const)('hosted as %j is found at %s', (hosting, origin) => {
    expect(siteOrigin({ id, hosting: { ...DEFAULT_HOSTING, ...hosting } }, addresses)).toBe(origin)
  })

  test('with a subdomain is found under the content URL where the operator has no domain for sites', () => {
    const hosting = { ...DEFAULT_HOSTING, subdomain: 'acme' }
    expect(siteOrigin({ id, hosting }, { ...addresses, sitesDomain: null })).toBe(
      'https://cdn.example/public/proj_aaaaaaaaaaaaaaaa',
    )
  })
})
