import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { JsonObject } from '../../src/domain/json.ts'
import { docsNav, footerLinks, navLinks } from '../../src/fields/links.ts'

const STRICT = {
  header: navLinks(z.strictObject),
  footer: footerLinks(z.strictObject),
  sidebar: docsNav(z.strictObject, 'Entry'),
}
const LEGACY = {
  header: navLinks(z.object),
  footer: footerLinks(z.object),
  sidebar: docsNav(z.object, 'LegacyEntry'),
}
const LISTS = Object.keys(STRICT) as (keyof typeof STRICT)[]

const link = { label: 'Docs', href: '/docs' }
const entryOf = { header: link, footer: link, sidebar: { title: 'Install' } }
const nested = (levels: number): JsonObject =>
  levels === 1 ? { title: 'A' } : { title: 'A', children: [nested(levels - 1)] }

describe.each(LISTS)('the list of links in the %s', (list) => {
  const entry = entryOf[list]

  test('may be empty, and is stored as it is written', () => {
    for (const schema of [STRICT[list], LEGACY[list]]) {
      expect(schema.parse([])).toEqual([])
      expect(schema.parse([entry, entry])).toEqual([entry, entry])
    }
  })

  test('refuses an unknown key on the current surface, and drops it on the legacy one', () => {
    const given = [{ ...entry, target: '_blank' }]
    expect(STRICT[list].safeParse(given).success).toBe(false)
    expect(LEGACY[list].parse(given)).toEqual([entry])
  })

  test('is refused without throwing when it is any other JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        if (Array.isArray(value) && value.length === 0) return
        for (const schema of [STRICT[list], LEGACY[list]]) expect(schema.safeParse(value).success).toBe(false)
      }),
    )
  })

  test('is accepted by the legacy surface with the same value when the current one accepts it', () => {
    const any = fc.oneof(
      fc.constantFrom(entry, link, { title: 'Group', links: [link] }, { ...link, external: true }),
      fc.jsonValue(),
    )
    fc.assert(
      fc.property(fc.array(any, { maxLength: 3 }), (given) => {
        const current = STRICT[list].safeParse(given)
        if (current.success) expect(LEGACY[list].parse(given)).toEqual(current.data)
      }),
    )
  })
})

describe('a list in the header or the footer', () => {
  test.each(['header', 'footer'] as const)('has at most 50 entries in the %s', (list) => {
    const links = (count: number) => Array.from({ length: count }, () => link)
    expect(STRICT[list].safeParse(links(50)).success).toBe(true)
    expect(STRICT[list].safeParse(links(51)).error?.issues[0]?.message).toMatch(/^must have at most 50/)
  })

  test('has groups in the footer only, each with at most 50 links', () => {
    const group = (count: number) => ({ title: '', links: Array.from({ length: count }, () => link) })
    expect(STRICT.footer.parse([group(50)])).toEqual([group(50)])
    expect(STRICT.footer.safeParse([group(51)]).success).toBe(false)
    expect(STRICT.header.safeParse([group(1)]).success).toBe(false)
  })

  test('has no groups within groups', () => {
    const group = { title: 'A', links: [{ title: 'B', links: [link] }] }
    expect(STRICT.footer.safeParse([group]).success).toBe(false)
  })

  test.each(['javascript:alert(1)', '//example.com', 'docs', ''])('leads nowhere with %j', (href) => {
    for (const list of ['header', 'footer'] as const)
      expect(STRICT[list].safeParse([{ label: 'A', href }]).success).toBe(false)
  })
})

describe('the sidebar', () => {
  test('may be nested 8 levels deep and no deeper', () => {
    expect(STRICT.sidebar.safeParse([nested(8)]).success).toBe(true)
    expect(STRICT.sidebar.safeParse([nested(9)]).error?.issues[0]?.message).toContain('8 levels')
  })

  test('has at most 2,000 entries, those of all levels together', () => {
    const group = (children: number) => ({
      title: 'A',
      children: Array.from({ length: children }, () => ({ title: 'B' })),
    })
    expect(STRICT.sidebar.safeParse([group(999), group(999)]).success).toBe(true)
    expect(STRICT.sidebar.safeParse([group(999), group(1000)]).success).toBe(false)
  })

  test('with a million invalid entries is refused with one error', () => {
    const entries = Array.from({ length: 1_000 }, () => ({
      children: Array.from({ length: 1_000 }, () => 0),
    }))
    expect(STRICT.sidebar.safeParse(entries).error?.issues).toHaveLength(1)
  })
})
