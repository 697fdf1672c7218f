import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import type { Id } from '../../src/domain/ids.ts'
import { PACKAGE_ROOT } from '../../src/platform/package-paths.ts'
import { createRendererPool } from '../../src/renderer/pool.ts'
import { loadThemes } from '../../src/theme/load-theme.ts'
import { livePage } from '../support/live-page.ts'
import { LONG_FORM } from '../support/long-form.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const folders = { themes: join(PACKAGE_ROOT, 'themes'), templates: join(PACKAGE_ROOT, 'themes/_shared') }

/** Takes either parser several seconds. */
const COSTLY = '[^1]: a\n'.repeat(60_000)

/** A child program that does not start as long as a file exists next to it. */
async function childThatMayWait() {
  const folder = await temporaryFolder()
  const [entry, wait] = [join(folder, 'child.mjs'), join(folder, 'wait')]
  const child = pathToFileURL(join(PACKAGE_ROOT, 'dist/renderer/child.js'))
  await writeFile(
    entry,
    `import { existsSync } from 'node:fs'
     while (existsSync(${JSON.stringify(wait)})) await new Promise((resolve) => setTimeout(resolve, 20))
     await import('${child}')`,
  )
  return { entry, hold: () => writeFile(wait, ''), letGo: () => rm(wait) }
}

test.runIf(LONG_FORM)('only the project whose page ended a child waits for a fresh child', async () => {
  const { entry, hold, letGo } = await childThatMayWait()
  const limits = { cpuMs: 150, wallMs: 60_000, memory: 512 * 2 ** 20 }
  const pool = createRendererPool({ themes: await loadThemes(folders), folders, entry, size: 2, limits })
  onTestFinished(() => pool.close())
  const render = (project: string, markdown: string) => {
    const projectId = `proj${project.repeat(12)}` as Id<'proj'>
    return pool.renderPage(livePage({ page: { type: 'article', projectId, markdown } }))
  }
  await Promise.all([render('a', 'Warm.'), render('b', 'Warm.')])

  await expect(render('a', COSTLY)).rejects.toThrow('too complex')
  await hold()
  const order: string[] = []
  const own = render('a', 'Ordinary.').then(() => order.push('a'))
  await render('b', 'Ordinary.').then(() => order.push('b'))
  await letGo()
  await own
  expect(order).toEqual(['b', 'a'])
})
