import { createHash, randomBytes } from 'node:crypto'
import { cp, mkdir, open, readdir, readFile, rm, rmdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createBlobs } from '../../src/backup/blobs.ts'
import { restoreDatabase } from '../../src/backup/restore-backup.ts'
import { openSqlite } from '../../src/db/sqlite.ts'
import { siteOf } from '../http/data-mode/sealed-site.ts'
import { startCommand } from '../support/command.ts'
import { LONG_FORM } from '../support/long-form.ts'
import { createMemoryStorage } from '../support/memory-storage.ts'
import { MAY_MOUNT, mountDisk } from '../support/mounted-disk.ts'
import { startService, type TestService } from '../support/service.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const PASSPHRASE = { QUOIN_BACKUP_PASSPHRASE: 'correct horse battery staple' }
const quoin = (...args: string[]) => startCommand(args, PASSPHRASE).ended
const json = async (...args: string[]) => {
  const { code, out, err } = await quoin(...args, '--json')
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${out} ${err}`)
  return JSON.parse(out)
}

/** Pages of the drill. */
const PAGES = LONG_FORM ? 1_000 : 60
/** Creating and publishing 1,000 pages takes two minutes on a busy machine. */
const DRILL_MS = 400_000

describe('the drill', () => {
  test(`an installation with ${PAGES} pages, some of them encrypted, is destroyed, restored, verified byte for byte and published again`, {
    timeout: DRILL_MS,
  }, async () => {
    const [data, place] = [await temporaryFolder(), join(await temporaryFolder(), 'backup')]
    const service = await startService({ data })
    const open = await publishedSite(service, PAGES / 2)
    const sealed = await publishedSite(service, PAGES / 2, 'enable')
    await searchIndexOf(service, open.project)
    const before = await filesIn(join(data, 'cdn'))
    expect(before.size).toBeGreaterThan(PAGES)

    const written = await json('backup', '--data', data, '--to', place)
    expect(written).toMatchObject({
      files: before.size,
      migrations: expect.arrayContaining(['001-baseline']),
    })
    await service.close()
    await rm(data, { recursive: true })

    await json('restore', '--data', data, '--from', place)
    expect(await filesIn(join(data, 'cdn'))).toEqual(before)
    expect(await json('verify', '--data', data)).toMatchObject({ ok: true, differences: [] })
    expect(await filesIn(join(data, 'cdn'))).toEqual(before)

    const again = await startService({ data })
    for (const { project, page } of [open, sealed]) {
      const site = siteOf(again, project)
      await site.edit(page, { title: 'After the restore' })
      expect((await site.publish(page)).status).toBe(200)
    }
    expect((await siteOf(again, sealed.project).open(sealed.key, 'page-1.json')).title).toBe(
      'After the restore',
    )
    expect(await siteOf(again, open.project).read('page-1/')).toContain('After the restore')
    await again.close()
    expect(await json('verify', '--data', data)).toMatchObject({ ok: true })
  })

  test('files that were published after the database was copied are repaired to its state', async () => {
    const [data, place, later] = [await temporaryFolder(), await temporaryFolder(), await temporaryFolder()]
    const service = await startService({ data })
    const { project, page, second } = await publishedSite(service, 6)
    const { project: hidden, page: first, key } = await publishedSite(service, 3, 'enable')
    await json('backup', '--data', data, '--to', place)
    const site = siteOf(service, project)
    await site.edit(page, { title: 'Newer' })
    await site.publish(page)
    await site.unpublish(second)
    await siteOf(service, hidden).act('regenerate-key')
    await service.close()
    await json('backup', '--data', data, '--to', later)

    // The database of the first backup with the files of the second one.
    const [older, newer] = [await manifestOf(place), await manifestOf(later)]
    await cp(join(place, 'blobs'), join(later, 'blobs'), { recursive: true })
    await writeFile(join(later, 'backup.json'), JSON.stringify({ ...older, objects: newer.objects }))
    const target = join(await temporaryFolder(), 'data')
    await json('restore', '--data', target, '--from', later)
    expect((await quoin('verify', '--data', target)).code).toBe(1)
    expect(await json('verify', '--data', target, '--repair')).toMatchObject({ ok: true })
    const again = await startService({ data: target })
    expect(await siteOf(again, project).read('page-1/')).not.toContain('Newer')
    expect(await siteOf(again, project).read('page-2/')).toContain('Page 2')
    expect((await siteOf(again, hidden).open(key, 'page-1.json')).id).toBe(first)
    await again.close()
  })
})

describe('quoin backup', () => {
  test('runs while pages are published, and the copy is consistent', async () => {
    const [data, place, target] = [await temporaryFolder(), await temporaryFolder(), await temporaryFolder()]
    const service = await startService({ data })
    const { project } = await publishedSite(service, 4)
    const site = siteOf(service, project)
    let isDone = false
    const backup = json('backup', '--data', data, '--to', place).finally(() => (isDone = true))
    let published = 0
    while (!isDone) {
      const id = await site.create({ slug: `during-${published}` })
      expect((await site.publish(id)).status).toBe(200)
      published += 1
    }
    await backup
    await service.close()
    expect(published).toBeGreaterThan(2)
    await json('restore', '--data', target, '--from', place)
    expect(await json('verify', '--data', target, '--repair')).toMatchObject({ ok: true })
  })

  test('sends only what is new the second time, and removes what nothing needs any more', async () => {
    const [data, place] = [await temporaryFolder(), await temporaryFolder()]
    const service = await startService({ data })
    const { project, page } = await publishedSite(service, 12)
    await searchIndexOf(service, project)
    const first = await json('backup', '--data', data, '--to', place)
    const same = await json('backup', '--data', data, '--to', place)
    expect(same.files).toBe(first.files)
    // The service may have written to its database meanwhile; no file of a site is sent again.
    expect(same.sent_blobs).toBeLessThanOrEqual((await manifestOf(place)).database.parts.length)
    await siteOf(service, project).unpublish(page)
    const last = await json('backup', '--data', data, '--to', place)
    expect(last.sent_blobs).toBeLessThan(first.sent_blobs / 2)
    await service.close()
    const { database, objects } = await manifestOf(place)
    const needed = [...database.parts, ...objects].map(({ sha256 }) => sha256)
    const names = await readdir(join(place, 'blobs'), { recursive: true })
    const stored = names.filter((name) => name.includes('/')).map((name) => name.slice(name.indexOf('/') + 1))
    expect(new Set(stored)).toEqual(new Set(needed))
  })

  test('does not replace the last backup by one of a damaged database', async () => {
    const { data, place } = await smallBackup()
    const before = await readFile(join(place, 'backup.json'))
    const file = join(data, 'quoin.db')
    const bytes = await readFile(file)
    // The first page of the table of releases.
    const start = ((await rootPageOf(file, 'releases')) - 1) * 4096
    bytes.fill(255, start, start + 4096)
    await writeFile(file, bytes)
    const { code, out, err } = await quoin('backup', '--data', data, '--to', place)
    expect([code === 0, out, messagesOf(err).length]).toEqual([false, '', 1])
    expect(await readFile(join(place, 'backup.json'))).toEqual(before)
    await json('restore', '--data', data, '--from', place, '--force')
    expect(await json('verify', '--data', data)).toMatchObject({ ok: true })
  })

  test('holds no secret in clear, and only its user can read it', async () => {
    const [data, parent] = [await temporaryFolder(), await temporaryFolder()]
    const service = await startService({ data })
    await publishedSite(service, 1, 'enable')
    await service.close()
    const place = join(parent, 'backup')
    await json('backup', '--data', data, '--to', place)
    const masterKey = (await readFile(join(data, 'master.key'), 'utf8')).trim()
    const entries = await readdir(place, { recursive: true, withFileTypes: true })
    for (const entry of entries) {
      const path = join(entry.parentPath, entry.name)
      expect((await stat(path)).mode & 0o077).toBe(0)
      if (entry.isFile()) expect((await readFile(path)).includes(masterKey)).toBe(false)
    }
    expect((await readdir(data)).filter((name) => name.includes('backup'))).toEqual([])
  })

  test('refuses a short passphrase, a place inside the installation, and no database, with exit code 2', async () => {
    const data = await temporaryFolder()
    const to = await temporaryFolder()
    expect(await quoin('backup', '--data', data, '--to', to)).toMatchObject({
      code: 2,
      err: expect.stringContaining('no database'),
    })
    await (await startService({ data })).close()
    for (const inside of [data, join(data, 'backup'), join(data, 'cdn/backup')])
      expect(await quoin('backup', '--data', data, '--to', inside)).toMatchObject({
        code: 2,
        err: expect.stringMatching(/^quoin: --to: must be outside of [^\n]+\n$/),
      })
    const short = await startCommand(['backup', '--data', data, '--to', to], {
      QUOIN_BACKUP_PASSPHRASE: 'short',
    }).ended
    expect(short).toMatchObject({ code: 2, err: 'quoin: The passphrase must have at least 12 characters.\n' })
    const none = await startCommand(['backup', '--data', data, '--to', to]).ended
    expect(none).toMatchObject({ code: 2, err: expect.stringContaining('QUOIN_BACKUP_PASSPHRASE: set it') })
    expect(await readdir(to)).toEqual([])
  })
})

describe('quoin restore', () => {
  test('refuses what is no intact backup, and writes nothing then', async () => {
    const { place, blob } = await smallBackup()
    const target = join(await temporaryFolder(), 'data')
    const refused = async (code: number, message: RegExp, env: Record<string, string> = PASSPHRASE) => {
      const { err, ...ended } = await startCommand(['restore', '--data', target, '--from', place], env).ended
      expect(ended).toEqual({ code, out: '' })
      expect(err).toMatch(message)
      expect(messagesOf(err)).toHaveLength(1)
      await expect(readdir(target)).rejects.toThrow('ENOENT')
    }
    await refused(2, /passphrase is not the one/, { QUOIN_BACKUP_PASSPHRASE: 'another passphrase' })

    const bytes = await readFile(join(place, blob))
    await writeFile(join(place, blob), Buffer.concat([bytes, Buffer.from('x')]))
    await refused(1, /damaged: the bytes of blobs\/.* have changed/)
    await rm(join(place, blob))
    await refused(1, /damaged: blobs\/.* is missing/)
    await writeFile(join(place, blob), bytes)

    const manifest = await readFile(join(place, 'backup.json'), 'utf8')
    await writeFile(
      join(place, 'backup.json'),
      manifest.replace('"001-baseline"', '"001-baseline","999-future"'),
    )
    await refused(2, /which is newer, made the backup \(it has 999-future\)/)
    await writeFile(join(place, 'backup.json'), manifest.replace('"001-baseline"', '"001-foundation"'))
    await refused(
      2,
      /--from: The database belongs to an early snapshot of Quoin \(it lacks 002-job-warnings and/,
    )
    await writeFile(join(place, 'backup.json'), manifest.replace(/"key":"[^"]*"/, '"key":"../../escaped"'))
    await refused(2, /backup\.json is damaged/)
    await writeFile(join(place, 'backup.json'), manifest.slice(0, -20))
    await refused(2, /backup\.json is damaged/)
    await rm(join(place, 'backup.json'))
    await refused(2, /no complete backup: backup\.json, which is written last, is missing/)
    await writeFile(join(place, 'backup.json'), manifest)
    const checked = await quoin('restore', '--data', target, '--from', place, '--check')
    expect([checked.code, messagesOf(checked.err)]).toEqual([0, []])
    await expect(readdir(target)).rejects.toThrow('ENOENT')
  })

  test('replaces an installation with --force only, while no server uses it, and keeps the old database', async () => {
    const { place, data } = await smallBackup()
    expect(await quoin('restore', '--data', data, '--from', place)).toMatchObject({
      code: 2,
      err: expect.stringMatching(/is not empty .* replace its contents with --force\.\n$/),
    })
    const service = await startService({ data })
    await service.newProject('Later')
    expect(await quoin('restore', '--data', data, '--from', place, '--force')).toMatchObject({
      code: 2,
      err: expect.stringContaining('Stop the server first.'),
    })
    await service.close()
    await json('restore', '--data', data, '--from', place, '--force')
    expect((await readdir(data)).sort()).toEqual([
      'cdn',
      'master.key',
      'master.key.replaced',
      'media',
      'quoin.db',
      'quoin.db.replaced',
      'uploads',
    ])
    const { out } = await quoin('projects', 'list', '--data', data)
    expect(out).not.toContain('Later')
    for (const file of ['quoin.db', 'master.key'])
      expect((await stat(join(data, file))).mode & 0o777).toBe(0o600)
  })

  test('keeps the former key and database of each restore, also when an interrupted one runs again', async () => {
    const { place, data } = await smallBackup()
    const [key, former] = [join(data, 'master.key'), `${randomBytes(32).toString('base64')}\n`]
    await writeFile(key, former)
    // The database of a restore gets its name last, which a folder in its place prevents.
    await mkdir(join(data, 'quoin.db.restoring'))
    expect((await quoin('restore', '--data', data, '--from', place, '--force')).code).not.toBe(0)
    await rmdir(join(data, 'quoin.db.restoring'))
    await json('restore', '--data', data, '--from', place, '--force')
    await json('restore', '--data', data, '--from', place, '--force')

    expect(await readFile(`${key}.replaced`, 'utf8')).toBe(former)
    const kept = (await readdir(data)).filter((name) => name.includes('.replaced')).sort()
    expect(kept).toEqual([
      'master.key.replaced',
      'master.key.replaced-2',
      'master.key.replaced-3',
      'quoin.db.replaced',
      'quoin.db.replaced-2',
    ])
    expect((await stat(`${key}.replaced`)).mode & 0o777).toBe(0o600)
  })

  test.skipIf(!MAY_MOUNT)('a disk that takes part of a database fails its restore', async () => {
    const place = createMemoryStorage()
    const bytes = randomBytes(100_000)
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    await createBlobs(place).store(bytes)
    const database = { sha256, bytes: bytes.length, parts: [{ sha256, bytes: bytes.length }] }
    const { folder } = mountDisk('size=64k')
    const file = await open(join(folder, 'quoin.db'), 'wx')
    try {
      const restored = restoreDatabase({ database }, place, file, () => {})
      await expect(restored).rejects.toThrow('ENOSPC')
    } finally {
      await file.close()
    }
  })

  test('restores no session and no set-up link, because they may have ended after the backup', async () => {
    const [data, place] = [await temporaryFolder(), join(await temporaryFolder(), 'backup')]
    const service = await startService({ data })
    const { accounts, sessions, setUpLinks } = service.server.service
    const { id } = await accounts.firstUser()
    const client = { address: '192.0.2.1', userAgent: 'Browser' }
    const { token } = await setUpLinks.redeem(await setUpLinks.issue(id), 'correct horse battery', client)
    const link = await setUpLinks.issue(id)
    await json('backup', '--data', data, '--to', place)
    await sessions.signOut(token)
    await service.close()
    await json('restore', '--data', data, '--from', place, '--force')

    const again = await startService({ data })
    const restored = again.server.service
    expect(await restored.sessions.authenticate(token)).toBeNull()
    expect(await restored.setUpLinks.emailOf(link)).toBeNull()
    expect(await restored.setUpLinks.isSetUp()).toBe(true)
    await again.close()
  })

  test('refuses the master key of the environment when it is not the one of the backup', async () => {
    const { place } = await smallBackup()
    const env = { ...PASSPHRASE, QUOIN_MASTER_KEY: Buffer.alloc(32, 1).toString('base64') }
    const target = await temporaryFolder()
    expect(await startCommand(['restore', '--data', target, '--from', place], env).ended).toMatchObject({
      code: 2,
      err: expect.stringContaining('not the master key of the backup'),
    })
    expect(await readdir(target)).toEqual([])
  })
})

/** The lines of standard error, without those of progress, which a busy machine also shows. */
function messagesOf(err: string): readonly string[] {
  return err.split('\n').filter((line) => line !== '' && !/ of .* (checked|copied)$/.test(line))
}

async function publishedSite(service: TestService, pages: number, mode?: 'enable') {
  const project = await service.newProject(mode ?? 'Open')
  const site = siteOf(service, project)
  const key = mode === undefined ? '' : await site.keyOf(mode)
  const ids: string[] = []
  for (let at = 1; at <= pages; at++)
    ids.push(await site.create({ title: `Page ${at}`, slug: `page-${at}`, markdown_content: `Text ${at}.` }))
  const { body } = await service.call('POST', `/projects/${project}/publish`, { pages: ids })
  await ended(service, body.data.id)
  const [page = '', second = ''] = ids
  return { project, key, page, second }
}

/** Waits for the search index, which a job writes later. No job runs afterwards. */
async function searchIndexOf({ server, call }: TestService, project: string): Promise<void> {
  while ((await call('GET', `/public/${project}/_search.json`, undefined, { key: null })).status !== 200)
    await new Promise((resolve) => setTimeout(resolve, 50))
  await server.service.stopJobs()
}

/** Waits for a job, however many pages it publishes. */
async function ended({ call }: TestService, job: string): Promise<void> {
  while ((await call('GET', `/jobs/${job}`)).body.data.finished_at === null)
    await new Promise((resolve) => setTimeout(resolve, 50))
}

async function smallBackup() {
  const [data, place] = [await temporaryFolder(), await temporaryFolder()]
  const service = await startService({ data })
  await publishedSite(service, 2)
  await service.close()
  await json('backup', '--data', data, '--to', place)
  const { objects } = await manifestOf(place)
  const sha256: string = objects[0].sha256
  return { data, place, blob: `blobs/${sha256.slice(0, 2)}/${sha256}` }
}

async function rootPageOf(file: string, table: string): Promise<number> {
  const { writer, reader } = openSqlite(file)
  const { rootpage } = await reader('sqlite_master').where({ name: table }).first('rootpage')
  await Promise.all([writer.destroy(), reader.destroy()])
  return rootpage
}

async function manifestOf(place: string) {
  return JSON.parse(await readFile(join(place, 'backup.json'), 'utf8'))
}

async function filesIn(root: string): Promise<ReadonlyMap<string, string>> {
  const entries = (await readdir(root, { recursive: true, withFileTypes: true })).filter((entry) =>
    entry.isFile(),
  )
  const files = entries.map(async (entry): Promise<[string, string]> => {
    const path = join(entry.parentPath, entry.name)
    return [path.slice(root.length), (await readFile(path)).toString('base64')]
  })
  return new Map(await Promise.all(files))
}
