import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { ServiceError } from '../../src/domain/errors.ts'
import type { JsonObject } from '../../src/domain/json.ts'
import { parseBody, parseQuery } from '../../src/http/parse.ts'
import { paging } from '../../src/http/query-fields.ts'

const Body = z.strictObject({
  title: z.string().min(1).max(10),
  count: z.int().min(0).max(5).optional(),
  links: z
    .array(z.strictObject({ label: z.string(), href: z.string() }))
    .max(3)
    .optional(),
  image: z.union([z.string(), z.strictObject({ src: z.string() })]).optional(),
})

function errorOf(read: () => unknown): Pick<ServiceError, 'name' | 'message'> {
  try {
    read()
  } catch (error) {
    return error as ServiceError
  }
  throw new Error('Nothing was refused.')
}

describe('a body', () => {
  test('is read when it fits its schema', () => {
    expect(parseBody(Body, { title: 'A', count: 2 })).toEqual({ title: 'A', count: 2 })
  })

  test('is refused with every wrong field at once, each by its path', () => {
    const { name, message } = errorOf(() =>
      parseBody(Body, { title: '', count: 'two', links: [{ label: 'A', href: '/a' }, { label: 3 }] }),
    )
    expect(name).toBe('validation_error')
    for (const path of ['title:', 'count:', 'links[1].label:', 'links[1].href:'])
      expect(message).toContain(path)
  })

  test('without a required field says so first, null counting as absent', () => {
    for (const body of [{}, { title: null }] as JsonObject[]) {
      const { name, message } = errorOf(() => parseBody(Body, { ...body, count: 9 }))
      expect(name).toBe('missing_required_field')
      expect(message).toMatch(/^title: /)
      expect(message).toContain('count: ')
    }
  })

  test('names an unknown field at any depth', () => {
    expect(errorOf(() => parseBody(Body, { title: 'A', tags: [] })).message).toContain('tags: ')
    const links = [{ label: 'A', href: '/', target: '_blank' }]
    expect(errorOf(() => parseBody(Body, { title: 'A', links })).message).toContain('links[0].target: ')
  })

  test('is explained, when it has several forms, by the one that it comes closest to', () => {
    expect(errorOf(() => parseBody(Body, { title: 'A', image: { url: '/a.png' } })).message).toContain(
      'image.',
    )
  })

  test('may send back fields that are read-only', () => {
    expect(parseBody(Body, { title: 'A', id: 'page_1' }, { readOnly: ['id'] })).toEqual({ title: 'A' })
  })

  test('is refused for rules that no schema has, together with what the schema finds', () => {
    const also = () => [{ path: 'slug', message: 'is taken.' }]
    expect(errorOf(() => parseBody(Body, { title: 'A' }, { also })).message).toContain('slug: is taken.')
    expect(errorOf(() => parseBody(Body, { title: '' }, { also })).message).toMatch(
      /title: .*slug: is taken\./,
    )
  })

  test('with thousands of wrong fields gets an answer of bounded length', () => {
    const body = Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`${n}`.padEnd(1_000, 'x'), n]))
    const { message } = errorOf(() => parseBody(Body, { title: 'A', ...body }))
    expect(message.length).toBeLessThan(50_000)
    expect(message).toContain('And 4900 more.')
  })

  test('is either read or refused with a reason, whatever JSON it is', () => {
    const value = fc.oneof(
      fc.jsonValue(),
      fc.constant({ length: { toString: 0 } }),
      fc.constant({ length: 1e9 }),
    )
    const body = fc.dictionary(fc.constantFrom('title', 'count', 'links', 'image', 'other'), value)
    fc.assert(
      fc.property(body, (given) => {
        try {
          expect(Object.keys(parseBody(Body, given as JsonObject))).toContain('title')
        } catch (error) {
          expect(['validation_error', 'missing_required_field']).toContain((error as ServiceError).name)
          expect((error as ServiceError).message).not.toBe('')
        }
      }),
      { numRuns: 300 },
    )
  })
})

describe('a query', () => {
  const Query = z.object({ project_id: z.string(), ...paging })
  const read = (query: string) => parseQuery(Query, new URLSearchParams(query))

  test('has defaults, and ignores parameters that are unknown', () => {
    expect(read('project_id=p&utm_source=x')).toEqual({
      project_id: 'p',
      limit: 25,
      offset: 0,
      order: 'desc',
    })
  })

  test.each([
    'limit=0',
    'limit=101',
    'limit=ten',
    'limit=1e2',
    'limit=',
    'offset=-1',
    'offset=1.5',
    'order=up',
  ])('with %s is refused by name', (wrong) => {
    const { name, message } = errorOf(() => read(`project_id=p&${wrong}`))
    expect(name).toBe('invalid_request')
    expect(message).toContain(`${wrong.split('=')[0]}: `)
  })

  test('is refused when it gives a parameter twice, since either could be meant', () => {
    expect(errorOf(() => read('project_id=p&limit=5&limit=6')).message).toMatch(/^limit: .*more than once/)
  })

  test('without a required parameter says which', () => {
    const { name, message } = errorOf(() => read('limit=5'))
    expect(name).toBe('missing_required_field')
    expect(message).toMatch(/^project_id: /)
  })
})
