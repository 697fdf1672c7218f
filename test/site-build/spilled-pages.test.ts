import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Artifact } from '../../src/domain/artifact.ts'
import type { TimingRenderer } from '../../src/renderer/renderer.ts'
import { createSpill } from '../../src/renderer/spilled-artifacts.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { readSiteFiles } from './read-site-files.ts'
import { NOTES, plainRenderer, temporarySite } from './temporary-site.ts'

/** A renderer that spills its pages, as the render threads of a cold build do. */
async function spilling() {
  const spillFolder = await temporaryFolder()
  const spill = createSpill(spillFolder)
  const renderer: TimingRenderer = {
    ...plainRenderer,
    async renderPage(live) {
      const page = await plainRenderer.renderPage(live)
      return { ...page, artifacts: page.artifacts.map(spill) }
    },
  }
  return { spillFolder, renderer }
}

async function filesIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map(({ name, parentPath }) => join(parentPath, name))
}

describe('spilled pages', () => {
  // One file of `static/` is in the folder of a page.
  const files = { ...NOTES, 'static/docs/a/note.txt': 'Mine.' }

  test('become the same files and the same build state as pages in memory', async () => {
    const { spillFolder, renderer } = await spilling()
    const [spilled, plain] = [await temporarySite(files), await temporarySite(files)]
    await spilled.build({ spillFolder, renderer })
    await plain.build()
    expect(await readSiteFiles(spilled.out)).toEqual(await readSiteFiles(plain.out))
    expect(await filesIn(spillFolder)).toEqual([])
    const readBuildState = async (out: string) => readSiteFiles(join(out, '.quoin'))
    expect((await readBuildState(spilled.out)).size).toBeGreaterThan(3)
    expect(await readBuildState(spilled.out)).toEqual(await readBuildState(plain.out))
    expect(await spilled.build()).toMatchObject({ files: { written: 0 } })
  })

  test('are moved one by one when the spill folder holds files that the plan does not write', async () => {
    const { spillFolder, renderer } = await spilling()
    const unused = new Set<string>()
    const another: TimingRenderer = {
      ...renderer,
      async renderPage(live) {
        const page = await renderer.renderPage(live)
        const first = page.artifacts.find(({ stage }) => stage === 'page') as Artifact
        const { key, stage, owner } = first
        const body = await readFile(join(spillFolder, key))
        unused.add(join(spillFolder, key))
        // The last artifact with a key is the one that is written.
        return { ...page, artifacts: [...page.artifacts, { key, stage, owner, body }] }
      },
    }
    const [spilled, plain] = [await temporarySite(files), await temporarySite(files)]
    await spilled.build({ spillFolder, renderer: another })
    await plain.build()
    expect(await readSiteFiles(spilled.out)).toEqual(await readSiteFiles(plain.out))
    expect(new Set(await filesIn(spillFolder))).toEqual(unused)
  })
})

describe('createSpill', () => {
  const artifact = (key: string, text: string): Artifact => ({
    key,
    stage: 'page',
    body: Buffer.from(text),
    owner: { kind: 'page', id: 'x' },
  })

  test('does not overwrite files, nor write outside its folder', async () => {
    const folder = await temporaryFolder()
    const [one, other] = [createSpill(folder), createSpill(folder)]
    expect(one(artifact('a/b.html', 'one')).spilled).toBeDefined()
    expect(other(artifact('a/b.html', 'other')).spilled).toBeUndefined()
    expect(await readFile(join(folder, 'a/b.html'), 'utf8')).toBe('one')
    expect(one(artifact('../c.html', 'out')).spilled).toBeUndefined()
    expect(other(artifact('a/d.html', 'other')).spilled).toBeDefined()
    expect([...(await filesIn(folder))].sort()).toEqual(
      ['a/b.html', 'a/d.html'].map((key) => join(folder, key)),
    )
  })
})
