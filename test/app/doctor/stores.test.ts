import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readConfig } from '../../../src/app/config.ts'
import type { Finding } from '../../../src/app/doctor/finding.ts'
import { examineStores } from '../../../src/app/doctor/stores.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { writeFiles } from '../../support/written-files.ts'
import { type Env, linesOf, testEveryFinding } from './findings.ts'

async function stores(env: Env): Promise<readonly Finding[]> {
  const found: Finding[] = []
  for await (const finding of examineStores(readConfig({ QUOIN_ALLOW_HTTP: 'true', ...env })))
    found.push(finding)
  return found
}

test('themes are named, folders can be written, and those that the first start creates are said to be missing', async () => {
  const data = await temporaryFolder()
  await mkdir(join(data, 'cdn'))
  const all = await stores({ QUOIN_DATA: data })
  expect(linesOf('themes', all)).toEqual([expect.stringMatching(/^ok Themes: .*default/)])
  expect(linesOf('store', all)).toEqual([
    `ok QUOIN_STORAGE_URL: the folder ${data}/cdn can be read and written.`,
  ])
  expect(linesOf('uploads', all)).toEqual([
    `ok QUOIN_MEDIA_URL: the folder ${data}/media does not exist yet. The first start creates it.`,
  ])
  expect(linesOf('pictures', all)).toEqual(['ok Pictures can be decoded.'])
})

test('stores that are no folder, and a theme that cannot be used, are errors that name the setting', async () => {
  const data = await temporaryFolder()
  await writeFiles(data, { file: '', media: '', 'themes/mine/theme.json': '{' })
  const all = await stores({
    QUOIN_DATA: data,
    QUOIN_STORAGE_URL: `file:${join(data, 'file')}`,
    QUOIN_THEMES: join(data, 'themes'),
  })
  expect(linesOf('store', all)).toEqual([
    expect.stringMatching(/^error QUOIN_STORAGE_URL: the folder .*file cannot be used: /),
  ])
  expect(linesOf('uploads', all)).toEqual([
    expect.stringMatching(/^error QUOIN_MEDIA_URL: the folder .*media cannot be used: /),
  ])
  expect(linesOf('themes', all)).toEqual([expect.stringMatching(/^error QUOIN_THEMES: .*theme\.json/)])
})

testEveryFinding('stores.ts', ['Pictures are served'])
