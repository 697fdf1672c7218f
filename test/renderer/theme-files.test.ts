import { expect, test } from 'vitest'
import { createInProcessRenderer } from '../../src/renderer/in-process.ts'
import { createThemeFiles } from '../../src/renderer/theme-files.ts'
import { livePage } from '../support/live-page.ts'
import { loadBuiltIn } from '../theme/load-built-in.ts'

test.each(['en', 'de', 'ja'])('a page in %s is sent without the files of its theme', async (lang) => {
  const themes = new Map([['default', await loadBuiltIn('default')]])
  const files = createThemeFiles(themes)
  const page = livePage({ page: { config: { lang } } })
  const { artifacts } = await createInProcessRenderer(themes).renderPage(page)
  const assets = artifacts.filter(({ stage }) => stage === 'asset')
  expect(assets.length).toBe(lang === 'ja' ? 5 : 6)
  for (const asset of assets) {
    expect.soft(files.without(asset).body.byteLength, asset.key).toBe(0)
    expect.soft(files.restored(files.without(asset)), asset.key).toEqual(asset)
  }
})
