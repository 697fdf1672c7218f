import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createContext, runInContext } from 'node:vm'
import { afterAll } from 'vitest'
import { createInProcessImages } from '../../../src/images/in-process.ts'
import { newMasterKey, parseMasterKey } from '../../../src/secrets/master-key.ts'
import { buildSite } from '../../../src/site-build/build-site.ts'
import { createLocalFolderStorage } from '../../../src/storage/local-folder.ts'
import { loadThemes } from '../../../src/theme/load-theme.ts'
import type { ThemeAsset } from '../../../src/theme/theme.ts'
import { createFinder } from '../../../themes/_shared/scripts/search/find.js'
import { plainRenderer } from '../../site-build/temporary-site.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const themes = await loadThemes({ themes: join(root, 'themes'), templates: join(root, 'themes/_shared') })

/** The function that browsers load for a language. */
function stemIn(language: string): ((word: string) => string) | undefined {
  const script = themes.get('default')?.stemmer(language)
  if (script === undefined || script === null) return undefined
  const context = createContext({})
  runInContext(Buffer.from(script.body).toString(), context)
  return context['quoinStem']
}

export function searchScript(): ThemeAsset {
  const theme = themes.get('default')
  if (theme === undefined) throw new Error('There is no default theme.')
  return theme.assets.search
}

/** Searches the files of a built site as a reader of a page in a language does. */
export function reader(out: string, language: string) {
  const load = async (name: string) => JSON.parse(await readFile(join(out, name), 'utf8'))
  const stem = stemIn(language)
  return createFinder(load, { language, ...(stem !== undefined && { stem }) })
}

/** An empty folder until the tests of the file have ended. Call it in `beforeAll`. */
export async function suiteFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'quoin-search-'))
  folders.push(folder)
  return folder
}

const folders: string[] = []
afterAll(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true })
})

/** Builds a content folder. @returns the output folder. */
export async function built(folder: string): Promise<string> {
  const out = join(await suiteFolder(), 'dist')
  const result = await buildSite(
    { folder, out, theme: null, origin: null, drafts: false, contentKey: null },
    {
      renderer: plainRenderer,
      storage: createLocalFolderStorage({ root: out, sync: false }),
      masterKey: parseMasterKey(newMasterKey()),
      spillFolder: null,
      images: () => createInProcessImages(null),
      engine: 'test',
      now: () => '2026-01-01T00:00:00.000Z',
      onRendered: () => {},
    },
    null,
  )
  if ('errors' in result) throw new Error(JSON.stringify(result.errors))
  return out
}

export const DOCS = join(root, 'templates/docs-site')
