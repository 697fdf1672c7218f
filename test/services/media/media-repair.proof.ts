import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createDatabase } from '../../../src/db/database.ts'
import { migrate } from '../../../src/db/migrate.ts'
import type { Database } from '../../../src/db/repositories.ts'
import { openSqlite } from '../../../src/db/sqlite.ts'
import { newAsset, type OriginalId } from '../../../src/domain/asset.ts'
import type { AssetId, ProjectId } from '../../../src/domain/ids.ts'
import { RECIPE_VERSION, type VariantFormat } from '../../../src/domain/image.ts'
import { PICTURE } from '../../../src/domain/job.ts'
import { originalKey, originalVariantKey } from '../../../src/domain/original-key.ts'
import { createIncomingFiles } from '../../../src/media/incoming-files.ts'
import type { LiveObject } from '../../../src/publish/ledger/live-state.ts'
import { type MediaRepairPorts, verifyMedia } from '../../../src/services/media/media-repair.ts'
import { randomId as newId } from '../../../src/services/new-id.ts'
import { createLocalFolderStorage } from '../../../src/storage/local-folder.ts'
import { createS3Storage } from '../../../src/storage/s3.ts'
import type { Storage } from '../../../src/storage/storage.ts'
import { withEnvironment } from '../../support/environment.ts'
import { insertProject } from '../../support/insert-project.ts'
import { createMemoryStorage } from '../../support/memory-storage.ts'
import { bucketOf, S3_CREDENTIALS, type S3Server, startS3Server } from '../../support/s3-server.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const NOW = '2026-01-02T03:04:05.678Z'

let server: S3Server
let restoreEnvironment: () => void
beforeAll(async () => {
  restoreEnvironment = withEnvironment(S3_CREDENTIALS)
  server = await startS3Server()
})
afterAll(async () => {
  await server.close()
  restoreEnvironment()
})

const STORES: readonly (readonly [string, () => Promise<Storage>])[] = [
  ['a folder', async () => createLocalFolderStorage({ root: await temporaryFolder() })],
  ['a bucket', async () => createS3Storage(bucketOf(server.url()))],
  ['memory', async () => createMemoryStorage()],
]

describe.each(STORES)('the media store in %s', (_, openStore) => {
  test('agrees with the database when it has everything, also what is being stored, derived or removed', async () => {
    const site = await openSite(openStore)
    await site.original('a.jpg')
    await site.original('storing', 'storing')
    const removing = await site.original('removing')
    await site.db.write(({ originals }) => originals.release(removing.id, NOW))
    const deriving = await site.original('deriving.jpg')
    await site.enqueuePicture(deriving.id)
    await site.put(site.variantKey(deriving, 640), 'not recorded yet')
    expect(await site.verify()).toEqual([])
    expect(await site.verify(true)).toEqual([])
  })

  test('has its smaller pictures derived again, and reports a lost upload by its asset until it is sent again', async () => {
    const site = await openSite(openStore)
    const [gone, changed, whole] = [
      await site.original('gone.txt'),
      await site.original('changed.txt'),
      await site.original('whole.jpg'),
    ]
    await site.variant(whole, 320)
    await site.variant(whole, 640)
    await site.mediaStore.delete([site.keyOf(gone), site.variantKey(whole, 320)])
    await site.put(site.keyOf(changed), 'other bytes')
    await site.put(site.variantKey(whole, 640), 'other bytes')
    const found = [
      `altered ${site.keyOf(changed)}`,
      `altered ${site.variantKey(whole, 640)}`,
      `missing ${site.keyOf(gone)}`,
      `missing ${site.variantKey(whole, 320)}`,
    ].sort()
    expect(await site.verify()).toEqual(found)

    const repaired = await site.findings(true)
    expect(repaired.filter((finding) => finding.repaired).map(({ key }) => key)).toEqual([
      site.variantKey(whole, 320),
      site.variantKey(whole, 640),
    ])
    const lost = repaired.filter((finding) => !finding.repaired)
    expect(lost.map(({ message }) => message).join()).toMatch(
      /not in the media store\. It is lost.*Upload the same file again.*ast_\w+ "gone\.txt", shown live by no page/,
    )
    expect(await site.statusOf('gone.txt')).toBe('failed')
    expect(await site.statusOf('whole.jpg')).toBe('ready')
    expect(await site.db.read.assets.storedDigests(site.projectId, [gone.digest, whole.digest])).toEqual(
      new Set([whole.digest]),
    )

    // As the operator does from a backup.
    await site.put(site.keyOf(gone), 'gone.txt')
    await site.put(site.keyOf(changed), 'changed.txt')
    expect(await site.verify(true)).toEqual([])
    expect(await site.statusOf('gone.txt')).toBe('ready')
    expect(await site.verify()).toEqual([])
  })

  test('gets back what the site has published', async () => {
    const site = await openSite(openStore)
    const original = await site.original('a.txt')
    await site.mediaStore.delete([site.keyOf(original)])
    await site.publish('_media/a.1234.txt', 'a.txt')
    expect((await site.findings(true)).map(({ message, repaired }) => [message, repaired])).toEqual([
      [expect.stringContaining('Restored from its published copy'), true],
    ])
    expect(Buffer.from((await site.mediaStore.get(site.keyOf(original))) ?? []).toString()).toBe('a.txt')
  })

  test('is not taken for empty while it cannot be read', async () => {
    const site = await openSite(openStore)
    const original = await site.original('a.txt')
    const broken = {
      ...site.mediaStore,
      open: async () => {
        throw new Error('The store is down.')
      },
    }
    const [finding] = await site.findings(true, { mediaStore: broken })
    expect(finding).toMatchObject({ kind: 'unreadable', repaired: false })
    expect(await site.db.read.originals.isLost(original.id)).toBe(false)
  })

  test('loses nothing to a repair but what can be made again', async () => {
    const site = await openSite(openStore)
    const known = await site.original('a.jpg')
    const twin = { ...known, id: newId<'org'>() as OriginalId }
    const newer = { digest: sha256('newer'), id: newId<'org'>() as OriginalId }
    await site.put(site.variantKey(known, 960), 'a smaller picture without a record')
    await site.put(site.keyOf(twin), 'a.jpg')
    await site.put(site.keyOf(newer), 'newer')
    await site.put(`proj_${site.projectId}/notes.txt`, "the operator's own")
    const removable = [site.keyOf(twin), site.variantKey(known, 960)].sort()
    const kept = [site.keyOf(newer), `proj_${site.projectId}/notes.txt`].sort()
    expect(await site.verify()).toEqual([...removable, ...kept].map((key) => `orphan ${key}`).sort())

    // A backup needs what its copy of the database names.
    await site.verify(true, { isHeld: async () => true })
    expect(await site.keys()).toEqual([site.keyOf(known), ...removable, ...kept].sort())

    const findings = await site.findings(true)
    const removed = findings.filter(({ repaired }) => repaired).map(({ key }) => key)
    expect(removed.sort()).toEqual(removable)
    expect(await site.keys()).toEqual([site.keyOf(known), ...kept].sort())
  })
})

