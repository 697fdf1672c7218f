import { describe, expect, test } from 'vitest'
import { readSiteFiles } from './read-site-files.ts'
import { NOTES, temporarySite } from './temporary-site.ts'

const DARK =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 4"><path d="M0 0h9v4z" fill="#111"/></svg>'
const LIGHT = DARK.replace('#111', '#eee')

const page = (section: string) => `title: Who\ntype: page\nsections:\n  - type: logos\n${section}`

async function reportOf(section: string) {
  const { build } = await temporarySite({
    ...NOTES,
    'static/dark.svg': DARK,
    'static/light.svg': LIGHT,
    'who.yaml': page(section),
  })
  const report = await build()
  return report.warnings
    .filter(({ code }) => code === 'QN-DARK-LOGO')
    .map(({ file, line, message }) => `${file}:${line} ${message}`)
}

describe('a dark logo that readers of dark pages could not see', () => {
  test('is reported with its line, and both ways to show it', async () => {
    expect(
      await reportOf(
        '    items:\n      - { name: A, src: /dark.svg }\n      - { name: B, src: /light.svg }\n',
      ),
    ).toEqual([
      'who.yaml:6 sections[0].items[0].src: "/dark.svg" has dark colours only and cannot be seen on dark pages. Write "tone: mono" in the section, or the address of a light one as "dark" of the logo.',
    ])
  })

  test.each([
    ['in one tone', '    tone: mono\n    items:\n      - { name: A, src: /dark.svg }\n'],
    [
      'with a light one for dark pages',
      '    items:\n      - { name: A, src: /dark.svg, dark: /light.svg }\n',
    ],
  ])('is not reported %s', async (_, section) => {
    expect(await reportOf(section)).toEqual([])
  })
})

describe('a logo for dark pages', () => {
  const FILES = { ...NOTES, 'static/dark.svg': DARK, 'static/light.svg': LIGHT }
  const built = async (settings: string) => {
    const { build, out } = await temporarySite({ ...FILES, 'site.yaml': `name: Notes\n${settings}` })
    const report = await build()
    return { report, files: await readSiteFiles(out) }
  }

  test('takes the place of the logo in dark mode, in header and footer, on every kind of page', async () => {
    const { files } = await built('logo: /dark.svg\nlogo_dark: /light.svg\n')
    const documents = [...files].filter(([, text]) => text.includes('class="site-header"'))
    expect(documents.length).toBeGreaterThan(5)
    for (const [key, html] of documents) {
      const sources = html.matchAll(
        /<picture><source data-dark media="\(prefers-color-scheme: dark\)" srcset="([^"]*)"/g,
      )
      expect([key, [...sources].map(([, src = '']) => src.split('/').at(-1))]).toEqual([
        key,
        ['light.svg', 'light.svg'],
      ])
    }
  })

  test('is the only one in a theme that is always dark', async () => {
    const { files } = await built('theme: dark\nlogo: /dark.svg\nlogo_dark: /light.svg\n')
    expect(files.get('docs/a/index.html')).toContain('light.svg"')
    expect(files.get('docs/a/index.html')).not.toContain('dark.svg"')
  })

  test('is reported when there is no such file', async () => {
    const { report } = await built('logo: /dark.svg\nlogo_dark: /none.svg\n')
    expect(report.warnings.map(({ code, file, line }) => [code, file, line])).toContainEqual([
      'QN-DEADLINK',
      'site.yaml',
      3,
    ])
  })
})
