import { renameSync } from 'node:fs'
import { mkdir, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Artifact } from '../../src/domain/artifact.ts'
import type { Runner, TimingRenderer } from '../../src/renderer/renderer.ts'
import { createSpool, withBody } from '../../src/renderer/spilled-artifacts.ts'
import type { Spool } from '../../src/site-build/recording-renderer.ts'
import {
  createIndexBeside,
  type IndexAsked,
  type IndexBeside,
  type IndexTold,
} from '../../src/site-build/search/index-beside.ts'
import { indexInThread } from '../../src/site-build/search/index-in-thread.ts'
import { createTextSpool } from '../../src/site-build/spill/spill-file.ts'
import type { SpoolFolder } from '../../src/site-build/spill/spill-folder.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { filesBeneath } from './files-beneath.ts'
import { NOTES, plainRenderer, workplace } from './workplace.ts'

/** Leaves its pages in a folder, as that of a first build does. */
async function spooling(indexBeside: (spool: SpoolFolder) => IndexBeside | null = () => null) {
  const folder = await temporaryFolder()
  const beside = await temporaryFolder()
  const spooled = createSpool(folder)
  const leave = (artifact: Artifact) => withBody(spooled(artifact), folder)
  const places = { texts: join(beside, 'texts'), words: join(beside, 'words'), index: join(beside, 'index') }
  await mkdir(places.index)
  const texts = createTextSpool(places.texts)
  onTestFinished(() => texts.close())
  const besides = createSpool(beside, ['listing', 'index', 'manifest'])
  const leaveBeside = (artifact: Artifact) => withBody(besides(artifact), beside)
  const made = { folder, beside, texts, places }
  const spool: Spool = { ...made, leave, leaveBeside, indexBeside: indexBeside(made) }
  const renderer: TimingRenderer = {
    ...plainRenderer,
    async renderPage(live) {
      const page = await plainRenderer.renderPage(live)
      return { ...page, artifacts: page.artifacts.map(leave) }
    },
  }
  return { spool, folder, renderer }
}

async function filesIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map(({ name, parentPath }) => join(parentPath, name))
}

describe('pages that lie in files until they are written', () => {
  // Beside what lies in static too.
  const files = { ...NOTES, 'static/docs/a/note.txt': 'Mine.' }

  test('come out as others do', async () => {
    const { spool, folder, renderer } = await spooling()
    const [kept, plain] = [await workplace(files), await workplace(files)]
    await kept.build({ spool, renderer })
    await plain.build()
    expect(await filesBeneath(kept.out)).toEqual(await filesBeneath(plain.out))
    expect(await filesIn(folder)).toEqual([])
    // And so does what the next build goes by, to the byte.
    const ofState = async (out: string) => filesBeneath(join(out, '.quoin'))
    expect((await ofState(kept.out)).size).toBeGreaterThan(3)
    expect(await ofState(kept.out)).toEqual(await ofState(plain.out))
    expect(await kept.build()).toMatchObject({ files: { written: 0 } })
  })

  test('are moved without what was spooled and is not to be written', async () => {
    const { spool, folder, renderer } = await spooling()
    const left = new Set<string>()
    const another: TimingRenderer = {
      ...renderer,
      async renderPage(live) {
        const page = await renderer.renderPage(live)
        const first = page.artifacts.find(({ stage }) => stage === 'page') as Artifact
        const { key, stage, owner, body } = first
        left.add(join(folder, key))
        // The last one at a key is the one that counts.
        return { ...page, artifacts: [...page.artifacts, { key, stage, owner, body }] }
      },
    }
    const [kept, plain] = [await workplace(files), await workplace(files)]
    await kept.build({ spool, renderer: another })
    await plain.build()
    expect(await filesBeneath(kept.out)).toEqual(await filesBeneath(plain.out))
    expect(new Set(await filesIn(folder))).toEqual(left)
  })
})

