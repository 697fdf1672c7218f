import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Artifact } from '../../src/domain/artifact.ts'
import type { TimingRenderer } from '../../src/renderer/renderer.ts'
import { createSpool, withBody } from '../../src/renderer/spilled-artifacts.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { filesBeneath } from './files-beneath.ts'
import { NOTES, plainRenderer, workplace } from './workplace.ts'

/** A renderer that leaves the files of its pages in a folder, as the threads of a first build do. */
async function spooling() {
  const spool = await temporaryFolder()
  const spooled = createSpool(spool)
  const renderer: TimingRenderer = {
    ...plainRenderer,
    async renderPage(live) {
      const page = await plainRenderer.renderPage(live)
      return { ...page, artifacts: page.artifacts.map((artifact) => withBody(spooled(artifact), spool)) }
    },
  }
  return { spool, renderer }
}

async function filesIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map(({ name, parentPath }) => join(parentPath, name))
}

describe('pages that lie in files until they are written', () => {
  // Beside what lies in static too.
  const files = { ...NOTES, 'static/docs/a/note.txt': 'Mine.' }

  test('come out as others do', async () => {
    const { spool, renderer } = await spooling()
    const [kept, plain] = [await workplace(files), await workplace(files)]
    await kept.build({ spool, renderer })
    await plain.build()
    expect(await filesBeneath(kept.out)).toEqual(await filesBeneath(plain.out))
    expect(await filesIn(spool)).toEqual([])
    // And so does what the next build goes by, to the byte.
    const ofState = async (out: string) => filesBeneath(join(out, '.quoin'))
    expect((await ofState(kept.out)).size).toBeGreaterThan(3)
    expect(await ofState(kept.out)).toEqual(await ofState(plain.out))
    expect(await kept.build()).toMatchObject({ files: { written: 0 } })
  })

  test('are moved without what was spooled and is not to be written', async () => {
    const { spool, renderer } = await spooling()
    const left = new Set<string>()
    const another: TimingRenderer = {
      ...renderer,
      async renderPage(live) {
        const page = await renderer.renderPage(live)
        const first = page.artifacts.find(({ stage }) => stage === 'page') as Artifact
        const { key, stage, owner, body } = first
        left.add(join(spool, key))
        // The last one at a key is the one that counts.
        return { ...page, artifacts: [...page.artifacts, { key, stage, owner, body }] }
      },
    }
    const [kept, plain] = [await workplace(files), await workplace(files)]
    await kept.build({ spool, renderer: another })
    await plain.build()
    expect(await filesBeneath(kept.out)).toEqual(await filesBeneath(plain.out))
    expect(new Set(await filesIn(spool))).toEqual(left)
  })
})

describe('a spool', () => {
  const artifact = (key: string, text: string): Artifact => ({
    key,
    stage: 'page',
    body: Buffer.from(text),
    owner: { kind: 'page', id: 'x' },
  })

  test('never writes over what lies in it, nor beside it', async () => {
    const folder = await temporaryFolder()
    const [one, other] = [createSpool(folder), createSpool(folder)]
    expect(one(artifact('a/b.html', 'one')).spooled).toBeDefined()
    expect(other(artifact('a/b.html', 'other')).spooled).toBeUndefined()
    expect(await readFile(join(folder, 'a/b.html'), 'utf8')).toBe('one')
    expect(one(artifact('../c.html', 'out')).spooled).toBeUndefined()
    expect(other(artifact('a/d.html', 'other')).spooled).toBeDefined()
    expect([...(await filesIn(folder))].sort()).toEqual(
      ['a/b.html', 'a/d.html'].map((key) => join(folder, key)),
    )
  })
})
