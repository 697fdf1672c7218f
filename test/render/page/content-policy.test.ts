import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { contentPolicy, hashSource } from '../../../src/render/page/content-policy.ts'
import { anyText } from '../../support/live-page.ts'

/** Sources by directive, as a browser parses a policy. */
function directives(policy: string): ReadonlyMap<string, readonly string[]> {
  return new Map(
    policy.split(';').map((part) => {
      const [name = '', ...sources] = part.trim().split(/\s+/)
      return [name, sources]
    }),
  )
}

const needs = fc.record({
  styles: fc.array(fc.option(anyText()), { maxLength: 3 }),
  scripts: fc.array(anyText(), { maxLength: 3 }),
  hasAnalytics: fc.boolean(),
})

describe('the policy of a document', () => {
  test('allows no inline script or style apart from the given ones, whatever is in them', () => {
    fc.assert(
      fc.property(needs, (given) => {
        const policy = directives(contentPolicy(given))
        const tags = given.hasAnalytics ? ['https://*.googletagmanager.com'] : []
        const styles = given.styles.flatMap((text) => (text === null ? [] : [hashSource(text)]))
        expect(policy.get('script-src')).toEqual(["'self'", ...given.scripts.map(hashSource), ...tags])
        expect(policy.get('style-src')).toEqual(["'self'", ...styles])
      }),
    )
  })

  test('never allows inline code as such, evaluation, or a script of any host', () => {
    fc.assert(
      fc.property(needs, (given) => {
        const policy = contentPolicy(given)
        expect(policy).not.toMatch(/unsafe-|strict-dynamic|nonce-/)
        expect(directives(policy).get('script-src')).not.toContain('https:')
        expect(directives(policy).get('default-src')).toEqual(["'none'"])
        expect(directives(policy).get('base-uri')).toEqual(["'none'"])
      }),
    )
  })

  test('has the same directives for every document, each once', () => {
    fc.assert(
      fc.property(needs, (given) => {
        const names = contentPolicy(given)
          .split('; ')
          .map((part) => part.split(' ')[0])
        expect(new Set(names).size).toBe(names.length)
        expect(names).toEqual([...directives(contentPolicy({ styles: [], hasAnalytics: false })).keys()])
      }),
    )
  })

  test('contacts no other host unless the site is measured', () => {
    const policy = directives(contentPolicy({ styles: [], hasAnalytics: false }))
    expect(policy.get('connect-src')).toEqual(["'self'"])
    const measured = directives(contentPolicy({ styles: [], hasAnalytics: true }))
    expect(measured.get('connect-src')).toContain('https://*.google-analytics.com')
  })
})

test('a hash is over the UTF-8 bytes of the text, as browsers compute it', () => {
  const digest = createHash('sha256').update(Buffer.from('ä字')).digest('base64')
  expect(hashSource('ä字')).toBe(`'sha256-${digest}'`)
})
