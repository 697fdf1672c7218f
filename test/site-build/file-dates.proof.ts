import { execFileSync } from 'node:child_process'
import { mkdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { siteIgnoreRules } from '../../src/content-folder/list-files.ts'
import { fileDates } from '../../src/site-build/file-dates.ts'
import { detectChanges } from '../../src/site-build/incremental/change-detection.ts'
import { gitHead } from '../../src/site-build/incremental/git-head.ts'
import { buildIncrementally } from '../../src/site-build/incremental/incremental-build.ts'
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
    await mkdir(dirname(join(folder, name)), { recursive: true })
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

/** A `git` first in `PATH` that notes what it is asked, until the test ends. */
async function askedOfGit(): Promise<() => Promise<readonly string[]>> {
  const bin = await temporaryFolder()
  const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim()
  const script = `#!/bin/sh\necho "$*" >> ${bin}/asked\nexec ${real} "$@"\n`
  await writeFile(join(bin, 'git'), script, { mode: 0o755 })
  vi.stubEnv('PATH', `${bin}:${process.env['PATH']}`)
  onTestFinished(() => void vi.unstubAllEnvs())
  return async () => (await readFile(join(bin, 'asked'), 'utf8').catch(() => '')).split('\n').slice(0, -1)
}

test('the history of a repository is not read for files that are not committed as they are', async () => {
  const { folder, put } = await repository()
  await put('docs/c.md', 'Three')
  await put('new/deep/n.md', 'New')
  const asked = await askedOfGit()
  const datesOf = fileDates(folder)
  for (const source of ['docs/c.md', 'new/deep/n.md'])
    expect(datesOf(source).edited, source).toBe(OWN.toISOString())
  expect((await asked()).filter((words) => words.includes(' log '))).toEqual([])
  expect(datesOf('docs/ä b.md').edited).toBe('2024-03-11T04:30:00.000Z')
  expect((await asked()).filter((words) => words.includes(' log '))).toHaveLength(1)
})

test.each([
  ['a commit', (_: string) => {}],
  ['a commit whose branch is packed', (folder: string) => git(folder, SECOND, 'pack-refs', '--all')],
  ['a commit without a branch', (folder: string) => git(folder, SECOND, 'checkout', '-q', '--detach')],
])('after %s alone, a build writes the date of the commit', async (_, then) => {
  const { folder, out, run } = await temporarySite()
  const build = () =>
    buildIncrementally(
      detectChanges(
        { content: folder, ignored: siteIgnoreRules(folder), themes: [], request: 1, out },
        Date.now() + 10_000,
      ),
      out,
      '2026-01-01T00:00:00.000Z',
      (since) => run({}, false, null, since),
    )
  git(folder, FIRST, 'init', '-q')
  git(folder, FIRST, 'add', '.')
  git(folder, FIRST, 'commit', '-qm', 'One')
  await writeFile(join(folder, 'docs/a.md'), '---\ntitle: A\n---\nOther words.\n')
  await utimes(join(folder, 'docs/a.md'), OWN, OWN)
  await build()
  const lastmod = async () =>
    /docs\/a\/<\/loc><lastmod>(.*?)</.exec((await readSiteFiles(out)).get('sitemap.xml') ?? '')?.[1]
  expect(await lastmod()).toBe('2025-01-02')
  git(folder, SECOND, 'commit', '-qam', 'Two')
  then(folder)
  await build()
  expect(await lastmod()).toBe('2024-05-01')
  expect(await build()).toMatchObject({ report: { pages: { rendered: 0 }, files: { written: 0 } } })
})

test('a linked working tree has the commit of its own branch', async () => {
  const { parent } = await repository()
  const tree = join(await temporaryFolder(), 'tree')
  git(parent, FIRST, 'worktree', 'add', '-q', '-b', 'other', tree)
  const site = join(tree, 'site')
  const [before, main] = [gitHead(site), gitHead(join(parent, 'site'))]
  await writeFile(join(site, 'docs/c.md'), 'Three')
  git(tree, SECOND, 'commit', '-qam', 'Three')
  expect(before).not.toBeNull()
  expect(gitHead(site)).not.toBe(before)
  expect(gitHead(join(parent, 'site'))).toBe(main)
  expect(gitHead(await temporaryFolder())).toBeNull()
})
