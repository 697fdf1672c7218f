import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ReleaseId } from '../../../src/domain/ids.ts'
import { redirectKey } from '../../../src/domain/redirect-path.ts'
import type { LiveObject } from '../../../src/publish/ledger/live-state.ts'
import { factsOf } from '../../../src/publish/pipeline/page-keys.ts'
import { pageRedirects, redirectWarnings } from '../../../src/publish/pipeline/redirects.ts'
import { snapshotFor } from '../../support/live-site.ts'

const paths = fc.uniqueArray(fc.constantFrom<string>('/a', '/b', '/c/d', '/e', '/f', '/g', '/h'))

/** A page at `/now` that was live at `previous[0]`, and redirects from the other previous paths. */
function movedPage(previous: readonly string[], named: readonly string[] = []) {
  const snapshot = snapshotFor('page', { slug: 'now' }, { redirectFrom: named })
  const { page, fields, settings, site } = snapshot
  const [last, ...redirects] = previous
  const live =
    last === undefined
      ? null
      : {
          releaseId: 'releaseaaaaaaaaa' as ReleaseId,
          publishedAt: '2026-01-01T00:00:00.000Z',
          facts: { ...factsOf(snapshot), path: last },
          line: '{}',
          redirects,
        }
  const claimed = {
    release: { snapshot } as never,
    file: 'now/index.html',
    redirectFrom: named,
    replaces: null,
    live,
    firstPublishedAt: null,
  }
  return { claimed, placed: { page, fields, settings, site, path: '/now', file: 'now/index.html' } }
}

const owned = (keys: readonly string[]): readonly LiveObject[] =>
  keys.map((path) => ({
    key: redirectKey(path),
    owner: { kind: 'redirect', id: 'page' },
    digest: 'd',
    headerDigest: 'h',
    keyId: null,
    writtenBy: null,
  }))

const isFree = () => false

describe('the redirects of a page', () => {
  test('lead from every path to where the page is now, so that there are no chains', () => {
    fc.assert(
      fc.property(paths, paths, (previous, named) => {
        const { artifacts } = pageRedirects(movedPage(previous, named), owned(previous), isFree)
        for (const { body } of artifacts) expect(Buffer.from(body).toString()).toContain('Moved to /now')
        expect(new Set(artifacts.map(({ key }) => key)).size).toBe(artifacts.length)
      }),
    )
  })

  test('never start where another page is, or another page redirects from', () => {
    fc.assert(
      fc.property(paths, paths, (previous, taken) => {
        const isTaken = (path: string) => taken.includes(path)
        const { artifacts } = pageRedirects(movedPage(previous), owned(previous), isTaken)
        const keys = artifacts.map(({ key }) => key)
        for (const path of taken) expect(keys).not.toContain(redirectKey(path))
      }),
    )
  })

  test('start only at previous paths that the page still owns', () => {
    fc.assert(
      fc.property(paths, paths, (previous, stillOwned) => {
        const { previousPaths } = pageRedirects(movedPage(previous), owned(stillOwned), isFree)
        for (const path of previousPaths) expect(stillOwned).toContain(path)
      }),
    )
  })

  test('keep the newest five previous paths and all that the author names', () => {
    const previous = ['/a', '/b', '/c/d', '/e', '/f', '/g', '/h']
    const { previousPaths, artifacts } = pageRedirects(
      movedPage(previous, ['/x', '/y']),
      owned(previous),
      isFree,
    )
    expect(previousPaths).toEqual(previous.slice(0, 5))
    expect(artifacts).toHaveLength(7)
  })

  test('are none for a page that never moved', () => {
    expect(pageRedirects(movedPage([]), [], isFree)).toEqual({ previousPaths: [], artifacts: [] })
  })
})

describe('the author is warned of a redirect path', () => {
  const warnings = (named: readonly string[], effective: readonly string[]) => {
    const { claimed, placed } = movedPage([], named)
    return redirectWarnings({ claimed: { ...claimed, redirectFrom: effective }, placed })
  }

  test('that another object of the site occupies', () => {
    expect(warnings(['/old'], [])).toMatchObject([
      { code: 'QN-UNUSED-REDIRECT', at: 'redirect_from[0]', message: expect.stringContaining('/old') },
    ])
  })

  test('that is no path', () => {
    expect(warnings(['old'], [])).toMatchObject([{ message: expect.stringContaining('must be a path') }])
  })

  test('beyond the limit of 20', () => {
    const named = Array.from({ length: 21 }, (_, number) => `/old-${number}`)
    expect(warnings(named, named).map(({ at }) => at)).toEqual(['redirect_from[20]'])
  })

  test('but not of one that redirects, or that is the path of the page', () => {
    expect(warnings(['/old', '/now'], ['/old'])).toEqual([])
  })
})
