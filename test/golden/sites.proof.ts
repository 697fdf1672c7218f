import { describe, expect, test } from 'vitest'
import { createClient } from '../../src/client/client.ts'
import { readSite } from '../../src/content-folder/read-site.ts'
import { findOrCreateProject } from '../../src/push/project.ts'
import { pushSite } from '../../src/push/push-site.ts'
import { sequentialIds, stoppedClock } from '../support/determinism.ts'
import { goldenSite, readGolden, writeGolden } from '../support/golden-site.ts'
import { LONG_FORM } from '../support/long-form.ts'
import { SAMPLE_SITES } from '../support/sample-sites.ts'
import { startService } from '../support/service.ts'

const CONTENT_URL = 'https://cdn.example.com'

const REWRITES = process.env['QUOIN_REWRITE'] === 'golden'
/** Every site in the default theme, and in the others one that has a page of each kind. */
const ALL_CASES = [
  ...Object.keys(SAMPLE_SITES).map((site) => ({ site, theme: 'default' })),
  { site: 'handbook', theme: 'dark' },
  { site: 'handbook', theme: 'minimal' },
] as readonly { readonly site: keyof typeof SAMPLE_SITES; readonly theme: string }[]
const CASES = LONG_FORM || REWRITES ? ALL_CASES : ALL_CASES.filter(({ theme }) => theme === 'default')

// Each sample site is sent through the API and published, and the published files are compared with
// `fixtures/golden`. `npm run golden` rewrites that folder.
describe('golden sites', () => {
  test.each(CASES)('$site in the theme $theme is published as before', async ({ site: name, theme }) => {
    const { site, errors } = await readSite(SAMPLE_SITES[name])
    expect(errors).toEqual([])
    const published = goldenSite(await publishedFiles({ ...site, settings: { ...site.settings, theme } }))

    if (REWRITES) writeGolden(name, theme, published)
    const golden = readGolden(name, theme)
    for (const part of ['pages', 'assets'] as const) {
      expect([...published[part].keys()].sort()).toEqual([...golden[part].keys()].sort())
      for (const [key, text] of published[part]) expect(text, key).toBe(golden[part].get(key))
    }
  })

  test.runIf(LONG_FORM)('publishing the same site twice gives the same bytes', async () => {
    const { site } = await readSite(SAMPLE_SITES.handbook)
    expect(await publishedFiles(site)).toEqual(await publishedFiles(site))
  })
})

/** Every text file of the published site by its key, sorted. */
async function publishedFiles(
  site: Awaited<ReturnType<typeof readSite>>['site'],
): Promise<Map<string, string>> {
  const service = await startService({
    now: stoppedClock(),
    newId: sequentialIds(),
    env: { QUOIN_CONTENT_URL: CONTENT_URL },
  })
  try {
    const api = createClient({ baseUrl: service.url, key: service.key })
    const project = await findOrCreateProject(api, site.name)
    const ignore = () => {}
    const { failures } = await pushSite(
      site,
      { project, folder: 'golden-site', publish: true, prune: false, overwrite: false, dryRun: false },
      { api, monotonic: () => 0, onSent: ignore, onPublished: ignore },
    )
    expect(failures).toEqual([])
    const { storage } = service.server.service
    const prefix = `${project}/`
    const keys = await storage.list(prefix)
    const texts = keys.map(async (key): Promise<[string, string]> => {
      const body = await storage.get(key)
      return [key.slice(prefix.length), Buffer.from(body ?? []).toString()]
    })
    return new Map(await Promise.all(texts))
  } finally {
    await service.close()
  }
}
