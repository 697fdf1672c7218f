import { chmod, mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { newMasterKey } from '../../src/secrets/master-key.ts'
import { siteOf } from '../http/data-mode/sealed-site.ts'
import { startCommand } from '../support/command.ts'
import { SQLITE, startService } from '../support/service.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const serve = (data: string, ...args: string[]) =>
  startCommand(['serve', '--data', data, '--port', '0', '--allow-http', 'true', ...args]).ended
const verify = (data: string) => startCommand(['verify', '--data', data]).ended
const rotate = (data: string, ...args: string[]) =>
  startCommand(['keys', 'rotate-master', '--data', data, ...args]).ended

/** A data folder with one sealed page and one webhook. */
async function sealedInstallation() {
  const data = await temporaryFolder()
  const service = await startService({ data, env: SQLITE })
  const project = await service.newProject()
  const site = siteOf(service, project)
  await site.keyOf('enable')
  await site.publish(await site.create({ slug: 'one' }))
  const other = await site.create({ slug: 'two' })
  await site.publish(other)
  await service.call('POST', `/projects/${project}/webhooks`, { url: 'https://192.5.6.30/', active: false })
  await service.close()
  return { data, project, other }
}

describe('a master key that cannot be used', () => {
  const damages: readonly [string, (file: string) => Promise<unknown>, string][] = [
    ['is empty', (file) => writeFile(file, ''), 'must be 32 random bytes in base64'],
    [
      'is cut off',
      (file) => writeFile(file, newMasterKey().slice(0, 20)),
      'must be 32 random bytes in base64',
    ],
    ['is no readable file', (file) => mkdir(file), 'EISDIR'],
  ]
  test.each(damages)(
    'ends the command at once, with exit code 2, when master.key %s',
    async (_, damage, reason) => {
      const data = await temporaryFolder()
      await (await startService({ data, env: SQLITE })).close()
      await rm(join(data, 'master.key'))
      await damage(join(data, 'master.key'))
      for (const ended of [serve(data), verify(data), rotate(data), rotate(data, '--new')]) {
        const { code, out, err } = await ended
        expect([code, out]).toEqual([2, ''])
        expect(err).toMatch(/^quoin: [^\n]*master\.key cannot be used: [^\n]* Put it back from a backup\.\n$/)
        expect(err).toContain(reason)
      }
    },
  )
})

describe('a database whose secrets the master key does not open', () => {
  test('is refused without a master.key, and none is created in its place', async () => {
    const { data, project } = await sealedInstallation()
    await rm(join(data, 'master.key'))
    for (const ended of [serve(data), verify(data), rotate(data), rotate(data, '--new')]) {
      const { code, out, err } = await ended
      expect([code, out]).toEqual([2, ''])
      expect(err).toContain(
        `master.key is missing, and the database holds the content keys of ${project} and the webhook secrets of ${project}. Put back the master key`,
      )
      expect(err.trim().split('\n')).toHaveLength(1)
    }
    expect(await readdir(data)).not.toContain('master.key')
  })

  test('is refused with the master key of another installation, from a file or from the environment', async () => {
    const { data, project } = await sealedInstallation()
    const fromEnvironment = await serve(data, '--master-key', newMasterKey())
    expect(fromEnvironment.code).toBe(2)
    expect(fromEnvironment.err).toContain(`this master key does not open the content keys of ${project}`)
    await writeFile(join(data, 'master.key'), `${newMasterKey()}\n`)
    for (const ended of [serve(data), verify(data), rotate(data)]) {
      const { code, err } = await ended
      expect(code).toBe(2)
      expect(err).toContain('--accept-lost-keys')
    }
  })
})

describe('quoin serve --accept-lost-keys', () => {
  test('names the projects that need new keys, whose pages are then readable with a new key and verify', async () => {
    const { data, project, other } = await sealedInstallation()
    await rm(join(data, 'master.key'))
    const args = ['serve', '--data', data, '--port', '0', '--allow-http', 'true']
    const server = startCommand([...args, '--accept-lost-keys'])
    await server.line(/ready at/)
    expect(server.err()).toContain(
      `the content key of ${project} is lost. Its publishes are refused until its owner regenerates it: POST /projects/${project}/data-mode/regenerate-key.\n`,
    )
    expect(server.err()).toContain(`the webhook secrets of ${project} are lost.`)
    server.kill('SIGTERM')
    await server.ended

    const service = await startService({ data, env: SQLITE })
    const site = siteOf(service, project)
    const { data: pages } = (await service.call('GET', `/pages?project_id=${project}`)).body
    const page = pages.find(({ slug }: { slug: string }) => slug === 'one')
    expect(await site.publish(page.id)).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('Regenerate it first') },
    })
    expect((await site.unpublish(other)).status).toBe(200)
    const key = await site.keyOf('regenerate-key')
    expect((await site.open(key, 'one.json')).title).toBe('A page')
    await site.edit(page.id, { title: 'Edited' })
    expect((await site.publish(page.id)).status).toBe(200)
    expect((await site.open(key, 'one.json')).title).toBe('Edited')
    await service.close()
    expect(await verify(data)).toMatchObject({ code: 0 })
    const again = startCommand(args)
    await again.line(/ready at/)
    expect(again.err()).not.toContain('lost')
  })
})

describe('an installation', () => {
  test('is its user’s alone: database files 0600, a new or empty data folder 0700', async () => {
    for (const data of [join(await temporaryFolder(), 'new'), await temporaryFolder()]) {
      await chmod(data, 0o755).catch(() => {})
      const service = await startService({ data, env: SQLITE })
      await service.newProject()
      expect(await modesIn(data)).toEqual({
        '.': '700',
        'quoin.db': '600',
        'quoin.db-wal': '600',
        'quoin.db-shm': '600',
        'master.key': '600',
        media: '700',
        uploads: '700',
      })
      await service.close()
    }
  })

  test('gets private database files when it is of an earlier version, and its folder keeps its mode', async () => {
    const data = await temporaryFolder()
    await (await startService({ data, env: SQLITE })).close()
    await chmod(data, 0o755)
    await chmod(join(data, 'quoin.db'), 0o644)
    const again = await startService({ data, env: SQLITE })
    expect(await modesIn(data)).toMatchObject({
      '.': '755',
      'quoin.db': '600',
      'quoin.db-wal': '600',
      media: '700',
      uploads: '700',
    })
    await again.close()
  })
})

async function modesIn(folder: string): Promise<Readonly<Record<string, string>>> {
  const files = ['.', ...(await readdir(folder)).filter((name) => name !== 'cdn')]
  const modes = files.map(async (file) => [file, ((await stat(join(folder, file))).mode & 0o777).toString(8)])
  return Object.fromEntries(await Promise.all(modes))
}
