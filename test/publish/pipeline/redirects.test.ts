import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MAX_FORMER_PATHS, redirectKey } from '../../../src/domain/redirect-path.ts'
import { pageRedirects, redirectWarnings } from '../../../src/publish/pipeline/redirects.ts'
import { snapshotFor } from '../../support/live-site.ts'

const paths = fc.uniqueArray(fc.constantFrom<string>('/a', '/b', '/c/d', '/e', '/f', '/g', '/h'))

/** A page at `/now` that was live at these paths before. */
function movedPage(formerPaths: readonly string[], named: readonly string[] = []) {
  const { page, fields, settings, site } = snapshotFor('page', { slug: 'now' }, { redirectFrom: named })
  const claimed = {
    release: { snapshot: { page, fields, settings, site } } as never,
    file: 'now/index.html',
    redirectFrom: named,
    formerPaths,
    replaces: null,
    live: null,
    firstPublishedAt: null,
  }
  return { claimed, placed: { page, fields, settings, site, path: '/now', file: 'now/index.html' } }
}

const isFree = () => false

describe('the redirects of a page', () => {
  test('lead from every path to where the page is now, so that there are no chains', () => {
    fc.assert(
      fc.property(paths, paths, (previous, named) => {
        const { artifacts } = pageRedirects(movedPage(previous, named), isFree)
        for (const { body } of artifacts) expect(Buffer.from(body).toString()).toContain('Moved to /now')
        expect(new Set(artifacts.map(({ key }) => key)).size).toBe(artifacts.length)
      }),
    )
  })

  test('never start where another page is, or another page redirects from', () => {
    fc.assert(
      fc.property(paths, paths, (previous, taken) => {
        const isTaken = (path: string) => taken.includes(path)
        const { artifacts } = pageRedirects(movedPage(previous), isTaken)
        const keys = artifacts.map(({ key }) => key)
        for (const path of taken) expect(keys).not.toContain(redirectKey(path))
      }),
    )
  })

  test('keep a thousand previous paths and all that the author names', () => {
    const previous = Array.from({ length: MAX_FORMER_PATHS + 1 }, (_, number) => `/old-${number}`)
    const { previousPaths, artifacts } = pageRedirects(movedPage(previous, ['/x', '/y']), isFree)
    expect(previousPaths).toEqual(previous.slice(0, MAX_FORMER_PATHS))
    expect(artifacts).toHaveLength(MAX_FORMER_PATHS + 2)
  })

  test('are none for a page that never moved', () => {
    expect(pageRedirects(movedPage([]), isFree)).toEqual({ previousPaths: [], artifacts: [] })
  })
})

describe('a redirect path is reported to its author', () => {
  const warnings = (named: readonly string[], effective: readonly string[]) => {
    const { claimed, placed } = movedPage([], named)
    return redirectWarnings({ claimed: { ...claimed, redirectFrom: effective }, placed })
  }

  test('when another object of the site occupies it', () => {
    expect(warnings(['/old'], [])).toMatchObject([
      { code: 'QN-UNUSED-REDIRECT', at: 'redirect_from[0]', message: expect.stringContaining('/old') },
    ])
  })

  test('when it is no path', () => {
    expect(warnings(['old'], [])).toMatchObject([{ message: expect.stringContaining('must be a path') }])
  })

  test('when it is beyond the limit of 20', () => {
    const named = Array.from({ length: 21 }, (_, number) => `/old-${number}`)
    expect(warnings(named, named).map(({ at }) => at)).toEqual(['redirect_from[20]'])
  })

  test('but not when it redirects or is the path of the page', () => {
    expect(warnings(['/old', '/now'], ['/old'])).toEqual([])
  })
})
