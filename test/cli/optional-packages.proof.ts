import { readFile, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { PACKAGE_ROOT } from '../../src/platform/package-paths.ts'
import { startCommand } from '../support/command.ts'
import { installationWithout } from '../support/installation.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { writeFiles } from '../support/written-files.ts'

test('a diagram is drawn by the first build after its package was installed, and reported with its line before', async () => {
  const { program, folder: installed, remove } = await installationWithout('beautiful-mermaid')
  const folder = await temporaryFolder()
  await writeFiles(folder, {
    'site/site.yaml': 'name: Trains\n',
    'site/index.md': '---\ntitle: Home\n---\nText.\n\n```mermaid\nflowchart LR\n  A --> B\n```\n',
  })
  const out = join(folder, 'dist')
  const build = async () => {
    const args = ['build', join(folder, 'site'), '--out', out, '--json']
    const { diagnostics } = JSON.parse((await startCommand(args, {}, program).ended).out)
    const html = await readFile(join(out, 'index.html'), 'utf8')
    return { diagrams: html.split('class="diagram"').length - 1, diagnostics }
  }
  try {
    const first = await build()
    expect(first).toMatchObject({ diagrams: 0, diagnostics: [{ code: 'QN-BAD-DIAGRAM', line: 6 }] })
    expect(first.diagnostics[0].message).toMatch(/^The diagram "flowchart LR" is shown as its source/)
    await symlink(
      join(PACKAGE_ROOT, 'node_modules/beautiful-mermaid'),
      join(installed, 'node_modules/beautiful-mermaid'),
    )
    expect(await build()).toEqual({ diagrams: 1, diagnostics: [] })
  } finally {
    await remove()
  }
})
