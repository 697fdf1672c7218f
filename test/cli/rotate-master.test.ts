import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { siteOf } from '../http/data-mode/sealed-site.ts'
import { startCommand } from '../support/command.ts'
import { startService } from '../support/service.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

test('a new master key takes the content keys over, and the former one can go', async () => {
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
  await before.close()

  expect(await rotate('--new')).toMatchObject({ code: 0, out: '{"added":true}\n' })
  const [newest = '', former = ''] = (await readFile(file, 'utf8')).trim().split('\n')
  expect([former.length, (await stat(file)).mode & 0o777]).toEqual([44, 0o600])
  // The content key, and the one of what is kept.
  expect(await rotate()).toMatchObject({ code: 0, out: '{"rewrapped":2}\n' })
  expect(await rotate()).toMatchObject({ code: 0, out: '{"rewrapped":0}\n' })
  await writeFile(file, `${newest}\n`)

  const after = await startService({ data })
  const again = siteOf(after, project)
  await again.edit(id, { markdown_content: 'Second.' })
  expect((await again.publish(id)).status).toBe(200)
  expect((await again.open(key, 'one.json')).html).toContain('Second.')
  await after.close()
})

test('a new master key is not made in the data folder when it comes from outside', async () => {
  const env = { QUOIN_MASTER_KEY: Buffer.alloc(32, 1).toString('base64') }
  const data = await temporaryFolder()
  const { code, err } = await startCommand(['keys', 'rotate-master', '--new', '--data', data], env).ended
  expect([code, err]).toEqual([2, expect.stringContaining('QUOIN_MASTER_KEY')])
})
