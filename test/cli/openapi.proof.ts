import { appendFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startCommand } from '../support/command.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const operation = (id: string) => ({ get: { operationId: id, responses: { 200: { description: 'Fine.' } } } })
const description = (...ids: string[]) => ({
  openapi: '3.1.0',
  info: { title: 'Orders', version: '1' },
  paths: Object.fromEntries(ids.map((id) => [`/${id}`, operation(id)])),
})

async function newFolder() {
  const folder = await temporaryFolder()
  const openapi = async (ids: readonly string[], ...more: string[]) => {
    await writeFile(join(folder, 'api.json'), JSON.stringify(description(...ids)))
    return startCommand(['openapi', join(folder, 'api.json'), '--out', join(folder, 'docs/api'), ...more])
      .ended
  }
  const pages = async (of = 'docs/api') => {
    const names = await readdir(join(folder, of), { recursive: true })
    return names.filter((name) => name.endsWith('.md')).sort()
  }
  const pageOf = async (id: string) => {
    const name = (await pages()).find((page) => page.toLowerCase().includes(id)) ?? expect.unreachable(id)
    return join(folder, 'docs/api', name)
  }
  return { folder, openapi, pages, pageOf }
}

test('a reference is written again when its description changes, and pages of removed operations go', async () => {
  const { openapi, pages } = await newFolder()
  expect((await openapi(['list', 'pay'])).code).toBe(0)
  const first = await pages()
  const again = await openapi(['list', 'refund'], '--json')
  expect(JSON.parse(again.out)).toMatchObject({
    ok: true,
    operations: 2,
    removed: [expect.stringContaining('pay')],
  })
  expect(await pages()).toEqual(first.map((name) => name.replace('pay', 'refund')).sort())
})

test('a page that was edited is neither replaced nor deleted, unless --force asks for it', async () => {
  const { openapi, pageOf } = await newFolder()
  await openapi(['list', 'pay'])
  await appendFile(await pageOf('pay'), '\nOur own words.\n')
  const refused = await openapi(['list', 'pay'])
  expect(refused.code).not.toBe(0)
  expect(refused.err).toContain('edited since')
  expect(await readFile(await pageOf('pay'), 'utf8')).toContain('Our own words.')
  expect((await openapi(['list'])).code).toBe(0)
  expect(await readFile(await pageOf('pay'), 'utf8')).toContain('Our own words.')
  expect((await openapi(['list', 'pay'], '--force')).code).toBe(0)
  expect(await readFile(await pageOf('pay'), 'utf8')).not.toContain('Our own words.')
})

test('a reference in a folder below, and pages of authors, are left alone', async () => {
  const { folder, openapi, pages } = await newFolder()
  await mkdir(join(folder, 'docs/api'), { recursive: true })
  await writeFile(join(folder, 'docs/api/own.md'), '---\ntitle: Own\n---\nText.\n')
  await startCommand(['openapi', await descriptionFile(folder), '--out', join(folder, 'docs/api/admin')])
    .ended
  const below = await pages('docs/api/admin')
  expect(below.length).toBeGreaterThan(1)
  await openapi(['list'])
  await openapi(['pay'])
  expect(await pages('docs/api/admin')).toEqual(below)
  expect(await pages()).toContain('own.md')
})

async function descriptionFile(folder: string): Promise<string> {
  const file = join(folder, 'admin.json')
  await writeFile(file, JSON.stringify(description('users')))
  return file
}
