import { mkdir, readFile, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sha256 } from '../../../src/publish/pipeline/plan.ts'
import {
  NO_DIGESTS,
  readAssetBodies,
  readFileDigests,
  storeFileDigests,
} from '../../../src/site-build/state/file-digests.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const ASSETS = [
  { path: 'intro.mp4', source: 'static/intro.mp4', namedBy: null },
  { path: 'photo.jpg', source: 'photo.jpg', namedBy: ['a.md'] },
]

test('a file with a known fingerprint is not read', async () => {
  const { folder, out } = await filesIn()
  const first = await readAssetBodies(ASSETS, { folder, known: NO_DIGESTS, now: later() })
  expect([...first.digests.keys()]).toEqual(['static/intro.mp4', 'photo.jpg'])
  await storeFileDigests(out, first.digests)
  // No bytes have this digest, so that it can only be the stored one.
  const stored = [...readFileDigests(out)].map(
    ([source, known]) => [source, { ...known, digest: 'stored' }] as const,
  )
  const second = await readAssetBodies(ASSETS, { folder, known: new Map(stored), now: later() })
  expect(second.bodies.get('photo.jpg')).toMatchObject({ digest: 'stored', size: 5 })
  expect((await second.bodies.get('intro.mp4')?.open().toArray())?.join('')).toBe('A video.')
})

test('a file that was replaced by one of the same size and date is read again', async () => {
  const { folder } = await filesIn()
  const { digests: known } = await readAssetBodies(ASSETS, { folder, known: NO_DIGESTS, now: later() })
  const file = join(folder, 'photo.jpg')
  const { atime, mtime } = await stat(file)
  await writeFile(file, 'other')
  await utimes(file, atime, mtime)
  const { bodies } = await readAssetBodies(ASSETS, { folder, known, now: later() })
  expect(bodies.get('photo.jpg')?.digest).toBe(sha256('other'))
})

test('a file that changed a moment ago has no known digest: it may change once more at the same time', async () => {
  const { folder } = await filesIn()
  const read = await readAssetBodies(ASSETS, { folder, known: NO_DIGESTS, now: Date.now() })
  expect(read.digests.size).toBe(0)
  expect(read.bodies.size).toBe(2)
})

test('a link in place of a known file is refused', async () => {
  const { folder } = await filesIn()
  const { digests: known } = await readAssetBodies(ASSETS, { folder, known: NO_DIGESTS, now: later() })
  await symlink('photo.jpg', join(folder, 'link.jpg'))
  const linked = [{ path: 'photo.jpg', source: 'link.jpg', namedBy: null }]
  await expect(readAssetBodies(linked, { folder, known, now: later() })).rejects.toThrow('ELOOP')
})

test('stored digests that are cut off or of another version are not used', async () => {
  const { folder, out } = await filesIn()
  const { digests } = await readAssetBodies(ASSETS, { folder, known: NO_DIGESTS, now: later() })
  await storeFileDigests(out, digests)
  const file = join(out, '.quoin/digests.json')
  const text = await readFile(file, 'utf8')
  for (const broken of [text.slice(0, -9), text.replace('"version":1', '"version":0'), '', 'null', '{}']) {
    await writeFile(file, broken)
    expect(readFileDigests(out)).toEqual(NO_DIGESTS)
  }
})

/** Fingerprints of files that exist now are certain then. */
function later(): number {
  return Date.now() + 10_000
}

async function filesIn() {
  const parent = await temporaryFolder()
  const folder = join(parent, 'site')
  const out = join(parent, 'dist')
  await mkdir(join(folder, 'static'), { recursive: true })
  await mkdir(join(out, '.quoin'), { recursive: true })
  await writeFile(join(folder, 'static/intro.mp4'), 'A video.')
  await writeFile(join(folder, 'photo.jpg'), 'photo')
  return { folder, out }
}
