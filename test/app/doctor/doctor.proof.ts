import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { pageBody, startService } from '../../support/service.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { findings, found, installation, testEveryFinding } from './findings.ts'

test('an installation whose service runs has no fault, and nothing in it changes', async () => {
  const data = await temporaryFolder()
  const service = await startService({
    data,
    env: { QUOIN_DATABASE_URL: `sqlite:${join(data, 'quoin.db')}` },
  })
  onTestFinished(() => service.close())
  const project = await service.newProject()
  await service.call('POST', '/pages', pageBody(project))
  const before = (await readdir(data, { recursive: true })).sort()
  const all = await findings({ QUOIN_DATA: data, QUOIN_BASE_URL: service.url }, { network: true })
  expect(all.filter(({ level }) => level !== 'ok')).toEqual([])
  expect(all.map(({ check }) => check)).toEqual(
    expect.arrayContaining([
      'versions',
      'disk',
      'database',
      'keys',
      'processes',
      'store',
      'uploads',
      'address',
    ]),
  )
  expect(all).toContainEqual(expect.objectContaining({ message: 'One process runs.' }))
  expect((await readdir(data, { recursive: true })).sort()).toEqual(before)
})

test('settings that refuse every request, and a name that is missing, are warnings', async () => {
  const data = await installation()
  expect(await found('settings', { QUOIN_DATA: data })).toEqual(['ok All settings can be used.'])
  expect(await found('settings', { QUOIN_DATA: data, QUOIN_ALLOW_HTTP: 'false' })).toEqual([
    expect.stringMatching(/^warning Every API request will be refused/),
  ])
  expect(await found('settings', { QUOIN_DATA: data, QUOIN_TRUST_PROXY: '127.0.0.1' })).toEqual([
    expect.stringMatching(/^warning Set QUOIN_BASE_URL/),
  ])
})

testEveryFinding('doctor.ts')
