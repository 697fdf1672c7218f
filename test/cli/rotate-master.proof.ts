import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { siteOf } from '../http/data-mode/sealed-site.ts'
import { startCommand } from '../support/command.ts'
import { startService } from '../support/service.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

test('rotating re-encrypts the content keys with a new master key, and the previous one can be removed', async () => {
  const data = await temporaryFolder()
  const file = join(data, 'master.key')
  const rotate = (...args: string[]) =>
    startCommand(['keys', 'rotate-master', '--json', '--data', data, ...args]).ended

  const before = await startService({ data })
  const project = await before.newProject()
  const site = siteOf(before, project)
  const key = await site.keyOf('enable')
  const id = await site.create({ slug: 'one', markdown_content: 'First.' })
  await site.publish(id)
  // Two secrets: the current one, and the previous one that stays valid for a day.
  const webhook = { url: 'https://192.5.6.30/', active: false }
  const hook = `/projects/${project}/webhooks/${(await before.call('POST', `/projects/${project}/webhooks`, webhook)).body.data.id}`
  const { secret } = (await before.call('POST', `${hook}/rotate-secret`)).body.data
  await before.close()

  expect(await rotate('--new')).toMatchObject({ code: 0, out: '{"added":true}\n' })
  const [newest = '', previous = ''] = (await readFile(file, 'utf8')).trim().split('\n')
  expect([previous.length, (await stat(file)).mode & 0o777]).toEqual([44, 0o600])
  // The project's content key, the key of stored artifacts, and two webhook secrets.
  expect(await rotate()).toMatchObject({ code: 0, out: '{"rewrapped":4}\n' })
  expect(await rotate()).toMatchObject({ code: 0, out: '{"rewrapped":0}\n' })
  await writeFile(file, `${newest}\n`)

  const after = await startService({ data })
  const again = siteOf(after, project)
  await again.edit(id, { markdown_content: 'Second.' })
  expect((await again.publish(id)).status).toBe(200)
  expect((await again.open(key, 'one.json')).html).toContain('Second.')
  const headers = { 'Idempotency-Key': 'again' }
  const again1 = await after.call('POST', `${hook}/rotate-secret`, {}, { headers })
  const again2 = await after.call('POST', `${hook}/rotate-secret`, {}, { headers })
  expect(again1.body.data.secret).not.toBe(secret)
  expect(again2.body.data.secret).toBe(again1.body.data.secret)
  await after.close()
})

test('no master key is created in the data folder when QUOIN_MASTER_KEY sets one', async () => {
  const env = { QUOIN_MASTER_KEY: Buffer.alloc(32, 1).toString('base64') }
  const data = await temporaryFolder()
  const { code, err } = await startCommand(['keys', 'rotate-master', '--new', '--data', data], env).ended
  expect([code, err]).toEqual([2, expect.stringContaining('QUOIN_MASTER_KEY')])
})
