import { randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { openThemeCheck } from '../../src/app/theme-check.ts'
import { compileTemplates } from '../../src/theme/compile-templates.ts'
import { createTheme } from '../../src/theme/create-theme.ts'
import { readTheme } from '../../src/theme/load-theme.ts'
import { contrastOf, readColour } from '../../src/theme-check/colours.ts'
import { instrumented, MARK } from '../../src/theme-check/instrumented.ts'
import { resolvedValue, rootProperties } from '../../src/theme-check/root-properties.ts'
import { LONG_FORM, some } from '../support/long-form.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { writeFiles } from '../support/written-files.ts'
import { FOLDERS, THEME_NAMES } from '../theme/load-built-in.ts'
import { samplePages } from '../theme/sample-pages.ts'

const DARK = { 'theme.json': { extends: 'dark' } }

describe('the check of a theme', () => {
  test.each(some(THEME_NAMES))('finds nothing in %s, in all its pages and sections', async (name) => {
    const { diagnostics: findings, rendered } = await openThemeCheck(
      fileURLToPath(new URL(name, FOLDERS.themes)),
    )
    expect(findings).toEqual([])
    const sections = await readdir(new URL('../../templates/section-samples/', import.meta.url))
    expect(rendered).toBeGreaterThan(sections.length + 20)
  })

  test.each(
    some<[string, Readonly<Record<string, unknown>>, object]>(
      [
        [
          'a template that does not compile',
          { 'partials/toc.eta': '<p>\n<% if (it.page { %>' },
          { rule: 'template', file: 'partials/toc.eta', line: 2 },
        ],
        [
          'every one of them',
          { 'partials/toc.eta': '<% ) %>', 'sections/hero.eta': '\n\n<% ) %>' },
          { rule: 'template', file: 'sections/hero.eta', line: 3 },
        ],
        [
          'a partial that is missing',
          { 'layouts/docs.eta': "\n<%~ include('partials/side-bar') %>" },
          {
            rule: 'template',
            file: 'layouts/docs.eta',
            line: 2,
            message: 'There is no template partials/side-bar.',
          },
        ],
        [
          'a theme.json that is none',
          { 'theme.json': '{\n  "extends": "dark",\n}' },
          { rule: 'manifest', file: 'theme.json' },
        ],
        [
          'a word that is said in no language',
          { 'labels.json': '{\n "de": { "hallo": "Hallo" }\n}' },
          { rule: 'manifest', file: 'labels.json', line: 2 },
        ],
        [
          'a name that only some pages come by',
          {
            'partials/byline.eta':
              '<p>\n<% if (it.page.author !== null) { %>\n<%= it.page.author.nmae %>\n<% } %>',
          },
          {
            rule: 'unknown-name',
            file: 'partials/byline.eta',
            line: 3,
            message: 'it.page.author.nmae is not given here.',
          },
        ],
        [
          'a partial that is named while rendering',
          { 'partials/toc.eta': "\n<%~ include('partials/' + it.lang) %>" },
          {
            rule: 'rendering',
            file: 'partials/toc.eta',
            line: 2,
            message: 'There is no template partials/ar.',
          },
        ],
        [
          'a file that a template asks for and that is not there',
          { 'partials/footer.eta': "\n<%= it.asset('none.svg') %>" },
          {
            rule: 'rendering',
            file: 'partials/footer.eta',
            line: 2,
            message: 'There is no file assets/none.svg.',
          },
        ],
        [
          'a loop without an end',
          { 'partials/footer.eta': '<% while (true) {} %>' },
          {
            rule: 'rendering',
            file: 'partials/footer.eta',
            line: null,
            message: 'It did not come to its end within 5 s: is there a loop without one?',
          },
        ],
        [
          'a picture that nothing uses',
          { 'assets/a.svg': '<svg/>' },
          { severity: 'warning', rule: 'unused-file', file: 'assets/a.svg' },
        ],
        [
          'too large a style',
          { 'style.css': `.x { content: "${randomBytes(16_000).toString('hex')}" }` },
          { severity: 'warning', rule: 'size', file: 'style.css' },
        ],
        ...(
          [
            ['brand', '#0b6e4', 'a colour'],
            ['brand', 'rgb(300 0)', 'a colour'],
            ['radius', 'banana', 'a length, such as 0.5rem'],
            ['heading-weight', 'fat', 'a weight of a font, such as 700'],
          ] as const
        ).map(([token, value, rule]): [string, Readonly<Record<string, string>>, object] => [
          `the token ${token} that is ${value}`,
          { 'theme.json': `{\n"extends": "dark",\n"tokens": { "${token}": "${value}" } }` },
          { severity: 'error', rule: 'token', line: 3, message: `${token} must be ${rule}.` },
        ]),
        [
          'a picture of its style that nobody serves',
          { 'style.css': '\n.x { background: url("../a.png"), url(https://example.com/a.png) }' },
          { severity: 'error', rule: 'style', file: 'style.css', line: 2 },
        ],
        [
          'a colour of its style that is too close',
          { 'style.css': '\n:root {\n  --muted: #333;\n}' },
          { rule: 'contrast', file: 'style.css', line: 3 },
        ],
        [
          'a brand that is nearly its background',
          { 'theme.json': '{\n"extends": "dark",\n"tokens": { "night": "#999" } }' },
          { rule: 'contrast', file: 'theme.json', line: 3 },
        ],
      ],
      2,
    ),
  )('tells of %s', async (_, files, finding) => {
    const folder = join(await temporaryFolder(), 'mine')
    await writeFiles(folder, { ...DARK, ...files })
    const { diagnostics: findings } = await openThemeCheck(folder)
    const own = findings.map((found) => ({ ...found, file: found.file.replace(`${folder}/`, '') }))
    expect(own).toContainEqual(expect.objectContaining(finding))
  })

  test('lets a partial do without what only some hand to it', async () => {
    const folder = join(await temporaryFolder(), 'mine')
    await writeFiles(folder, {
      ...DARK,
      'partials/mark.eta': '<% if (it.loud) { %><b>!</b><% } %><%= it.quiet %>',
      'partials/toc.eta': "<%~ include('partials/mark', { loud: true }) %>",
      'partials/footer.eta': "<%~ include('partials/mark') %>",
    })
    const { diagnostics: findings } = await openThemeCheck(folder)
    expect(findings.map(({ message }) => message)).toEqual(['it.quiet is not given here.'])
  })

  test.runIf(LONG_FORM)('comes by every template there is, wherever the theme lies', async () => {
    const folder = join(await temporaryFolder(), 'of my (own): all', 'mine')
    const { templates } = await readTheme('default', FOLDERS)
    const faulty = [...templates].map(([name, { text }]) => [name, `${text}<%= it.nothing %>`])
    await writeFiles(folder, { ...DARK, ...Object.fromEntries(faulty) })
    const { diagnostics: findings } = await openThemeCheck(folder)
    const told = findings.filter(({ message }) => message === 'it.nothing is not given here.')
    expect(told.map(({ file }) => file.replace(`${folder}/`, '')).sort()).toEqual(
      [...templates.keys()].sort(),
    )
  })

  test('tells of tokens that a theme which extends none leaves out', async () => {
    const folder = join(await temporaryFolder(), 'mine')
    const manifest = { name: 'mine', title: 'Mine', description: '', color_scheme: 'light', tokens: {} }
    await writeFiles(folder, { 'theme.json': manifest, 'style.css': '' })
    const { diagnostics: findings } = await openThemeCheck(folder)
    const told = findings.filter(({ code }) => code === 'QN-BAD-TOKEN').map(({ message }) => message)
    expect(told).toContain('The token bg is missing: the shared style needs it.')
    expect(told.join()).not.toContain('hero-size')
  })

  test('marks change nothing of pages but the marks', async () => {
    const parts = await readTheme('default', FOLDERS)
    const { templates, places } = instrumented(parts.templates)
    const watch = { data: (data: object) => data, options: { raw: (value: unknown) => value } }
    const marked = createTheme({ ...parts, templates }, (files) => compileTemplates(files, watch))
    const marks = new RegExp(` ${MARK}="\\d+"`, 'g')
    const pages = samplePages(marked)
    for (const [page, html] of Object.entries(samplePages(createTheme(parts)))) {
      const withMarks = pages[page] ?? ''
      expect(withMarks.replace(marks, '')).toBe(html)
      expect(withMarks).toMatch(marks)
    }
    expect(places.length).toBeGreaterThan(200)
  })
})

describe('colours', () => {
  const channel = fc.integer({ min: 0, max: 255 })
  const colour = fc.tuple(channel, channel, channel)

  test('are read however they are written', () => {
    fc.assert(
      fc.property(colour, ([red, green, blue]) => {
        const hex = [red, green, blue].map((value) => value.toString(16).padStart(2, '0')).join('')
        expect(readColour(`#${hex}`)).toEqual([red, green, blue, 1])
        expect(readColour(`rgb(${red} ${green} ${blue})`)).toEqual([red, green, blue, 1])
      }),
    )
    expect(readColour('rebeccapurple')).toEqual([102, 51, 153, 1])
    expect(readColour('oklch(from #1f4fe0 min(l, 0.48) c h)')).toEqual([26, 73, 218, 1])
    expect(readColour('transparent')).toEqual([0, 0, 0, 0])
    for (const none of ['', 'no', '1px', 'currentColor', 'red; }', 'var(--x)'])
      expect(readColour(none)).toBeNull()
  })

  test('contrast is between 1 and 21, and the same both ways', () => {
    fc.assert(
      fc.property(colour, colour, (one, other) => {
        const [a, b] = [[...one, 1] as const, [...other, 1] as const]
        expect(contrastOf(a, b)).toBeCloseTo(contrastOf(b, a))
        expect(contrastOf(a, b)).toBeGreaterThanOrEqual(1)
        expect(contrastOf(a, b)).toBeLessThanOrEqual(21)
        expect(contrastOf(a, a)).toBe(1)
      }),
    )
    expect(contrastOf([0, 0, 0, 1], [255, 255, 255, 1])).toBe(21)
    expect(contrastOf([118, 118, 118, 1], [255, 255, 255, 1])).toBeCloseTo(4.54, 2)
  })

  test('are followed through variables, for readers on light and on dark', () => {
    const css =
      ':root{--a:light-dark(#fff,var(--b));--b:var(--none,rgb(1,2,3));--c:var(--c)}@media print{:root{--a:red}}'
    const properties = rootProperties(css)
    expect(resolvedValue('var(--a)', properties, 'light')).toBe('#fff')
    expect(resolvedValue('var(--a)', properties, 'dark')).toBe('rgb(1,2,3)')
    expect(resolvedValue('var(--c)', properties, 'dark')).toBeNull()
    expect(resolvedValue('var(--none)', properties, 'dark')).toBeNull()
  })
})
