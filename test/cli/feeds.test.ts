import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startCommand } from '../support/command.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

test('feeds pin writes ids into articles that have none, and a second run writes nothing', async () => {
  const folder = await temporaryFolder()
  await mkdir(join(folder, 'blog'))
  await writeFile(join(folder, 'site.yaml'), 'name: Walks\nurl: https://walks.example.com\n')
  const post = '---\ntitle: One # the first\ntype: article\npublish_date: 2024-03-10\n---\n\nText.\n'
  await writeFile(join(folder, 'blog/one.md'), post)
  await writeFile(join(folder, 'blog/two.md'), '---\ntype: article\n---\n# Two\n')
  await writeFile(join(folder, 'blog/three.md'), '---\ntitle: Three\ntype: article\nguid: mine\n---\n')
  await writeFile(join(folder, 'about.md'), '# About\n')
  const run = async (...more: string[]) => {
    const { code, out } = await startCommand(['feeds', 'pin', folder, '--json', ...more]).ended
    expect(code).toBe(0)
    return JSON.parse(out)
  }
  const guid = 'tag:walks.example.com,2024-03-10:/blog/one'
  expect((await run('--dry-run')).pinned).toContainEqual({ file: 'blog/one.md', guid })
  expect(await readFile(join(folder, 'blog/one.md'), 'utf8')).toBe(post)

  expect((await run()).pinned.map(({ file }: { file: string }) => file)).toEqual([
    'blog/one.md',
    'blog/two.md',
  ])
  expect(await readFile(join(folder, 'blog/one.md'), 'utf8')).toBe(
    `---\ntitle: One # the first\ntype: article\npublish_date: 2024-03-10\nguid: ${guid}\n---\n\nText.\n`,
  )
  expect(await readFile(join(folder, 'blog/two.md'), 'utf8')).toBe(
    '---\ntype: article\nguid: tag:walks.example.com,2000-01-01:/blog/two\n---\n# Two\n',
  )
  expect(await run()).toMatchObject({ ok: true, pinned: [] })
})

test('feeds pin changes nothing in a folder with an error', async () => {
  const folder = await temporaryFolder()
  await writeFile(join(folder, 'site.yaml'), 'name: Walks\n')
  await writeFile(join(folder, 'one.md'), '---\ntype: article\n---\nText.\n')
  await writeFile(join(folder, 'two.md'), '---\ntype: nonsense\n---\nText.\n')
  expect((await startCommand(['feeds', 'pin', folder]).ended).code).toBe(1)
  expect(await readFile(join(folder, 'one.md'), 'utf8')).not.toContain('guid')
})