async function openSite(openStore: () => Promise<Storage>) {
  const folder = await temporaryFolder()
  const connections = openSqlite(join(folder, 'quoin.db'))
  await migrate(connections.writer)
  const db: Database = createDatabase(connections)
  onTestFinished(() => db.close())
  const projectId: ProjectId = await insertProject(db)
  const [mediaStore, storage] = [await openStore(), createMemoryStorage()]
  const published: LiveObject[] = []
  const ports: MediaRepairPorts = {
    db,
    mediaStore,
    storage,
    incoming: createIncomingFiles(join(folder, 'uploads')),
    images: {
      decodes: async () => true,
      async derive(_, { width, format }, into) {
        await writeFile(into, `${width} ${format}`)
        return { width, height: 10, bytes: 8 }
      },
    },
    liveState: { objectsOfKinds: async () => published },
    storedArtifacts: { contentKeys: async () => [] },
    masterKey: {} as MediaRepairPorts['masterKey'],
    isHeld: async () => false,
  }
  const keyOf = ({ id, digest }: Stored) => originalKey(projectId, digest, id)
  const variantKey = (stored: Stored, width: number) =>
    originalVariantKey(projectId, stored, { width, format: 'webp', recipe: RECIPE_VERSION })
  const put = (key: string, text: string) => mediaStore.put({ key, body: Buffer.from(text) })
  const findings = (repair = false, changed: Partial<MediaRepairPorts> = {}) =>
    verifyMedia(projectId, { ...ports, ...changed }, { repair, onRead: () => {} })

  return {
    db,
    projectId,
    mediaStore,
    put,
    keyOf,
    variantKey,
    findings,
    verify: async (...args: Parameters<typeof findings>) =>
      (await findings(...args)).map(({ kind, key }) => `${kind} ${key}`).sort(),
    keys: async () => (await mediaStore.list('')).filter((key) => key.startsWith('proj_')),
    statusOf: async (name: string) => (await db.read.assets.findByName(projectId, name))?.status,

    /** An upload whose bytes are its name. */
    async original(name: string, state: 'stored' | 'storing' = 'stored'): Promise<Stored> {
      const digest = sha256(name)
      const id = newId<'org'>() as OriginalId
      await db.write(async ({ originals, assets }) => {
        const bytes = name.length
        await originals.insertStoring({ id, projectId, digest, storedDigest: digest, bytes }, NOW)
        if (state === 'storing') return
        await originals.markStored(id)
        if (name === 'removing') return
        const content = { originalId: id, digest, bytes, kind: 'other', contentType: 'text/plain' } as const
        await assets.insert(
          newAsset(
            { ...content, image: null, video: null },
            { id: newId<'ast'>() as AssetId, projectId, name, alt: '', title: '', focus: null, now: NOW },
          ),
        )
      })
      if (state === 'stored') await put(keyOf({ id, digest }), name)
      return { id, digest }
    },

    async variant(stored: Stored, width: number): Promise<void> {
      const format: VariantFormat = 'webp'
      const text = `${width} ${format}`
      const variant = {
        width,
        height: 10,
        format,
        digest: sha256(text),
        bytes: text.length,
        recipe: RECIPE_VERSION,
      }
      await db.write(({ variants }) => variants.insert(stored.id, variant, '2026-01-02T03:04:05.678Z'))
      await put(variantKey(stored, width), text)
    },

    async publish(key: string, text: string): Promise<void> {
      await storage.put({ key: `proj_${projectId}/${key}`, body: Buffer.from(text) })
      const owner = { kind: 'media', id: '' } as const
      published.push({ key, owner, digest: sha256(text), headerDigest: '', keyId: null, writtenBy: null })
    },

    enqueuePicture: (subject: OriginalId) =>
      db.write(({ jobs }) =>
        jobs.enqueue({
          id: newId<'job'>(),
          projectId,
          kind: PICTURE,
          subject,
          payload: {},
          total: 1,
          dueAt: NOW,
          createdAt: NOW,
        }),
      ),
  }
}

interface Stored {
  readonly id: OriginalId
  readonly digest: string
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
