import { mkdir, readFile, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { themeFoldersIn } from '../../src/theme/list-themes.ts'
import { loadTheme, loadThemes } from '../../src/theme/load-theme.ts'
import type { Theme } from '../../src/theme/theme.ts'
import { TOKENS } from '../../src/theme/tokens.ts'
import { runs, some } from '../support/long-form.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { writeFiles } from '../support/written-files.ts'
import { FOLDERS, loadBuiltIn, THEME_NAMES } from './load-built-in.ts'
import { content, pageView, samplePages } from './sample-pages.ts'
import * as sections from './sample-sections.ts'

describe('a theme that extends another', () => {
  test.each(some(THEME_NAMES))('renders as %s when it overrides nothing', async (parent) => {
    const own = await loadOwn({ 'theme.json': { extends: parent } })
    const built = await loadBuiltIn(parent)
    expect(own.assets).toEqual(built.assets)
    expect(samplePages(own)).toEqual(samplePages(built))
    expect([own.name, own.digest]).not.toContainEqual(built.digest)
    expect(own.name).toBe('mine')
  })

  test('overrides every token it sets', async () => {
    const shared = ['accent', 'gutter', 'measure', 'on-brand', 'section-space', 'of-my-own']
    const names = [...TOKENS.map(({ name }) => name), ...shared]
    const values = fc.stringMatching(/^[a-z0-9#.]{1,8}$/)
    const place = await temporaryFolder()
    const law = fc.asyncProperty(
      fc.constantFrom(...THEME_NAMES),
      fc.dictionary(fc.constantFrom(...names), fc.oneof(values, fc.tuple(values, values))),
      async (parent, tokens) => {
        await writeFiles(join(place, 'mine'), { 'theme.json': { extends: parent, tokens } })
        const { assets } = await loadTheme('mine', { ...FOLDERS, custom: [join(place, 'mine')] })
        for (const [name, value] of Object.entries(tokens)) {
          const expected = typeof value === 'string' ? value : `light-dark(${value.join(',')})`
          expect(rootValue(assets.style.body, name), name).toBe(expected)
        }
      },
    )
    await fc.assert(law, { numRuns: runs(60) })
  })

  test('overrides partials, layouts, sections, labels and style one by one', async () => {
    const own = await loadOwn({
      'theme.json': { extends: 'minimal' },
      'partials/footer.eta': '<footer>Own <%= it.site.name %></footer>',
      'sections/cta.eta': 'Own <%= it.title %>',
      'layouts/item.eta': "<% layout('partials/document', { kind: 'item' }) %><main>Own item</main>",
      'labels.json': { en: { skip: 'Go on' }, nb: { skip: 'Hopp over' } },
      'style.css': '.own { color: rebeccapurple }',
    })
    const page = own.page(pageView(own, { page: content({ type: 'page' }) }))
    expect(page).toContain('<footer>Own Northwind Press</footer>')
    expect(page).toContain('>Go on</a>')
    expect(own.page(pageView(own, { lang: 'nb', page: content({ type: 'page' }) }))).toContain(
      '>Hopp over</a>',
    )
    expect(own.page(pageView(own, { page: content({ type: 'item' }) }))).toContain('<main>Own item</main>')
    expect(own.section(sections.BANNER)).toBe('Own Your next page could be live in a minute')
    const style = Buffer.from(own.assets.style.body).toString()
    const parents = Buffer.from((await loadBuiltIn('minimal')).assets.style.body).toString()
    expect(style).toBe(`${parents} .own{color:rebeccapurple}`.replace('} .', '}.'))
  })

  test.each<[string, Readonly<Record<string, unknown>>, string]>([
    [
      'an unknown parent',
      { 'theme.json': '{\n  "extends": "none"\n}' },
      'theme.json:2: extends: must be a built-in theme (dark, default, minimal), not "none".',
    ],
    [
      'itself as parent',
      { 'theme.json': '{ "extends": "mine" }' },
      'theme.json:1: extends: must be a built-in theme',
    ],
    [
      'an unknown field',
      { 'theme.json': '{\n  "extends": "dark",\n  "colour": "red"\n}' },
      'theme.json:3: colour: unknown field.',
    ],
    [
      'a token that is none',
      { 'theme.json': '{\n  "extends": "dark",\n  "tokens": {\n    "bg": "red",\n    "brand": 3\n  }\n}' },
      'theme.json:5: tokens.brand: must be one value, or a pair for light and dark',
    ],
    [
      'a token that would end its rule',
      { 'theme.json': '{ "extends": "dark", "tokens": { "brand": "red } * { color: blue" } }' },
      'theme.json:1: tokens.brand: must be one CSS value without ; { } < and >',
    ],
    [
      'another name than its folder',
      { 'theme.json': '{\n  "name": "yours",\n  "extends": "dark"\n}' },
      'theme.json:2: name: must be mine, the name of the folder.',
    ],
    [
      'a word without its English',
      { 'theme.json': '{ "extends": "dark" }', 'labels.json': '{\n  "de": {\n    "hallo": "Hallo"\n  }\n}' },
      'labels.json:3: de.hallo: is missing in English, the fallback of all other languages.',
    ],
    [
      'too large a file',
      { 'theme.json': '{ "extends": "dark" }', 'style.css': ' '.repeat(524_289) },
      'style.css: The file is larger than 524288 bytes.',
    ],
    [
      'a file that its style names and that is not there',
      { 'theme.json': '{ "extends": "dark" }', 'style.css': '\n.a { background: url(assets/a.png) }' },
      'style.css:2: There is no file assets/a.png.',
    ],
    [
      'a file of a kind that is not served',
      { 'theme.json': '{ "extends": "dark" }', 'assets/a.exe': '' },
      'assets/a.exe: Only scripts, style sheets, images and fonts are allowed',
    ],
    [
      'too large a picture',
      { 'theme.json': '{ "extends": "dark" }', 'assets/a.png': ' '.repeat(2 * 1024 * 1024 + 1) },
      'assets/a.png: The file is larger than 2097152 bytes.',
    ],
    [
      'a script that browsers cannot run',
      { 'theme.json': '{ "extends": "dark" }', 'script.js': 'let a = 1\nlet b = ;' },
      "script.js:2: Unexpected token ';'",
    ],
    ['no theme.json', { 'style.css': '' }, 'theme.json: The file does not exist.'],
    [
      'a partial that includes none',
      { 'theme.json': '{ "extends": "dark" }', 'partials/footer.eta': "\n<%~ include('partials/foot') %>" },
      'partials/footer.eta:2: There is no template partials/foot.',
    ],
  ])('is refused for %s, with file and line', async (_, files, message) => {
    const place = join(await temporaryFolder(), 'mine')
    await writeFiles(place, files)
    await expect(loadTheme('mine', { ...FOLDERS, custom: [place] })).rejects.toThrow(`${place}/${message}`)
  })
})

test('a style sheet of a theme may load one of another site', async () => {
  const css = '@import url(https://other.test/a.css);@import "//other.test/b.css";'
  const { files } = await loadOwn({ 'theme.json': { extends: 'dark' }, 'assets/a.css': css })
  expect([...files.values()].map(({ body }) => Buffer.from(body).toString())).toEqual([css])
})

test.each(['@import url(assets/b.css);', '@import "b.css";', "@import url( 'b.css' ) print;"])(
  'a style sheet of a theme that loads another is refused: %s',
  async (rule) => {
    const files = { 'assets/a.css': `/* @import */\n${rule}`, 'assets/b.css': '' }
    await expect(loadOwn({ 'theme.json': { extends: 'dark' }, ...files })).rejects.toThrow(
      'assets/a.css:2: A style sheet cannot load another one. Link both in a template.',
    )
  },
)

describe('the name of a custom theme', () => {
  test.each([
    ['default', 'Quoin has a theme named default'],
    ['Mine', 'Invalid theme name "Mine": use up to 50 lower-case letters, digits and hyphens.'],
    ['my theme', 'Invalid theme name'],
    ['-x', 'Invalid theme name'],
  ])('cannot be the word %j', async (name, message) => {
    const place = join(await temporaryFolder(), name)
    await writeFiles(place, { 'theme.json': { extends: 'default' } })
    await expect(loadThemes({ ...FOLDERS, custom: [place] })).rejects.toThrow(`${place}: ${message}`)
  })

  test('cannot be taken already or belong to a symbolic link', async () => {
    const place = await temporaryFolder()
    await writeFiles(place, {
      'a/mine/theme.json': { extends: 'default' },
      'b/mine/theme.json': { extends: 'dark' },
    })
    const own = [join(place, 'a/mine'), join(place, 'b/mine')]
    await expect(loadThemes({ ...FOLDERS, custom: own })).rejects.toThrow(
      `Another theme is also named mine: ${own[0]}.`,
    )
    await symlink(join(place, 'a/mine'), join(place, 'b/linked'))
    await expect(themeFoldersIn(join(place, 'b'))).rejects.toThrow(
      'Symbolic links are not allowed in themes.',
    )
    await mkdir(join(place, 'b/.git'))
    expect(await themeFoldersIn(join(place, 'a'))).toEqual([join(place, 'a/mine')])
  })
})

async function loadOwn(files: Readonly<Record<string, unknown>>): Promise<Theme> {
  const place = join(await temporaryFolder(), 'mine')
  await writeFiles(place, files)
  return loadTheme('mine', { ...FOLDERS, custom: [place] })
}

/** Value of a property in the last `:root` rule. */
function rootValue(style: Uint8Array, name: string): string | undefined {
  const rules = [
    ...Buffer.from(style)
      .toString()
      .matchAll(/:root\{([^{}]*)\}/g),
  ].map(([, body = '']) => body)
  const said = rules.flatMap((body) => body.split(/;(?![^(]*\))/)).map((line) => line.split(':'))
  return said.findLast(([property]) => property === `--${name}`)?.[1]
}

test('the guide documents every token and no other', async () => {
  const guide = new URL('../../templates/docs-site/docs/guides/write-a-theme.md', import.meta.url)
  const [, table = ''] = /\| Token \|[^\n]*\n([\s\S]*?)\n\n/.exec(await readFile(guide, 'utf8')) ?? []
  const cells = table.split('\n').map((row) => row.split('|')[1] ?? '')
  const named = cells.flatMap((cell) => [...cell.matchAll(/`([a-z-]+)`/g)].map(([, name]) => name))
  expect(named.sort()).toEqual(TOKENS.map(({ name }) => name).sort())
})
