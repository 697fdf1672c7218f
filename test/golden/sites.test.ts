import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { createClient } from '../../src/client/client.ts'
import { readSite } from '../../src/content-folder/read-site.ts'
import { projectNamed } from '../../src/push/project.ts'
import { pushSite } from '../../src/push/push-site.ts'
import { createNoMemory } from '../../src/push/push-state.ts'
import { sequentialIds, stoppedClock } from '../support/determinism.ts'
import { LONG_FORM } from '../support/long-form.ts'
import { SAMPLE_SITES } from '../support/sample-sites.ts'
import { startService } from '../support/service.ts'

const fixtures = fileURLToPath(new URL('../../fixtures/', import.meta.url))
const CONTENT_URL = 'https://cdn.example.com'

const REWRITES = process.env['QUOIN_REWRITE'] === 'golden'
const THEMES = LONG_FORM || REWRITES ? ['default', 'dark', 'minimal'] : ['default']
const cases = Object.entries(SAMPLE_SITES).flatMap(([site, folder]) =>
  THEMES.map((theme) => ({ site, folder, theme })),
)

// Each sample site is sent through the API and published. The published files are compared one by one with
// fixtures/golden/<site>/<theme>. `npm run golden` rewrites it.
describe('golden sites', () => {
  test.each(cases)('$site in the theme $theme', async ({ site: name, folder, theme }) => {
    const { site, faults } = await readSite(folder)
    expect(faults).toEqual([])
    const files = await publishedFiles({ ...site, settings: { ...site.settings, theme } })

    const golden = join(fixtures, 'golden', name, theme)
    if (REWRITES) rewrite(golden, files)
    expect(goldenFiles(golden)).toEqual([...files.keys()])
    for (const [key, text] of files) expect(text, key).toBe(readFileSync(join(golden, key), 'utf8'))
  })

  test.runIf(LONG_FORM)('publishing the same site twice gives the same bytes', async () => {
    const { site } = await readSite(SAMPLE_SITES.handbook)
    expect(await publishedFiles(site)).toEqual(await publishedFiles(site))
  })
})

/** Every text file of the site as it lies on the CDN, by its key, sorted. */
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
    const project = await projectNamed(api, site.name)
    const ignore = () => {}
    const { failures } = await pushSite(
      site,
      { project, publish: true, prune: false, force: false, dryRun: false },
      { api, memory: createNoMemory(), monotonic: () => 0, onSent: ignore, onPublished: ignore },
    )
    expect(failures).toEqual([])
    const { storage } = service.server.quoin
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

function rewrite(folder: string, files: ReadonlyMap<string, string>): void {
  rmSync(folder, { recursive: true, force: true })
  for (const [key, text] of files) {
    mkdirSync(dirname(join(folder, key)), { recursive: true })
    writeFileSync(join(folder, key), text)
  }
}

function goldenFiles(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort()
}
