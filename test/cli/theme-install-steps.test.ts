import { join } from 'node:path'
import { expect, test } from 'vitest'
import { themeInstallSteps } from '../../src/cli/theme-install-steps.ts'
import { diagnostic } from '../../src/domain/diagnostic.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { writeFiles } from '../support/written-files.ts'

const REFUSED = [diagnostic('QN-REFUSED', 'site.yaml', 'theme must be one of dark, default, minimal.')]

test('a push of a site with a theme of its own says what the operator of the server does', async () => {
  const folder = await temporaryFolder()
  await writeFiles(folder, { 'themes/mine/theme.json': { extends: 'default' } })
  const refused = themeInstallSteps(folder, { settings: { theme: 'mine' } }, REFUSED).join('\n')
  expect(refused).toMatch(/^The server has no theme mine, so pages keep the theme that they have\./)
  expect(refused).toContain(`cp -r ${join(folder, 'themes/mine')} /etc/quoin/themes/`)
  expect(refused).toContain('quoin serve --themes /etc/quoin/themes')
  const taken = themeInstallSteps(folder, { settings: { theme: 'mine' } }, []).join('\n')
  expect(taken).toMatch(/^The server uses its own copy of the theme mine: a push sends no templates\./)
})

test('a push of a site without one says nothing of themes', async () => {
  const folder = await temporaryFolder()
  expect(themeInstallSteps(folder, { settings: { theme: 'dark' } }, [])).toEqual([])
  expect(themeInstallSteps(folder, { settings: {} }, REFUSED)).toEqual([])
})
