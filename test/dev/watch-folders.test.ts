import { writeFileSync } from 'node:fs'
import { appendFile, mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { watch } from 'chokidar'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { Changes } from '../../src/dev/dev-site.ts'
import { watchFolders } from '../../src/dev/watch-folders.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { writeFiles } from '../support/written-files.ts'

vi.mock('chokidar', async (original) => {
  const chokidar = await original<typeof import('chokidar')>()
  return { ...chokidar, watch: vi.fn(chokidar.watch) }
})

/** The next watcher is ready after `release` only. Returns the number of watchers that were opened since. */
function holdNextWatcher() {
  const open = vi.mocked(watch).getMockImplementation() as typeof watch
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  let opened = 0
  vi.mocked(watch).mockImplementationOnce((...given) => {
    opened += 1
    const watcher = open(...given)
    const once = watcher.once.bind(watcher) as (name: string, listener: () => void) => typeof watcher
    const held = (name: string, listener: () => void) => once(name, () => void released.then(listener))
    watcher.once = held as typeof watcher.once
    return watcher
  })
  return { release: () => release(), opened: () => opened }
}

const pause = () => new Promise((resolve) => setTimeout(resolve, 200))
const eventually = (check: () => void) => vi.waitFor(check, { timeout: 10_000 })

/** Watches a content folder and a folder of themes, and collects the reported batches. */
async function watched(files: Readonly<Record<string, string>> = {}, expectedErrors: readonly Error[] = []) {
  const root = await temporaryFolder()
  const [content, themes] = [join(root, 'site'), join(root, 'themes')]
  await mkdir(content)
  await mkdir(themes)
  await writeFiles(content, files)
  const batches: Changes[] = []
  const onError = vi.fn()
  const watcher = await watchFolders({ content, themes: [themes] }, (batch) => batches.push(batch), onError)
  onTestFinished(() => watcher.close())
  onTestFinished(() => expect(onError.mock.calls).toEqual(expectedErrors.map((error) => [error])))
  const changed = () => new Set(batches.flatMap((batch) => [...batch.content.files]))
  return { content, themes, batches, changed, watcher }
}

test('a new file is reported by its path in the folder, and the list of files is due', async () => {
  const { content, batches, changed } = await watched()
  await writeFiles(content, { 'docs/a.md': 'A' })
  await eventually(() => expect(changed()).toContain('docs/a.md'))
  expect(batches.some(({ content: { isListDue } }) => isListDue)).toBe(true)
  expect(batches.every(({ themes }) => themes.size === 0)).toBe(true)
})

test('an edited file is reported without a new list of files', async () => {
  const { content, batches, changed } = await watched({ 'a.md': 'A' })
  await appendFile(join(content, 'a.md'), ' again')
  await eventually(() => expect(changed()).toEqual(new Set(['a.md'])))
  expect(batches.some(({ content: { isListDue } }) => isListDue)).toBe(false)
})

test('a removed file and a renamed one make the list of files due', async () => {
  const { content, batches, changed } = await watched({ 'a.md': 'A', 'b.md': 'B' })
  await rm(join(content, 'a.md'))
  await rename(join(content, 'b.md'), join(content, 'c.md'))
  await eventually(() => expect(changed()).toEqual(new Set(['a.md', 'b.md', 'c.md'])))
  expect(batches.some(({ content: { isListDue } }) => isListDue)).toBe(true)
})

test('files that are saved together are reported in fewer batches than files', async () => {
  const files = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`page-${n}.md`, 'A']))
  const { content, batches, changed } = await watched(files)
  // At once, however busy the machine is.
  for (const name of Object.keys(files)) writeFileSync(join(content, name), 'B')
  await eventually(() => expect(changed().size).toBe(100))
  expect(batches.length).toBeLessThan(100)
})

test('several writes of one file end in a report after the last one', async () => {
  const { content, batches } = await watched({ 'a.md': 'A' })
  for (let n = 0; n < 10; n += 1) {
    await writeFile(join(content, 'a.md'), `Text ${n}.`)
    await new Promise((resolve) => setTimeout(resolve, 15))
  }
  const before = batches.length
  await eventually(() => expect(batches.length).toBeGreaterThan(before))
  expect(batches.at(-1)?.content.files).toEqual(new Set(['a.md']))
})

test('a file of a theme is reported by its absolute path', async () => {
  const { themes, batches } = await watched()
  const style = join(themes, 'mine', 'style.css')
  await writeFiles(themes, { 'mine/style.css': 'a {}' })
  await eventually(() => expect(new Set(batches.flatMap((batch) => [...batch.themes]))).toContain(style))
  expect(batches.flatMap((batch) => [...batch.content.files])).toEqual([])
})

test('hidden files and folders are not reported', async () => {
  const { content, changed } = await watched()
  await writeFiles(content, { '.git/HEAD': 'x', '.a.md.swp': 'x', 'a.md': 'A' })
  await eventually(() => expect(changed()).toContain('a.md'))
  expect(changed()).toEqual(new Set(['a.md']))
})

