import { join } from 'node:path'
import { expect, test } from 'vitest'
import { themeInstallSteps } from '../../src/cli/theme-install-steps.ts'
import { readSite } from '../../src/content-folder/read-site.ts'
import { diagnostic } from '../../src/domain/diagnostic.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { writeFiles } from '../support/written-files.ts'

const MINE = { 'themes/mine/theme.json': { extends: 'default' } }
const refused = (file: string, field: string, message = 'No.') =>
  diagnostic('QN-REFUSED', file, message, { field })

async function site(files: Readonly<Record<string, string | object>>) {
  const folder = await temporaryFolder()
  await writeFiles(folder, { 'site.yaml': 'name: A\n', ...files })
  return { folder, site: (await readSite(folder)).site }
}

test('a push of a site with a theme of its own says what the operator of the server does', async () => {
  const { folder, site: own } = await site({ ...MINE, 'site.yaml': 'name: A\ntheme: mine\n' })
  const steps = themeInstallSteps(folder, own, [refused('site.yaml', 'theme')]).join('\n')
  expect(steps).toMatch(/^The server has no theme mine, so pages keep the theme that they have\./)
  expect(steps).toContain(`cp -r ${join(folder, 'themes/mine')} /etc/quoin/themes/`)
  expect(steps).toContain('quoin serve --themes /etc/quoin/themes')
  // The message of another field may name themes too.
  for (const failures of [[], [refused('site.yaml', 'custom_css', 'theme must be one of dark.')]])
    expect(themeInstallSteps(folder, own, failures).join('\n')).toMatch(
      /^The server uses its own copy of the theme mine: a push sends no templates\./,
    )
})

test('a push of pages in themes of the folder says so for each theme once', async () => {
  const page = (theme: string) => `title: A\ntype: page\nconfig: { theme: ${theme} }\n`
  const { folder, site: own } = await site({
    ...MINE,
    'themes/other/theme.json': { extends: 'default' },
    'a.yaml': page('mine'),
    'b.yaml': page('mine'),
    'c.yaml': page('other'),
    'd.yaml': page('dark'),
  })
  const failures = ['a.yaml', 'b.yaml'].map((file) => refused(file, 'config.theme'))
  const lines = themeInstallSteps(folder, own, failures).filter((line) => line.startsWith('The server'))
  expect(lines).toEqual([
    expect.stringMatching(/^The server has no theme mine,/),
    expect.stringMatching(/^The server uses its own copy of the theme other:/),
  ])
})

test('a push of a site without one says nothing of themes', async () => {
  for (const files of [{ 'site.yaml': 'name: A\ntheme: dark\n' }, MINE]) {
    const { folder, site: own } = await site(files)
    expect(themeInstallSteps(folder, own, [refused('site.yaml', 'theme')])).toEqual([])
  }
})