describe('the search index that another thread makes', () => {
  /** What passes between two threads is copied. */
  const copied = (answer: (asked: IndexAsked) => IndexTold): Errand => {
    return async (asked) => structuredClone(answer(structuredClone(asked) as IndexAsked))
  }
  type Errand = Runner['errand']
  const running = (errandIn: (spool: SpoolFolder) => Errand, changed: Partial<SpoolFolder['texts']> = {}) => {
    const dismissed: string[] = []
    const asked: unknown[] = []
    const indexBeside = (spool: SpoolFolder) => {
      const run = errandIn(spool)
      const errand = (it: unknown) => {
        asked.push(it)
        return run(it)
      }
      const dismiss = () => void dismissed.push('it')
      return createIndexBeside({ ...spool, texts: { ...spool.texts, ...changed } }, { errand, dismiss })
    }
    return { indexBeside, dismissed, asked }
  }
  const pages = Object.fromEntries(
    Array.from({ length: 150 }, (_, n) => [
      `docs/p${(n * 7) % 150}.md`,
      `---\ntitle: Page ${n}\n---\n\nWord${n} of ${n % 9} words.\n`,
    ]),
  )

  test('is the one that is made here, in the same files', async () => {
    const { indexBeside, dismissed, asked } = running(() => copied(indexInThread()))
    const { spool, folder, renderer } = await spooling(indexBeside)
    const [kept, plain] = [await workplace({ ...NOTES, ...pages }), await workplace({ ...NOTES, ...pages })]
    await kept.build({ spool, renderer })
    await plain.build()
    const files = await filesBeneath(kept.out)
    expect([...files.keys()].filter((key) => key.startsWith('_search/')).length).toBeGreaterThan(2)
    expect(files).toEqual(await filesBeneath(plain.out))
    expect(await filesIn(folder)).toEqual([])
    expect(dismissed).toEqual(['it'])
    expect(asked.at(-1)).toBe('index')
    expect(asked.length).toBeGreaterThan(4)
  })

  test('is made here where the system refuses it there, and left out of it', async () => {
    const refusals: Readonly<Record<string, ReturnType<typeof running>>> = {
      'texts cannot be read': running(({ places }) => {
        const answer = indexInThread()
        const elsewhere = { ...places, texts: `${places.texts}-not` }
        return copied((asked) => answer(Object.hasOwn(Object(asked), 'texts') ? elsewhere : asked))
      }),
      'files cannot be moved': running(({ places }) => {
        const answer = indexInThread()
        return copied((asked) => {
          const told = answer(asked)
          if (asked === 'index') renameSync(join(places.index, '_search'), join(places.index, 'elsewhere'))
          return told
        })
      }),
      'texts cannot be written': running(() => copied(indexInThread()), { flush: () => false }),
    }
    const plain = await workplace({ ...NOTES, ...pages })
    await plain.build()
    for (const [refused, { indexBeside, dismissed }] of Object.entries(refusals)) {
      const { spool, renderer } = await spooling(indexBeside)
      const kept = await workplace({ ...NOTES, ...pages })
      await kept.build({ spool, renderer })
      expect(await filesBeneath(kept.out), refused).toEqual(await filesBeneath(plain.out))
      expect(dismissed, refused).toEqual(['it'])
    }
  })

  test('is not asked for where a page stayed in memory', async () => {
    const { indexBeside, dismissed, asked } = running(() => copied(indexInThread()))
    const { spool } = await spooling(indexBeside)
    spool.indexBeside?.note(spool.texts.put('A page.'))
    spool.indexBeside?.note(null)
    expect(await spool.indexBeside?.made()).toBeNull()
    expect(asked).toHaveLength(1)
    expect(dismissed).toEqual(['it'])
  })

  test('breaks the build off where its thread is gone', async () => {
    const { indexBeside } = running(() => async () => {
      throw new Error('It is gone.')
    })
    const { spool, renderer } = await spooling(indexBeside)
    const { build, out } = await workplace({ ...NOTES, ...pages })
    await expect(build({ spool, renderer })).rejects.toThrow('It is gone.')
    expect(await filesBeneath(out)).toEqual(new Map())
  })
})

describe('a spool', () => {
  const artifact = (key: string, text: string): Artifact => ({
    ...{ key, stage: 'page', body: Buffer.from(text), owner: { kind: 'page', id: 'x' } },
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
