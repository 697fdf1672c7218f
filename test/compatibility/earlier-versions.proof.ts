import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { decryptPage, type SealedPage } from '../../src/client/decrypt-page.ts'
import type { JsonObject } from '../../src/domain/json.ts'
import { readSiteFiles } from '../site-build/read-site-files.ts'
import { startCommand } from '../support/command.ts'
import { startService } from '../support/service.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** Archives that `scripts/installation-fixture.mjs` made, named after the newest migration of their version. */
const ARCHIVES = fileURLToPath(new URL('../../fixtures/installations/', import.meta.url))

/** What clients and visitors read of an installation when it was archived. */
interface Facts {
  readonly key: string
  readonly contentKey: string
  readonly site: string
  readonly sealed: string
  /** A page that was published at two addresses. */
  readonly moved: string
  readonly secret: string
  readonly pages: readonly { readonly page: JsonObject; readonly releases: readonly string[] }[]
  readonly visits: readonly {
    readonly path: string
    readonly status: number
    readonly location: string | null
    readonly sha256: string | null
  }[]
}

async function unpack(archive: string): Promise<{ readonly folder: string; readonly facts: Facts }> {
  const folder = await temporaryFolder()
  await promisify(execFile)('tar', ['-xzf', join(ARCHIVES, archive), '-C', folder])
  return { folder, facts: JSON.parse(await readFile(join(folder, 'facts.json'), 'utf8')) }
}

const verify = (data: string) => startCommand(['verify', '--json', '--data', data]).ended

/** In the data folder, also where the tests run on PostgreSQL. */
const SQLITE = { QUOIN_DATABASE_URL: '' }

describe.each(await readdir(ARCHIVES))('an installation of an earlier version, %s', (archive) => {
  test('has its pages, files, releases and secrets after the upgrade, and is published to', async () => {
    const { folder, facts } = await unpack(archive)
    const data = join(folder, 'data')
    const migrated = await startCommand(['migrate', '--data', data]).ended
    expect(migrated.code, migrated.err).toBe(0)
    const before = await verify(data)
    expect(JSON.parse(before.out), before.err).toMatchObject({ ok: true, projects: 2, differences: [] })

    const env = { ...SQLITE, QUOIN_BASE_URL: 'https://quoin.example' }
    const service = await startService({ data, env })
    const { address } = service.server
    const call = (method: string, path: string, body?: object) =>
      service.call(method, path, body, { key: facts.key })
    const read = async (path: string) => {
      const answer = await fetch(address + path, { redirect: 'manual' })
      const bytes = Buffer.from(await answer.arrayBuffer())
      const sha256 = answer.status === 200 ? createHash('sha256').update(bytes).digest('hex') : null
      return { path, status: answer.status, location: answer.headers.get('location'), sha256 }
    }
    expect(await Promise.all(facts.visits.map(({ path }) => read(path)))).toEqual(facts.visits)
    for (const { page, releases } of facts.pages) {
      // Its reasons to be published again are those of this version.
      const { stale, ...fields } = page
      expect((await call('GET', `/pages/${page['id']}`)).body.data).toMatchObject(fields)
      const found = (await call('GET', `/pages/${page['id']}/releases`)).body.data
      expect(found.map(({ id }: { id: string }) => id)).toEqual(releases)
    }
    const sealedPage = async () =>
      decryptPage(
        facts.contentKey,
        (await (await fetch(`${address}/public/${facts.sealed}/secret.json`)).json()) as SealedPage,
      )
    expect((await sealedPage()).title).toBe('Secret')

    // Everything is published again by this version, and one page is brought back to its first release.
    for (const { page } of facts.pages.filter(({ page }) => page['status'] === 'published')) {
      expect((await call('POST', `/pages/${page['id']}/publish`)).status).toBe(200)
    }
    for (const { path, status } of facts.visits) expect(await read(path)).toMatchObject({ path, status })
    expect((await call('PUT', `/pages/${facts.secret}`, { title: 'Another secret' })).status).toBe(200)
    expect((await call('POST', `/pages/${facts.secret}/publish`)).status).toBe(200)
    expect((await sealedPage()).title).toBe('Another secret')
    const first = facts.pages.find(({ page }) => page['id'] === facts.moved)?.releases.at(-1)
    expect((await call('POST', `/pages/${facts.moved}/rollback`, { release_id: first })).status).toBe(200)
    expect(await read(`/public/${facts.site}/blog/stones/`)).toMatchObject({ status: 200 })
    await service.close()

    const after = await verify(data)
    expect(JSON.parse(after.out), after.err).toMatchObject({ ok: true, projects: 2, differences: [] })
  })

  test('has a site that this version builds on as if it were new', async () => {
    const { folder } = await unpack(archive)
    const [site, built, fresh] = [join(folder, 'site'), join(folder, 'built'), join(folder, 'new')]
    const build = (out: string) => startCommand(['build', site, '--out', out]).ended
    for (const out of [built, fresh]) expect(await build(out)).toMatchObject({ code: 0 })
    // The number of builds in a folder.
    const readSite = async (out: string) =>
      [...(await readSiteFiles(out))].map(([key, text]) => [key, text.replace(/"revision":\d+/g, '')])
    expect(await readSite(built)).toEqual(await readSite(fresh))
  })
})
