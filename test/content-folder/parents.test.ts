import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type PageFile, readPage } from '../../src/content-folder/page-file.ts'
import { addressText, nearestIndex, withParents } from '../../src/content-folder/parents.ts'

/** A page file at this path. `parent` is written as YAML; absent: the file has none. */
function file(path: string, parent?: string, more = ''): PageFile {
  const field = parent === undefined ? '' : `parent: ${parent}\n`
  const { file: read, errors } = readPage(path, `---\ntitle: A\n${field}${more}---\n`, {})
  if (read === null) throw new Error(errors[0]?.message)
  return read
}

function parentsOf(files: readonly PageFile[]) {
  const { placed, errors } = withParents(files)
  return {
    parents: Object.fromEntries(
      placed.map(({ file, parent }) => [file.page.source, parent && addressText(parent)]),
    ),
    errors: errors.map(({ file, message }) => `${file}: ${message}`),
  }
}

describe('a docs page without a parent of its own', () => {
  test('is below the index of its folder, or of the nearest folder above that has one', () => {
    const files = ['index.md', 'docs/index.md', 'docs/a.md', 'docs/deep/er/b.md', 'top.md'].map((path) =>
      file(path),
    )
    expect(parentsOf(files)).toEqual({
      parents: {
        'index.md': null,
        'docs/index.md': 'index',
        'docs/a.md': 'docs/index',
        'docs/deep/er/b.md': 'docs/index',
        'top.md': 'index',
      },
      errors: [],
    })
  })

  test('is at the top where no folder has an index', () => {
    expect(parentsOf([file('docs/a.md')]).parents).toEqual({ 'docs/a.md': null })
    expect(
      parentsOf([file('docs/index.md', undefined, 'type: article\n'), file('docs/a.md')]).parents,
    ).toEqual({
      'docs/index.md': null,
      'docs/a.md': null,
    })
  })
})

describe('a docs page that names its parent', () => {
  const others = [file('docs/a.md'), file('notes/a.md'), file('notes/only.md')]

  test.each([
    ['docs/x.md', 'a', 'docs/a'],
    ['notes/x.md', 'a', 'notes/a'],
    ['docs/x.md', 'notes/a', 'notes/a'],
    ['docs/x.md', '/notes/a/', 'notes/a'],
    ['docs/x.md', 'only', 'notes/only'],
    ['docs/x.md', 'null', null],
  ])('%s with `%s` is below %s', (path, parent, expected) => {
    const { parents, errors } = parentsOf([...others, file(path, parent)])
    expect(parents[path]).toBe(expected)
    expect(errors).toEqual([])
  })

  test.each(['a', 'none', 'docs/none', '../docs/a'])(
    'is refused for `%s`, which is no page from there or could be two',
    (parent) => {
      const { errors } = parentsOf([...others, file('other/x.md', parent)])
      expect(errors).toEqual([`other/x.md: parent: no docs page, or more than one, is called "${parent}".`])
    },
  )

  test('is refused together with every page of a circle, and with no page that only leads to one', () => {
    const { errors } = parentsOf([file('a.md', 'b'), file('b.md', 'c'), file('c.md', 'b'), file('d.md', 'd')])
    expect(errors).toEqual([
      'b.md: parent must not lead back to the page itself.',
      'c.md: parent must not lead back to the page itself.',
      'd.md: parent must not lead back to the page itself.',
    ])
  })
})

describe('any set of docs pages', () => {
  const names = ['a', 'b', 'c', 'd', 'e']
  const anyFiles = fc
    .array(fc.constantFrom(undefined, 'null', ...names), { minLength: 5, maxLength: 5 })
    .map((parents) => parents.map((parent, n) => file(`${names[n]}.md`, parent)))

  test('is given back whole, and parents come before their children', () => {
    fc.assert(
      fc.property(anyFiles, (files) => {
        const { placed, errors } = withParents(files)
        expect(new Set(placed.map(({ file }) => file))).toEqual(new Set(files))
        if (errors.length > 0) return
        const done = new Set<string>()
        for (const { file, parent } of placed) {
          if (parent !== null) expect(done).toContain(addressText(parent))
          done.add(addressText(file.page))
        }
      }),
    )
  })

  test('has the same parents in any order', () => {
    fc.assert(
      fc.property(anyFiles, (files) => {
        expect(parentsOf(files.toReversed()).parents).toEqual(parentsOf(files).parents)
      }),
    )
  })
})

test('the nearest index is looked for in folders only, never in the middle of a name', () => {
  const isDocs = ({ subroute }: { subroute: string }) => subroute === 'docs'
  expect(nearestIndex({ subroute: 'docs/v2', slug: 'a' }, isDocs)).toEqual({
    subroute: 'docs',
    slug: 'index',
  })
  expect(nearestIndex({ subroute: 'docs-v2', slug: 'a' }, isDocs)).toBeNull()
  expect(nearestIndex({ subroute: 'docs', slug: 'index' }, isDocs)).toBeNull()
})
