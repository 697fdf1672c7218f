import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { AUTHOR_CLASS } from '../../../src/render/markdown/author-classes.ts'

/** Names of classes in the selectors of a style sheet. */
function classesIn(css: string): readonly string[] {
  const code = css.replace(/\/\*[\s\S]*?\*\//g, '').replace(/url\([^)]*\)|"[^"]*"|'[^']*'/g, '')
  const selectors = [...code.matchAll(/([^{};]+)\{/g)].map(([, selector = '']) => selector)
  return selectors.flatMap((selector) =>
    [...selector.matchAll(/\.(-?[A-Za-z_][\w-]*)/g)].map(([, name = '']) => name),
  )
}

test('texts may use no class of the themes, so that nothing in them looks like a part of the page', () => {
  const root = new URL('../../../', import.meta.url)
  const sheets = readdirSync(new URL('themes/', root), { encoding: 'utf8', recursive: true })
    .filter((file) => file.endsWith('.css'))
    .map((file) => readFileSync(new URL(`themes/${file}`, root), 'utf8'))
  const names = new Set(sheets.flatMap(classesIn))
  expect(names.size).toBeGreaterThan(200)
  expect([...names].filter((name) => AUTHOR_CLASS.test(name))).toEqual([])
})

test.each(['mine', 'price-list', 'Grid_2', 'x', 'tabs2', 'lead-in'])('texts may use the class %s', (name) => {
  expect(AUTHOR_CLASS.test(name)).toBe(true)
})

test.each([
  '',
  '1a',
  '-a',
  'a b',
  'a:b',
  'w-1/2',
  'language-js',
  'user-content-a',
  'site-header',
  'a'.repeat(65),
])('texts may not use the class %j', (name) => {
  expect(AUTHOR_CLASS.test(name)).toBe(false)
})
