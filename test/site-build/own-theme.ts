import { join } from 'node:path'
import { createInProcessRenderer } from '../../src/renderer/in-process.ts'
import { oneByOne } from '../../src/site-build/recording-renderer.ts'
import { loadThemes } from '../../src/theme/load-theme.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { writeFiles } from '../support/written-files.ts'
import { FOLDERS } from '../theme/load-built-in.ts'

/** A renderer with a theme `mine` that extends `default` and consists of these files. */
export async function rendererWith(files: Readonly<Record<string, unknown>>) {
  const folder = join(await temporaryFolder(), 'mine')
  await writeFiles(folder, { 'theme.json': { extends: 'default' }, ...files })
  const themes = await loadThemes({ ...FOLDERS, custom: [folder] })
  return oneByOne(createInProcessRenderer(themes), () => 0)
}