test('nothing is reported after the watcher is closed', async () => {
  const { content, batches, watcher } = await watched({ 'a.md': 'A' })
  await writeFile(join(content, 'a.md'), 'B')
  await watcher.close()
  const before = batches.length
  await writeFile(join(content, 'a.md'), 'C')
  await new Promise((resolve) => setTimeout(resolve, 200))
  expect(batches.length).toBe(before)
})

test('files that are left out are not reported, until site.yaml takes them back', async () => {
  const { content, batches, changed } = await watched({
    'site.yaml': 'name: Notes\nignore: [/notes/]\n',
    'notes/old.md': 'A',
    'node_modules/left/README.md': 'A',
  })
  await writeFiles(content, { 'notes/a.md': 'A', 'node_modules/left/b.md': 'B', 'a.md~': 'A', 'b.md': 'B' })
  await eventually(() => expect(changed()).toContain('b.md'))
  expect(changed()).toEqual(new Set(['b.md']))
  await writeFiles(content, { 'site.yaml': 'name: Notes\n' })
  const isListDue = () =>
    batches.some(({ content: { files, isListDue: isDue } }) => isDue && files.has('site.yaml'))
  await eventually(() => expect(isListDue()).toBe(true))
  await appendFile(join(content, 'notes/old.md'), ' again')
  await writeFiles(content, { 'notes/new.md': 'A' })
  await eventually(() =>
    expect([...changed()]).toEqual(expect.arrayContaining(['notes/old.md', 'notes/new.md'])),
  )
  expect([...changed()].filter((file) => file.startsWith('node_modules'))).toEqual([])
})

test('folders that a pattern with a slash at its end takes back are watched', async () => {
  const { content, changed } = await watched({
    'site.yaml': 'name: Notes\nignore: ["/*", "!/docs/", "!/static/"]\n',
    'docs/a.md': 'A',
    'notes/b.md': 'B',
    'static/.well-known/security.txt': 'C',
  })
  for (const file of ['notes/b.md', 'docs/a.md', 'static/.well-known/security.txt'])
    await appendFile(join(content, file), ' again')
  await eventually(() => expect(changed()).toEqual(new Set(['docs/a.md', 'static/.well-known/security.txt'])))
})

test('a folder in place of site.yaml is reported, and the rules of before no longer hold', async () => {
  const { content, batches, changed } = await watched({
    'site.yaml': 'name: Notes\nignore: [/notes/]\n',
    'notes/a.md': 'A',
  })
  await rm(join(content, 'site.yaml'))
  await mkdir(join(content, 'site.yaml'))
  await eventually(() => expect(batches.some(({ content }) => content.isListDue)).toBe(true))
  await new Promise((resolve) => setTimeout(resolve, 200))
  await eventually(async () => {
    await appendFile(join(content, 'notes/a.md'), ' again')
    expect(changed()).toContain('notes/a.md')
  })
})

const IGNORING = { 'site.yaml': 'name: Notes\nignore: [/notes/]\n', 'notes/a.md': 'A' }

test('site.yaml is reported when the files that it takes back are watched, and not before', async () => {
  const { content, batches, changed } = await watched(IGNORING)
  const held = holdNextWatcher()
  await writeFile(join(content, 'site.yaml'), 'name: Notes\n')
  await eventually(() => expect(held.opened()).toBe(1))
  await pause()
  expect(changed()).toEqual(new Set())
  held.release()
  await eventually(() => expect(changed()).toEqual(new Set(['site.yaml'])))
  expect(batches.some(({ content: { isListDue } }) => isListDue)).toBe(true)
  await appendFile(join(content, 'notes/a.md'), ' again')
  await eventually(() => expect(changed()).toContain('notes/a.md'))
})

test('nothing is reported once closing has begun, also while a new watcher is opened', async () => {
  const { content, batches, watcher } = await watched({ ...IGNORING, 'b.md': 'B' })
  const held = holdNextWatcher()
  await writeFile(join(content, 'site.yaml'), 'name: Notes\n')
  await eventually(() => expect(held.opened()).toBe(1))
  const closing = watcher.close()
  await appendFile(join(content, 'b.md'), ' again')
  await pause()
  held.release()
  await closing
  await pause()
  expect(batches).toEqual([])
})

test('a watcher that cannot be opened is reported, and the previous one goes on', async () => {
  const failure = new Error('No watcher.')
  const { content, changed } = await watched({ ...IGNORING, 'b.md': 'B' }, [failure])
  vi.mocked(watch).mockImplementationOnce(() => {
    throw failure
  })
  await writeFile(join(content, 'site.yaml'), 'name: Notes\n')
  await eventually(() => expect(changed()).toEqual(new Set(['site.yaml'])))
  await appendFile(join(content, 'b.md'), ' again')
  await eventually(() => expect(changed()).toContain('b.md'))
  await appendFile(join(content, 'site.yaml'), 'footer_text: Bye\n')
  await pause()
  await appendFile(join(content, 'notes/a.md'), ' again')
  await eventually(() => expect(changed()).toContain('notes/a.md'))
})
