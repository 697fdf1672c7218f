import { mkdir, rm, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createInProcessImages } from '../../src/images/in-process.ts'
import { createInProcessRenderer } from '../../src/renderer/in-process.ts'
import { newMasterKey, parseMasterKey } from '../../src/secrets/master-key.ts'
import { type BuildPorts, type BuildReport, buildSite, type Edits } from '../../src/site-build/build-site.ts'
import { oneByOne } from '../../src/site-build/recording-renderer.ts'
import { createLocalFolderStorage } from '../../src/storage/local-folder.ts'
import { loadThemes } from '../../src/theme/load-theme.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const themes = await loadThemes({ themes: join(root, 'themes'), templates: join(root, 'themes/_shared') })

export const plainRenderer = oneByOne(createInProcessRenderer(themes), () => 0)

export const NOTES = {
  'site.yaml': 'name: Notes\nurl: https://notes.example\n',
  'index.yaml': 'title: Home\nsections:\n  - type: hero\n    title: Hello\n',
  'docs/a.md': '---\ntitle: A\n---\nTo [B](/docs/b).\n',
  'docs/b.md': '---\ntitle: B\n---\nText.\n',
  'blog/one.md': '---\ntitle: One\ntype: article\npublish_date: 2026-01-02\n---\nText.\n',
  'static/images/dot.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
}

/**
 * Creates a content folder with these files, and returns functions that edit it and build it.
 *
 * @param future whether articles with a date in the future are built.
 */
export async function temporarySite(files: Readonly<Record<string, string>> = NOTES, future = true) {
  const parent = await temporaryFolder()
  const folder = join(parent, 'site')
  const out = join(parent, 'dist')
  const put = async (name: string, text: string) => {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), text)
    // The date of a file is that of its page: two folders with the same files are the same site.
    const edited = new Date(Date.UTC(2025, 0, 1 + (text.length % 300)))
    await utimes(join(folder, name), edited, edited)
  }
  for (const [name, text] of Object.entries(files)) await put(name, text)

  let day = 0
  const run = (
    ports: Partial<BuildPorts> = {},
    drafts = false,
    contentKey: Uint8Array | null = null,
    since: Edits | null = null,
    origin: string | null = null,
    damaged: readonly string[] | null = [],
    recorded: () => readonly string[] = () => [],
  ) =>
    buildSite(
      { folder, out, theme: null, origin, drafts, future, contentKey },
      {
        renderer: plainRenderer,
        storage: createLocalFolderStorage({ root: out, sync: false }),
        masterKey: parseMasterKey(newMasterKey()),
        spillFolder: null,
        images: () => createInProcessImages(null),
        engine: 'test',
        now: () => new Date(Date.UTC(2026, 0, 1 + day++)).toISOString(),
        onRendered: () => {},
        ...ports,
      },
      since,
      damaged,
      recorded,
    )
  const build = async (...options: Parameters<typeof run>): Promise<BuildReport> => {
    const result = await run(...options)
    if ('errors' in result) throw new Error(JSON.stringify(result.errors))
    return result.report
  }
  return { folder, out, put, drop: (name: string) => rm(join(folder, name)), run, build }
}
