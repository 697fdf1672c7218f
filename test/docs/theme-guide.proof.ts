import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runThemeCheck } from '../../src/app/theme-check.ts'
import { PACKAGE_ROOT } from '../../src/platform/package-paths.ts'
import { createInProcessRenderer } from '../../src/renderer/in-process.ts'
import { oneByOne } from '../../src/site-build/recording-renderer.ts'
import { loadThemes } from '../../src/theme/load-theme.ts'
import { readSiteFiles } from '../site-build/read-site-files.ts'
import { temporarySite } from '../site-build/temporary-site.ts'
import { FOLDERS } from '../theme/load-built-in.ts'

const guide = readFileSync(
  join(PACKAGE_ROOT, 'templates/docs-site/docs/guides/a-theme-in-an-hour.md'),
  'utf8',
)
const FILES = Object.fromEntries(
  [...guide.matchAll(/^```\w+ title="([^"]+)"\n([\s\S]*?)^```$/gm)].map(([, name = '', text = '']) => [
    name,
    text,
  ]),
)

test('the files of the guide to a first theme build the site that it describes', async () => {
  const { folder, out, build } = await temporarySite(FILES)
  const theme = join(folder, 'themes/bakery')
  const themes = await loadThemes({ ...FOLDERS, custom: [theme] })
  const renderer = oneByOne(createInProcessRenderer(themes), () => 0)
  expect((await build({ renderer })).warnings).toEqual([])
  const files = await readSiteFiles(out)
  const front = files.get('index.html') ?? ''
  expect(front).toContain('<li class="rye"><a href="breads/vollkorn/">Vollkorn</a></li>')
  expect(front).toContain('<dt>Saturday</dt><dd>6–13</dd>')
  expect(front).toMatch(/<script defer src="_assets\/script\.[0-9a-f]{16}\.js">/)
  const bread = files.get('breads/vollkorn/index.html') ?? ''
  expect(bread).toContain('<p class="price">4.80 €</p>')
  expect(bread).toContain('<p>Rye and spelt</p>')
  const { diagnostics } = await runThemeCheck(theme)
  expect(diagnostics.map(({ code, file, line, message }) => `${code} ${file}:${line} ${message}`)).toEqual([])
})
