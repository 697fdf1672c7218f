import { execFileSync } from 'node:child_process'
import { mkdir, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { fileDates } from '../../src/site-build/file-dates.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { readSiteFiles } from './read-site-files.ts'
import { temporarySite } from './temporary-site.ts'

function git(folder: string, date: string, ...args: readonly string[]): void {
  const identity = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', '-c', 'commit.gpgsign=false']
  execFileSync('git', [...identity, ...args], {
    cwd: folder,
    env: { ...process.env, GIT_COMMITTER_DATE: date, GIT_AUTHOR_DATE: date },
    stdio: 'ignore',
  })
}

const FIRST = '2024-03-10T23:30:00-05:00'
const SECOND = '2024-05-01T08:00:00Z'
const OWN = new Date('2025-01-02T03:04:05.000Z')

/** A content folder in a repository, with two commits. */
async function repository() {
  const parent = await temporaryFolder()
  const folder = join(parent, 'site')
  const put = async (name: string, text: string) => {
    await mkdir(join(folder, 'docs'), { recursive: true })
    await writeFile(join(folder, name), text)
    await utimes(join(folder, name), OWN, OWN)
  }
  git(parent, FIRST, 'init', '-q')
  await put('docs/ä b.md', 'One')
  await put('docs/c.md', 'One')
  git(parent, FIRST, 'add', '.')
  git(parent, FIRST, 'commit', '-qm', 'One')
  await put('docs/c.md', 'Two, longer')
  git(parent, SECOND, 'commit', '-qam', 'Two')
  return { parent, folder, put }
}

test('a committed file has the dates of its first and its last commit', async () => {
  const { folder } = await repository()
  const datesOf = fileDates(folder)
  const first = '2024-03-11T04:30:00.000Z'
  expect(datesOf('docs/ä b.md')).toEqual({ created: first, edited: first })
  expect(datesOf('docs/c.md')).toEqual({ created: first, edited: '2024-05-01T08:00:00.000Z' })
})

test('a file with changes that are not committed, a new file and a file in a shallow clone have their own time', async () => {
  const { parent, folder, put } = await repository()
  await put('docs/c.md', 'Three')
  await put('docs/new.md', 'One')
  const datesOf = fileDates(folder)
  expect(datesOf('docs/c.md').edited).toBe(OWN.toISOString())
  expect(datesOf('docs/new.md').edited).toBe(OWN.toISOString())

  const clone = join(await temporaryFolder(), 'clone')
  git(parent, SECOND, 'clone', '-q', '--depth', '1', `file://${parent}`, clone)
  await utimes(join(clone, 'site/docs/c.md'), OWN, OWN)
  expect(fileDates(join(clone, 'site'))('docs/c.md').edited).toBe(OWN.toISOString())
})

test('two builds into new folders write the same bytes, whenever they run', async () => {
  const { out, build } = await temporarySite({
    'site.yaml': 'name: Notes\nurl: https://notes.example\ntypes:\n  blog: article\n',
    'blog/undated.md': '---\ntitle: Without a date\n---\nx\n',
    'blog/dated.md': '---\ntitle: With a date\npublish_date: 2024-01-01\n---\nx\n',
    'docs/d.md': '---\ntitle: Doc\n---\nx\n',
  })
  await build()
  const files = await readSiteFiles(out)
  await rm(out, { recursive: true })
  await build()
  expect([...(await readSiteFiles(out))]).toEqual([...files])
  expect(files.get('sitemap.xml')).toMatch(/docs\/d\/<\/loc><lastmod>2025-\d\d-\d\d</)
})

test('a file that is touched has another date in the sitemap after the next build', async () => {
  const { folder, out, build } = await temporarySite()
  await build()
  await utimes(join(folder, 'docs/a.md'), OWN, OWN)
  await build()
  expect((await readSiteFiles(out)).get('sitemap.xml')).toContain(
    'docs/a/</loc><lastmod>2025-01-02</lastmod>',
  )
})
