import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { openVerification } from '../../../src/app/verification.ts'
import { decryptAsset, type SealedAsset, type SealedFile } from '../../../src/client/decrypt-asset.ts'
import type { ProjectId } from '../../../src/domain/ids.ts'
import type { TestService } from '../../support/service.ts'
import { serviceConfig } from '../../support/test-database.ts'
import { siteOf } from './sealed-site.ts'

const OCTETS = { headers: { 'Content-Type': 'application/octet-stream' } }

/** A project of a service with pictures and files, as its owner and its readers see it. */
export function mediaSiteOf(service: TestService, project: string) {
  const site = siteOf(service, project)
  const root = join(service.data, 'cdn', project)
  const bytes = (key: string) => readFile(join(root, key))
  const openAsset = async (key: string, asset: SealedFile | undefined) =>
    decryptAsset(key, new Uint8Array(await bytes(asset?.file ?? '')), asset ?? expect.unreachable())
  const asset = async (key: string, file: string, address: string): Promise<SealedAsset | undefined> =>
    (await site.open(key, file)).assets?.[address]

  return {
    ...site,
    asset,
    openAsset,
    bytes,
    path: (key: string) => join(root, key),

    async upload(name: string, content: Buffer): Promise<string> {
      const path = `/projects/${project}/assets?name=${encodeURIComponent(name)}`
      const answer = await service.call('POST', path, content, OCTETS)
      expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300)
      return answer.body.data.id
    },

    async replace(id: string, content: Buffer): Promise<void> {
      expect((await service.call('PUT', `/assets/${id}/content`, content, OCTETS)).status).toBe(200)
    },

    async publishNew(fields: object): Promise<string> {
      const id = await site.create(fields)
      const answer = await site.publish(id)
      expect(answer.status, JSON.stringify(answer.body)).toBe(200)
      return id
    },

    page: async (id: string) => (await service.call('GET', `/pages/${id}`)).body.data,

    /** What a reader of the page gets for an address in its content. */
    shown: async (key: string, file: string, address: string) =>
      Buffer.from(await openAsset(key, await asset(key, file, address))),

    /** Keys of pictures and files on the store, sorted. */
    async media(): Promise<readonly string[]> {
      return (await site.files()).filter((file) => file.startsWith('_media/'))
    },

    /** Files on the store that have one of these contents in them. */
    async showsAnywhere(...contents: readonly Buffer[]): Promise<readonly string[]> {
      const entries = await readdir(root, { recursive: true, withFileTypes: true })
      const files = entries
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name))
      const found = await Promise.all(
        files.map(async (file) => {
          const whole = await readFile(file)
          return contents.some((content) => whole.includes(content)) ? [file.slice(root.length + 1)] : []
        }),
      )
      return found.flat().sort()
    },

    /** As `quoin verify` finds them. */
    async differences(repair = false): Promise<readonly unknown[]> {
      const config = await serviceConfig(service.data)
      const open = await openVerification(config, { recover: false })
      try {
        const wanted = { project: project.slice(5) as ProjectId, repair, media: true, onProgress: () => {} }
        return (await open.verification.verify(wanted)).findings
      } finally {
        await open.close()
      }
    },
  }
}
