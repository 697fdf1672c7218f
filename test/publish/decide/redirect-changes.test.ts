import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { RedirectId } from '../../../src/domain/ids.ts'
import {
  MAX_SITE_REDIRECTS,
  type RedirectChange,
  TOO_MANY_REDIRECTS,
} from '../../../src/domain/site-redirect.ts'
import { foldedAddress } from '../../../src/domain/slug.ts'
import { createRedirectTable, type KnownRedirect } from '../../../src/publish/decide/redirect-changes.ts'

const put = (id: string, from: string): RedirectChange['put'][number] => ({
  id: id as RedirectId,
  from,
  to: { kind: 'path', path: '/target', fragment: null },
  createdAt: '2026-01-01T00:00:00.000Z',
})
const known = (id: string, path: string): KnownRedirect => ({
  id: id as RedirectId,
  path,
  address: foldedAddress(path),
})

const ids = fc.constantFrom('1', '2', '3', '4')
const change = fc.record({
  put: fc.uniqueArray(
    fc.tuple(ids, fc.constantFrom('/a', '/A', '/b', '/c')).map(([id, from]) => put(id, from)),
    { maxLength: 2, selector: ({ from }) => foldedAddress(from) },
  ),
  remove: fc.array(
    ids.map((id) => id as RedirectId),
    { maxLength: 2 },
  ),
})

describe('changes of redirects in a queue', () => {
  test('never leave two redirects at one address, and all come to the table that the last one leaves', () => {
    fc.assert(
      fc.property(fc.array(change), (changes) => {
        const table = createRedirectTable([])
        const rows = new Map<string, string>()
        for (const one of changes) {
          if (table.change(one) !== null) continue
          for (const id of one.remove) rows.delete(id)
          for (const { id, from } of one.put) rows.set(id, foldedAddress(from))
          expect(new Set(rows.values()).size).toBe(rows.size)
        }
      }),
    )
  })

  test('are decided as if each one was read from the database after the one before', () => {
    fc.assert(
      fc.property(fc.array(change), (changes) => {
        const table = createRedirectTable([])
        let rows = new Map<string, KnownRedirect>()
        for (const one of changes) {
          const failure = createRedirectTable([...rows.values()]).change(one)
          expect(table.change(one)).toEqual(failure)
          if (failure !== null) continue
          rows = new Map([...rows].filter(([id]) => !one.remove.some((removed) => removed === id)))
          for (const { id, from } of one.put) rows.set(id, known(id, from))
        }
      }),
    )
  })
})

test('a redirect from an address that another one has since is refused by the path of that one', () => {
  const failure = createRedirectTable([known('1', '/Old')]).change({ put: [put('2', '/old')], remove: [] })
  expect(failure).toEqual({
    name: 'conflict',
    message: 'Another request has changed the redirect from /Old meanwhile.',
  })
  const removing = { put: [put('2', '/old')], remove: ['1' as RedirectId] }
  expect(createRedirectTable([known('1', '/Old')]).change(removing)).toBeNull()
})

test('a project has at most 10,000 redirects, and one of them may be replaced', () => {
  const full = Array.from({ length: MAX_SITE_REDIRECTS }, (_, n) => known(`${n}`, `/from-${n}`))
  const more = { put: [put('more', '/more')], remove: [] }
  expect(createRedirectTable(full).change(more)).toEqual({ name: 'conflict', message: TOO_MANY_REDIRECTS })
  expect(createRedirectTable(full).change({ ...more, remove: ['7' as RedirectId] })).toBeNull()
  expect(createRedirectTable(full).change({ put: [put('7', '/more')], remove: [] })).toBeNull()
})
