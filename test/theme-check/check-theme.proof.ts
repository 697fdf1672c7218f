import { randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runThemeCheck } from '../../src/app/theme-check.ts'
import { compileTemplates } from '../../src/theme/compile-templates.ts'
import { createTheme } from '../../src/theme/create-theme.ts'
import { readTheme } from '../../src/theme/load-theme.ts'
import { contrastOf, readColour } from '../../src/theme-check/colours.ts'
import { instrumentTemplates, MARK } from '../../src/theme-check/instrument-templates.ts'
import { resolvedValue, rootProperties } from '../../src/theme-check/root-properties.ts'
import { LONG_FORM, some } from '../support/long-form.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { writeFiles } from '../support/written-files.ts'
import { FOLDERS, THEME_NAMES } from '../theme/load-built-in.ts'
import { samplePages } from '../theme/sample-pages.ts'

const DARK = { 'theme.json': { extends: 'dark' } }

describe('a theme check', () => {
  test.each(some(THEME_NAMES))(
    'reports nothing in the theme %s, in all its pages and sections',
    async (name) => {
      const { diagnostics, rendered } = await runThemeCheck(fileURLToPath(new URL(name, FOLDERS.themes)))
      expect(diagnostics).toEqual([])
      const sections = await readdir(new URL('../../templates/section-samples/', import.meta.url))
      expect(rendered).toBeGreaterThan(sections.length + 20)
    },
  )

  test.each(
    some<[string, Readonly<Record<string, unknown>>, object]>(
      [
        [
          'a sample with a value of another type than declared',
          {
            'theme.json': { extends: 'dark', sections: { timetable: { days: 'list' } } },
            'sections/timetable.eta': '<h2><%= it.title %></h2>',
            'sections/timetable.json': { title: 'Hours', days: 'Monday' },
          },
          { code: 'QN-WRONG-TYPE', file: 'sections/timetable.json', field: 'days' },
        ],
        [
          'a form that is sent to an origin of which the theme says nothing',
          {
            'theme.json': { extends: 'dark', form_origins: ['https://letter.example'] },
            'layouts/article.eta':
              '<%~ include("layouts/page") %>\n<form action="https://letter.example/a"><button>A</button></form>\n<form action="https://other.example/a"><button>B</button></form>',
          },
          { code: 'QN-CONTENT-POLICY', file: 'layouts/article.eta', line: 3 },
        ],
        [
          'a text of an author that a component links to',
          {
            'components/door.eta': '<p>\n<a href="<%= it.attributes.to %>">Go</a></p>',
            'components/door.yaml': 'body: none\nattributes: { to: { required: true } }\n',
          },
          { code: 'QN-UNCHECKED-LINK', file: 'components/door.eta', line: 2 },
        ],
        [
          'a name that the views of components do not have',
          { 'components/door.eta': '<p><%= it.atributes %></p>', 'components/door.yaml': 'body: none\n' },
          { code: 'QN-UNKNOWN-NAME', file: 'components/door.eta', line: 1 },
        ],
        [
          'a sample that its own description refuses',
          {
            'components/door.eta': '<p></p>',
            'components/door.yaml': 'attributes: { n: { type: integer } }\nsample: "::door{n=x}"\n',
          },
          { code: 'QN-WRONG-TYPE', file: 'components/door.yaml', field: 'sample' },
        ],
        [
          'a template of a component that fails',
          { 'components/door.eta': '\n<% throw new Error("Stuck.") %>', 'components/door.yaml': '' },
          { code: 'QN-RENDER-FAILED', file: 'components/door.eta', line: 2 },
        ],
        [
          'types of a section without a template',
          { 'theme.json': { extends: 'dark', sections: { none: { days: 'list' } } } },
          { code: 'QN-BAD-THEME', file: 'theme.json' },
        ],
        [
          'a type that does not exist',
          { 'theme.json': { extends: 'dark', fields: { price: 'money' } } },
          { code: 'QN-BAD-THEME', file: 'theme.json' },
        ],
        [
          'a template that does not compile',
          { 'partials/toc.eta': '<p>\n<% if (it.page { %>' },
          { code: 'QN-BAD-TEMPLATE', file: 'partials/toc.eta', line: 2 },
        ],
        [
          'each of several broken templates',
          { 'partials/toc.eta': '<% ) %>', 'sections/hero.eta': '\n\n<% ) %>' },
          { code: 'QN-BAD-TEMPLATE', file: 'sections/hero.eta', line: 3 },
        ],
        [
          'a partial that is missing',
          { 'layouts/docs.eta': "\n<%~ include('partials/side-bar') %>" },
          {
            code: 'QN-BAD-TEMPLATE',
            file: 'layouts/docs.eta',
            line: 2,
            message: 'There is no template partials/side-bar.',
          },
        ],
        [
          'a theme.json that is not JSON',
          { 'theme.json': '{\n  "extends": "dark",\n}' },
          { code: 'QN-BAD-THEME', file: 'theme.json' },
        ],
        [
          'an unknown label',
          { 'labels.json': '{\n "de": { "hallo": "Hallo" }\n}' },
          { code: 'QN-BAD-THEME', file: 'labels.json', line: 2 },
        ],
        [
          'an unknown name that only some pages reach',
          {
            'partials/byline.eta':
              '<p>\n<% if (it.page.author !== null) { %>\n<%= it.page.author.nmae %>\n<% } %>',
          },
          {
            code: 'QN-UNKNOWN-NAME',
            file: 'partials/byline.eta',
            line: 3,
            message: 'it.page.author.nmae is not defined in this template.',
          },
        ],
        [
          'an unknown name that only a site with a 404.md reaches',
          {
            'layouts/not-found.eta':
              '<!doctype html>\n<% if (it.page !== null) { %>\n<%= it.page.nmae %>\n<% } %>',
          },
          {
            code: 'QN-UNKNOWN-NAME',
            file: 'layouts/not-found.eta',
            line: 3,
            message: 'it.page.nmae is not defined in this template.',
          },
        ],
        [
          'a section of its own type that fails on its sample',
          {
            'sections/timetable.eta': '\n<h2><%= it.props.days[0].day.name %></h2>',
            'sections/timetable.json': { days: [{}] },
          },
          { code: 'QN-RENDER-FAILED', file: 'sections/timetable.eta', line: 2 },
        ],
        [
          'a value of an author that is printed without escaping',
          { 'partials/byline.eta': '\n<%~ it.page.config.note %>' },
          { code: 'QN-UNESCAPED', file: 'partials/byline.eta', line: 2 },
        ],
        [
          'a handler in a branch that no page reaches',
          {
            'partials/byline.eta':
              '<% if (it.page.title === "never") { %>\n<a href="/" onclick="go()">Go</a>\n<% } %>',
          },
          { code: 'QN-CONTENT-POLICY', file: 'partials/byline.eta', line: 2 },
        ],
        [
          'a script in a branch that no page reaches',
          { 'partials/byline.eta': '<% if (it.page.title === "never") { %>\n<script>go()</script>\n<% } %>' },
          { code: 'QN-CONTENT-POLICY', file: 'partials/byline.eta', line: 2 },
        ],
        [
          'a link to code',
          { 'partials/byline.eta': '\n<a href="javascript:go()">Go</a>' },
          { code: 'QN-CONTENT-POLICY', file: 'partials/byline.eta', line: 2 },
        ],
        [
          'an address that an author wrote and nothing checked',
          { 'partials/byline.eta': '\n<a href="<%= it.page.config.shop %>">Shop</a>' },
          {
            code: 'QN-UNCHECKED-LINK',
            file: 'partials/byline.eta',
            line: 2,
            message: 'Nothing checked it.page.config.shop. Print it.href(it.page.config.shop).',
          },
        ],
        [
          'a name that does not exist in a layout that pages choose',
          {
            'layouts/poster.eta':
              "<% layout('partials/document', { kind: 'poster' }) %>\n<main><h1><%= it.page.titel %></h1></main>",
          },
          { code: 'QN-UNKNOWN-NAME', file: 'layouts/poster.eta', line: 2 },
        ],
        [
          'a missing partial whose name is computed',
          { 'partials/toc.eta': "\n<%~ include('partials/' + it.lang) %>" },
          {
            code: 'QN-RENDER-FAILED',
            file: 'partials/toc.eta',
            line: 2,
            message: 'There is no template partials/ar.',
          },
        ],
        [
          'a missing asset',
          { 'partials/footer.eta': "\n<%= it.asset('none.svg') %>" },
          {
            code: 'QN-RENDER-FAILED',
            file: 'partials/footer.eta',
            line: 2,
            message: 'There is no file assets/none.svg.',
          },
        ],
        [
          'an endless loop',
          { 'partials/footer.eta': '<% while (true) {} %>' },
          {
            code: 'QN-RENDER-FAILED',
            file: 'partials/footer.eta',
            line: null,
            message: 'The template did not finish within 5 s. Does it contain an endless loop?',
          },
        ],
        [
          'an unused image',
          { 'assets/a.svg': '<svg/>' },
          { severity: 'warning', code: 'QN-UNUSED-FILE', file: 'assets/a.svg' },
        ],
        [
          'a style sheet that is too large',
          { 'style.css': `.x { content: "${randomBytes(16_000).toString('hex')}" }` },
          { severity: 'warning', code: 'QN-LARGE-STYLE', file: 'style.css' },
        ],
        ...(
          [
            ['brand', '#0b6e4', 'a colour'],
            ['brand', 'rgb(300 0)', 'a colour'],
            ['radius', 'banana', 'a length, such as 0.5rem'],
            ['heading-weight', 'fat', 'a font weight, such as 700'],
          ] as const
        ).map(([token, value, rule]): [string, Readonly<Record<string, string>>, object] => [
          `the token ${token} with the value ${value}`,
          { 'theme.json': `{\n"extends": "dark",\n"tokens": { "${token}": "${value}" } }` },
          { severity: 'error', code: 'QN-BAD-TOKEN', line: 3, message: `${token} must be ${rule}.` },
        ]),
        [
          'an image of the style sheet that is not served',
          { 'style.css': '\n.x { background: url("../a.png"), url(https://example.com/a.png) }' },
          { severity: 'error', code: 'QN-BAD-STYLE', file: 'style.css', line: 2 },
        ],
        [
          'a colour of the style sheet without contrast',
          { 'style.css': '\n:root {\n  --muted: #333;\n}' },
          { code: 'QN-LOW-CONTRAST', file: 'style.css', line: 3 },
        ],
        [
          'a colour of the manifest without contrast',
          { 'theme.json': '{\n"extends": "dark",\n"tokens": { "night": "#999" } }' },
          { code: 'QN-LOW-CONTRAST', file: 'theme.json', line: 3 },
        ],
      ],
      2,
    ),
  )('reports the problem of %s', async (_, files, expected) => {
    const folder = join(await temporaryFolder(), 'mine')
    await writeFiles(folder, { ...DARK, ...files })
    const { diagnostics } = await runThemeCheck(folder)
    const own = diagnostics.map((found) => ({ ...found, file: found.file.replace(`${folder}/`, '') }))
    expect(own).toContainEqual(expect.objectContaining(expected))
  })

  test('allows a partial to miss a name that only some templates pass', async () => {
    const folder = join(await temporaryFolder(), 'mine')
    await writeFiles(folder, {
      ...DARK,
      'partials/mark.eta': '<% if (it.loud) { %><b>!</b><% } %><%= it.quiet %>',
      'partials/toc.eta': "<%~ include('partials/mark', { loud: true }) %>",
      'partials/footer.eta': "<%~ include('partials/mark') %>",
    })
    const { diagnostics } = await runThemeCheck(folder)
    expect(diagnostics.map(({ message }) => message)).toEqual(['it.quiet is not defined in this template.'])
  })

  test.runIf(LONG_FORM)('reaches every template, wherever the theme is', async () => {
    const folder = join(await temporaryFolder(), 'of my (own): all', 'mine')
    const { templates } = await readTheme('default', FOLDERS)
    const faulty = [...templates].map(([name, { text }]) => [name, `${text}<%= it.nothing %>`])
    await writeFiles(folder, { ...DARK, ...Object.fromEntries(faulty) })
    const { diagnostics } = await runThemeCheck(folder)
    const messages = diagnostics.filter(
      ({ message }) => message === 'it.nothing is not defined in this template.',
    )
    expect(messages.map(({ file }) => file.replace(`${folder}/`, '')).sort()).toEqual(
      [...templates.keys()].sort(),
    )
  })

  test('reports missing tokens of a theme that extends none', async () => {
    const folder = join(await temporaryFolder(), 'mine')
    const manifest = { name: 'mine', title: 'Mine', description: '', color_scheme: 'light', tokens: {} }
    await writeFiles(folder, { 'theme.json': manifest, 'style.css': '' })
    const { diagnostics } = await runThemeCheck(folder)
    const messages = diagnostics.filter(({ code }) => code === 'QN-BAD-TOKEN').map(({ message }) => message)
    expect(messages).toContain('The token "bg" is missing. The shared styles need it.')
    expect(messages.join()).not.toContain('hero-size')
  })

  test('instrumented templates render the same pages apart from the marks', async () => {
    const parts = await readTheme('default', FOLDERS)
    const { templates, places } = instrumentTemplates(parts.templates)
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
