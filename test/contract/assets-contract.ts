import { describe, expect, test } from 'vitest'
import type { AssetFilter } from '../../src/db/repositories/assets.ts'
import type { Database } from '../../src/db/repositories.ts'
import { type Asset, newAsset, type OriginalId } from '../../src/domain/asset.ts'
import type { AssetId, ProjectId } from '../../src/domain/ids.ts'
import { randomId as newId } from '../../src/services/new-id.ts'

const NOW = '2026-01-02T03:04:05.678Z'
const LATER = '2026-01-02T04:04:05.678Z'

/**
 * Tests the promises of `AssetRepository` and `OriginalRepository`. Call it once per database.
 *
 * @param withProject returns a project in an empty database, and that.
 */
export function testAssetsContract(
  withProject: () => Promise<{ readonly db: Database; readonly projectId: ProjectId }>,
): void {
  const digestOf = (text: string) => text.padEnd(64, '0')

  async function insert(
    db: Database,
    projectId: ProjectId,
    name: string,
    fields: Partial<Asset> = {},
  ): Promise<Asset> {
    const digest = fields.digest ?? digestOf('d')
    const asset = {
      ...newAsset(
        {
          originalId: newId<'org'>() as OriginalId,
          digest,
          bytes: 3,
          kind: 'image',
          contentType: 'image/png',
          image: null,
          video: null,
        },
        { id: newId<'ast'>() as AssetId, projectId, name, alt: '', title: '', focus: null, now: NOW },
      ),
      ...fields,
    }
    await db.write(async ({ assets, originals }) => {
      const stored = { id: asset.originalId, projectId, digest, bytes: asset.bytes }
      if (fields.originalId === undefined)
        await originals.insertStoring({ ...stored, storedDigest: digest }, LATER)
      expect(await originals.markStored(asset.originalId)).toBe(true)
      await assets.insert(asset)
    })
    return asset
  }
  const usedBy = async (db: Database, projectId: ProjectId) =>
    (await db.read.accounts.ofProject(projectId))?.usage.media_bytes

  describe('assets', () => {
    test('are read as they were written, and a name is unique in its project', async () => {
      const { db, projectId } = await withProject()
      const asset = await insert(db, projectId, 'a/b.png', {
        alt: 'Alt',
        title: 'Title',
        focus: { x: 0.25, y: 1 },
        image: {
          format: 'png',
          width: 3,
          height: 4,
          animated: false,
          alpha: true,
          colour: null,
          thumbhash: null,
        },
        status: 'failed',
        failure: 'Why.',
      })
      expect(await db.read.assets.find(asset.id)).toEqual(asset)
      expect(await db.read.assets.findByName(projectId, 'a/b.png')).toEqual(asset)
      await expect(insert(db, projectId, 'a/b.png')).rejects.toMatchObject({ name: 'conflict' })
      const other = await insert(db, projectId, 'c.png')
      const renamed = { ...other, name: 'a/b.png' }
      await expect(db.write(({ assets }) => assets.update(renamed))).rejects.toMatchObject({
        name: 'conflict',
      })
      await db.write(({ assets }) => assets.delete(asset.id))
      await db.write(({ assets }) => assets.update(renamed))
      expect(await db.read.assets.findByName(projectId, 'a/b.png')).toEqual(renamed)
    })

    test('are listed by kind and by name, in which % and _ are letters', async () => {
      const { db, projectId } = await withProject()
      for (const name of ['100%.png', '1000.png', 'a_b.png', 'axb.png', 'Team/x.png'])
        await insert(db, projectId, name)
      await insert(db, projectId, 'notes.txt', { kind: 'document' })
      const names = async (filter: Partial<AssetFilter>) => {
        const all = { projectId, kind: null, name: null, unusedBut: null, ...filter }
        const { items, total } = await db.read.assets.list(all, {
          sort: 'name',
          order: 'asc',
          limit: 50,
          offset: 0,
        })
        expect(total).toBe(items.length)
        return items.map(({ name }) => name)
      }
      expect(await names({ name: '100%' })).toEqual(['100%.png'])
      expect(await names({ name: 'a_b*' })).toEqual(['a_b.png'])
      expect(await names({ name: 'team/*' })).toEqual(['Team/x.png'])
      expect(await names({ name: '*.txt' })).toEqual(['notes.txt'])
      expect(await names({ kind: 'document' })).toEqual(['notes.txt'])
      expect(await names({ unusedBut: ['axb.png'], name: 'a' })).toEqual(['Team/x.png', 'a_b.png'])
    })

    test('are gone with a deleted project, and their originals are due', async () => {
      const { db, projectId } = await withProject()
      const asset = await insert(db, projectId, 'a.png')
      await db.write(({ projects }) => projects.markDeleted(projectId, NOW))
      expect(await db.read.assets.find(asset.id)).toBeNull()
      expect(await db.read.originals.due(NOW, 10)).toEqual([
        { id: asset.originalId, projectId, digest: asset.digest, bytes: 3 },
      ])
    })
  })

  describe('originals', () => {
    test('count for the account from the moment when they are being stored, until they are released', async () => {
      const { db, projectId } = await withProject()
      const original = { id: newId<'org'>() as OriginalId, projectId, digest: digestOf('a'), bytes: 70 }
      await db.write(({ originals }) =>
        originals.insertStoring({ ...original, storedDigest: digestOf('b') }, LATER),
      )
      expect(await usedBy(db, projectId)).toBe(70)
      expect(await db.read.originals.findStored(projectId, original.digest)).toBeNull()
      expect(await db.read.originals.due(NOW, 10)).toEqual([])
      expect(await db.read.originals.due(LATER, 10)).toEqual([original])
      expect(await db.write(({ originals }) => originals.release(original.id, LATER))).toBe(true)
      expect(await usedBy(db, projectId)).toBe(0)
      expect(await db.write(({ originals }) => originals.markStored(original.id))).toBe(false)
      await db.write(({ originals }) => originals.delete(original.id))
      expect(await db.read.originals.due(LATER, 10)).toEqual([])
      expect(await usedBy(db, projectId)).toBe(0)
    })

    test('are not released while an asset has them, and are found by their digest', async () => {
      const { db, projectId } = await withProject()
      const asset = await insert(db, projectId, 'a.png')
      const again = await insert(db, projectId, 'b.png', { originalId: asset.originalId })
      expect(await db.read.originals.findStored(projectId, asset.digest)).toBe(asset.originalId)
      const release = () => db.write(({ originals }) => originals.release(asset.originalId, NOW))
      expect(await release()).toBe(false)
      await db.write(({ assets }) => assets.delete(asset.id))
      expect(await release()).toBe(false)
      expect(await db.read.originals.due(LATER, 10)).toEqual([])
      await db.write(({ assets }) => assets.delete(again.id))
      expect(await release()).toBe(true)
      expect(await db.read.originals.due(NOW, 10)).toHaveLength(1)
      expect(await db.read.originals.findStored(projectId, asset.digest)).toBeNull()
    })
  })
}
