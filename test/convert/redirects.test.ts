import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { redirectsOf } from '../../src/convert/links/redirects.ts'
import type { JsonObject } from '../../src/domain/json.ts'
import { MAX_REDIRECT_PATHS, readRedirectPath } from '../../src/domain/redirect-path.ts'

const read = (frontMatter: JsonObject, taken: readonly string[] = [], originalPath?: string) =>
  redirectsOf(
    frontMatter,
    { route: 'guide/start', type: 'docs', ...(originalPath !== undefined && { originalPath }) },
    { taken: new Set(taken), formerPaths: [] },
  )

describe('the previous paths of a page', () => {
  test.each([
    [{ aliases: ['/old', 'sibling'] }, ['/old', '/guide/sibling']],
    [{ aliases: '/old/' }, ['/old']],
    [{ redirect_from: ['old', '/older.html'] }, ['/old', '/older.html']],
    [{ permalink: '/here.html' }, ['/here.html']],
    [{ url: '/here/' }, ['/here']],
    [{ permalink: '/:year/:title/' }, []],
    [{ permalink: false, aliases: null }, []],
    [{}, []],
  ] as const)('are read from %j as %j', (frontMatter, paths) => {
    const { paths: found, problems } = read(frontMatter)
    expect(found).toEqual(paths)
    expect(problems).toEqual([])
  })

  test('include the one that a permalink pattern of the whole site gave', () => {
    expect(read({}, [], '/2024/05/start.html').paths).toEqual(['/2024/05/start.html'])
  })

  test('do not include its own path, nor one twice, and nobody needs to know', () => {
    const { paths, problems } = read({ aliases: ['start', '/a', '/a'], redirect_from: '/a' }, [
      '/guide/start',
    ])
    expect({ paths, problems }).toEqual({ paths: ['/a'], problems: [] })
  })

  test('do not include one of another page, which is reported by its field', () => {
    const { paths, problems } = read({ redirect_from: ['/taken', '/free'] }, ['/taken'])
    expect(paths).toEqual(['/free'])
    expect(problems).toEqual([
      {
        code: 'QN-UNUSED-REDIRECT',
        field: 'redirect_from',
        message:
          'The redirect from /taken of `redirect_from` is left out: another page or file has this path.',
      },
    ])
  })

  test('belong to the first of two pages that claim one', () => {
    const context = { taken: new Set<string>(), formerPaths: [] }
    const first = redirectsOf({ aliases: '/old' }, { route: 'a', type: 'docs' }, context)
    const second = redirectsOf({ aliases: '/old' }, { route: 'b', type: 'docs' }, context)
    expect(first.paths).toEqual(['/old'])
    expect(second.paths).toEqual([])
    expect(second.problems).toHaveLength(1)
  })

  test('are at most as many as a page may have, and each further one is reported', () => {
    const aliases = Array.from({ length: MAX_REDIRECT_PATHS + 2 }, (_, n) => `/old-${n}`)
    const { paths, problems } = read({ aliases })
    expect(paths).toEqual(aliases.slice(0, MAX_REDIRECT_PATHS))
    expect(problems.map(({ message }) => message)).toEqual([
      expect.stringContaining(`at most ${MAX_REDIRECT_PATHS} redirects`),
      expect.stringContaining(`at most ${MAX_REDIRECT_PATHS} redirects`),
    ])
  })

  test('are paths that a page file accepts, whatever the source says', () => {
    const path = fc.oneof(
      fc.webPath(),
      fc.string({ unit: 'binary' }),
      fc.constantFrom('../../x', '/A B', '//x.y'),
    )
    fc.assert(
      fc.property(
        fc.array(path),
        fc.constantFrom('aliases', 'redirect_from', 'permalink'),
        (written, field) => {
          const value = field === 'permalink' ? (written[0] ?? '') : written
          const { paths, problems } = read({ [field]: value })
          for (const found of paths) expect(readRedirectPath(found)).toBe(found)
          expect(new Set(paths).size).toBe(paths.length)
          for (const { message } of problems) expect(message).toMatch(/is left out: .*\.$/s)
        },
      ),
      { numRuns: 300 },
    )
  })
})
