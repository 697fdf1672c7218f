import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { siteOf } from '../http/data-mode/sealed-site.ts'
import { NOTES, temporarySite } from '../site-build/temporary-site.ts'
import { startCommand } from '../support/command.ts'
import { startService, type TestService } from '../support/service.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

let service: TestService
let folder: string
let url: string
let key: string

beforeAll(async () => {
  service = await startService()
  const site = siteOf(service, await service.newProject())
  await site.publish(await site.create({ slug: 'plain' }))
  key = await site.keyOf('enable')
  for (const slug of ['one', 'two']) await site.publish(await site.create({ slug, title: `Öffnung ${slug}` }))
  folder = join(service.data, 'cdn', site.project)
  url = `${service.url}/public/${site.project}`
})
afterAll(() => service.close())

const decrypt = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  startCommand(['decrypt', ...args], env).ended

describe('quoin decrypt', () => {
  test('prints the page of a file or a URL, with the key from a flag, a file or the environment', async () => {
    const keyFile = join(await temporaryFolder(), 'key')
    await writeFile(keyFile, `${key}\n`)
    const [file, withKeyFile, fetched] = await Promise.all([
      decrypt([join(folder, 'one.json'), '--key', key]),
      decrypt([join(folder, 'one.json'), '--key-file', keyFile]),
      decrypt([`${url}/one.json`], { QUOIN_CONTENT_KEY: key }),
    ])
    expect([file.code, file.err]).toEqual([0, ''])
    expect(JSON.parse(file.out)).toMatchObject({ title: 'Öffnung one', slug: 'one' })
    expect([withKeyFile, fetched]).toEqual([file, file])
  })

  test('prints the encrypted pages of a folder, one on each line', async () => {
    const { code, out } = await decrypt([folder, '--key', key])
    const pages = out.trim().split('\n')
    expect([code, pages.map((line) => JSON.parse(line).slug)]).toEqual([0, ['one', 'two']])
  })

  test('refuses a wrong key, a changed file and an unencrypted file, with one line that does not contain the key', async () => {
    const other = Buffer.alloc(32, 7).toString('base64')
    const broken = join(await temporaryFolder(), 'broken.json')
    const sealed = JSON.parse(await readFile(join(folder, 'one.json'), 'utf8'))
    await writeFile(broken, JSON.stringify({ ...sealed, tag: Buffer.alloc(16).toString('base64') }))
    const refused = await Promise.all([
      decrypt([join(folder, 'one.json'), '--key', other]),
      decrypt([broken, '--key', key]),
      decrypt([join(folder, '_index.json'), '--key', key]),
      decrypt([join(folder, 'missing.json'), '--key', key]),
      decrypt([`${url}/missing.json`, '--key', key]),
    ])
    for (const { code, out, err } of refused) {
      expect([code, out]).toEqual([1, ''])
      expect(err).toMatch(/^quoin: .*\n$/)
      expect(err).not.toContain(key)
      expect(err).not.toContain(other)
    }
  })

  test('writes the pictures and files of a folder back, at their addresses', async () => {
    const {
      out,
      folder: content,
      run,
    } = await temporarySite({
      ...NOTES,
      'docs/a.md': '---\ntitle: A\n---\n[Plan](/plans/night%20line.pdf) ![Map](map.svg)\n',
      'docs/map.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>',
      'static/plans/night line.pdf': '%PDF-1.4 the night line',
    })
    await run({}, false, Buffer.from(key, 'base64'))
    const into = join(await temporaryFolder(), 'opened')
    const { code, out: printed, err } = await decrypt([out, '--key', key, '--files', into])
    expect([code, err]).toEqual([0, `${into}: 2 files written.\n`])
    expect(printed.trim().split('\n')).toHaveLength(4)
    for (const [from, to] of [
      ['docs/map.svg', 'docs/map.svg'],
      ['static/plans/night line.pdf', 'plans/night line.pdf'],
    ] as const)
      expect(await readFile(join(into, to)), to).toEqual(await readFile(join(content, from)))
  })

  test('writes no file that is damaged or of another page, and reports which', async () => {
    const { out, run } = await temporarySite({
      ...NOTES,
      'docs/a.md': '---\ntitle: A\n---\n[One](/one.txt) [Two](/two.txt)\n',
      'static/one.txt': 'one',
      'static/two.txt': 'two',
    })
    await run({}, false, Buffer.from(key, 'base64'))
    const [first = '', second = ''] = await readdir(join(out, '_media'))
    const into = join(await temporaryFolder(), 'opened')
    const attempt = async () => {
      const { code, err } = await decrypt([out, '--key', key, '--files', into])
      return [code, err.includes('.bin cannot be decrypted: the key is wrong, or the file was changed.')]
    }
    const bytes = await readFile(join(out, '_media', first))
    await writeFile(join(out, '_media', first), await readFile(join(out, '_media', second)))
    expect(await attempt()).toEqual([1, true])
    await writeFile(join(out, '_media', first), bytes.subarray(0, -1))
    expect(await attempt()).toEqual([1, true])
    expect((await decrypt([join(out, 'a.json'), '--key', key, '--files', into])).code).toBe(2)
  })

  test('refuses an index that names files outside of its folder, by path or by a link, and reads none', async () => {
    const site = join(await temporaryFolder(), 'site')
    await mkdir(site)
    const page = { id: 'page_1', key_id: 'k1' }
    const index = (...pages: readonly unknown[]) =>
      writeFile(join(site, '_index.json'), JSON.stringify({ pages }))
    for (const file of ['../one.json', '/etc/passwd', 'a/../../one.json', '']) {
      await index({ ...page, file })
      expect(await decrypt([site, '--key', key])).toEqual({
        code: 1,
        out: '',
        err: `quoin: ${join(site, '_index.json')} names the file ${JSON.stringify(file)}, which is not in the folder; refused.\n`,
      })
    }
    await symlink(join(folder, 'one.json'), join(site, 'link.json'))
    await index({ ...page, file: 'link.json' })
    const { code, out, err } = await decrypt([site, '--key', key])
    expect([code, out]).toEqual([1, ''])
    expect(err).toContain('link.json is a link out of the folder; refused.')
    await index({ ...page, file: 7 })
    expect((await decrypt([site, '--key', key])).err).toContain('is not the index of a site.')
  })

  test.each([
    [[]],
    [['--key', 'short']],
    [['--key', 'short', '--key-file', 'any']],
    [['--key-file', '/no/such']],
  ])('exits with 2 when the key is given as %j', async (args) => {
    const { code, err } = await decrypt([join(folder, 'one.json'), ...args])
    expect([code, err]).toEqual([2, expect.stringContaining('--key')])
    expect(err).not.toContain('short')
  })
})
