import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { cruise, type ICruiseResult, type IModule } from 'dependency-cruiser'
import { beforeAll, describe, expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))

/**
 * Who may import whom: a room's own files always, and these folders or files besides.
 * What is not listed may not be imported.
 */
const ROOMS: Readonly<Record<string, readonly string[]>> = {
  'src/domain/': [],
  'src/platform/': ['src/domain/'],
  'src/page-text/': ['src/sections/', 'src/domain/'],
  'src/sections/': ['src/domain/'],
  'src/theme/': ['src/domain/', 'src/sections/', 'src/platform/'],
  'src/render/': [
    'src/theme/theme.ts',
    'src/theme/view.ts',
    'src/theme/compact-css.ts',
    'src/sections/',
    'src/page-text/',
    'src/domain/',
  ],
  'src/renderer/': [
    'src/render/',
    'src/theme/',
    'src/page-text/custom-css.ts',
    'src/platform/',
    'src/domain/',
  ],
  'src/storage/': ['src/platform/', 'src/domain/'],
  'src/limits/': ['src/domain/'],
  'src/secrets/': ['src/domain/'],
  'src/db/': ['src/publish/ledger.ts', 'src/jobs/job-queue.ts', 'src/domain/'],
  'src/jobs/': ['src/domain/'],
  'src/publish/': [
    'src/render/',
    'src/renderer/renderer.ts',
    'src/secrets/',
    'src/storage/storage.ts',
    'src/theme/theme.ts',
    'src/platform/',
    'src/domain/',
  ],
  'src/webhooks/': ['src/domain/'],
  'src/metrics/': ['src/publish/phases.ts', 'src/renderer/renderer.ts', 'src/storage/storage.ts'],
  'src/services/': [
    'src/publish/',
    'src/jobs/',
    'src/webhooks/',
    'src/render/listing/collections.ts',
    'src/render/docs/docs-nav.ts',
    'src/renderer/renderer.ts',
    'src/secrets/',
    'src/page-text/',
    'src/sections/',
    'src/db/repositories.ts',
    'src/storage/storage.ts',
    'src/platform/',
    'src/domain/',
  ],
  'src/http/current/': [
    'src/http/',
    'src/services/',
    'src/page-text/page-document.ts',
    'src/page-text/custom-css.ts',
    'src/db/repositories.ts',
    'src/domain/',
  ],
  'src/http/v1/': ['src/http/', 'src/services/', 'src/db/repositories.ts', 'src/domain/'],
  'src/http/public/': [
    'src/http/matches-etag.ts',
    'src/storage/storage.ts',
    'src/db/repositories.ts',
    'src/domain/',
  ],
  'src/http/': [
    'src/metrics/metrics.ts',
    'src/services/',
    'src/limits/rate-limits.ts',
    'src/sections/validate.ts',
    'src/storage/storage.ts',
    'src/db/repositories.ts',
    'src/platform/',
    'src/domain/',
  ],
  'src/client/': [],
  'src/content-folder/': ['src/page-text/', 'src/sections/', 'src/platform/', 'src/domain/'],
  'src/convert/': ['src/platform/', 'src/content-folder/asset-file.ts', 'src/page-text/', 'src/domain/'],
  'src/site-build/': [
    'src/publish/',
    'src/content-folder/',
    'src/render/',
    'src/renderer/renderer.ts',
    'src/renderer/spilled-artifacts.ts',
    'src/secrets/',
    'src/page-text/',
    'src/storage/storage.ts',
    'src/platform/',
    'src/domain/',
  ],
  'src/deploy/': [
    'src/site-build/state/build-state.ts',
    'src/publish/',
    'src/storage/storage.ts',
    'src/platform/',
    'src/domain/',
  ],
  'src/push/': ['src/client/', 'src/content-folder/', 'src/page-text/', 'src/platform/', 'src/domain/'],
  'src/transfer/': [
    'src/client/',
    'src/push/',
    'src/content-folder/',
    'src/page-text/',
    'src/platform/',
    'src/domain/',
  ],
  'src/preview-site/': [
    'src/site-build/',
    'src/publish/',
    'src/content-folder/',
    'src/render/',
    'src/renderer/renderer.ts',
    'src/theme/theme.ts',
    'src/theme/theme-error.ts',
    'src/secrets/master-key.ts',
    'src/page-text/derive.ts',
    'src/sections/catalogue.ts',
    'src/platform/',
    'src/domain/',
  ],
  'src/dev/': [
    'src/preview-site/',
    'src/site-build/',
    'src/publish/',
    'src/content-folder/',
    'src/render/',
    'src/renderer/renderer.ts',
    'src/secrets/master-key.ts',
    'src/theme/theme.ts',
    'src/theme/theme-error.ts',
    'src/platform/',
    'src/domain/',
  ],
  'src/theme-check/': [
    'src/preview-site/',
    'src/render/page/content-policy.ts',
    'src/render/docs/docs-nav.ts',
    'src/renderer/renderer.ts',
    'src/sections/catalogue.ts',
    'src/content-folder/',
    'src/theme/',
    'src/platform/',
    'src/domain/',
  ],
  'src/build-runtime/': [
    'src/site-build/',
    'src/renderer/',
    'src/render/markdown/parser.ts',
    'src/secrets/master-key.ts',
    'src/storage/',
    'src/theme/',
    'src/platform/',
    'src/domain/',
  ],
  // The wiring: it alone chooses adapters, so it may import every folder but the commands and the routes behind the app.
  'src/app/': [
    'src/build-runtime/',
    'src/content-folder/',
    'src/db/',
    'src/deploy/',
    'src/dev/',
    'src/domain/',
    'src/http/app.ts',
    'src/http/openapi/api-document.ts',
    'src/jobs/',
    'src/limits/',
    'src/metrics/',
    'src/platform/',
    'src/preview-site/',
    'src/publish/',
    'src/render/',
    'src/renderer/',
    'src/secrets/',
    'src/sections/',
    'src/services/',
    'src/site-build/',
    'src/storage/',
    'src/theme/',
    'src/theme-check/',
    'src/webhooks/',
  ],
  // Commands open databases, renderers and buckets through `app/` alone; of those folders they know ports and types.
  'src/cli/': [
    'src/app/',
    'src/client/',
    'src/content-folder/',
    'src/convert/',
    'src/deploy/',
    'src/domain/',
    'src/page-text/',
    'src/platform/',
    'src/push/',
    'src/secrets/',
    'src/services/',
    'src/site-build/',
    'src/theme/',
    'src/theme-check/finding.ts',
    'src/transfer/',
    'src/db/repositories.ts',
    'src/http/malformed-requests.ts',
    'src/http/present-project.ts',
    'src/jobs/job-queue.ts',
    'src/storage/storage.ts',
    'src/storage/storage-url.ts',
  ],
}

/** Rooms without input or output, a clock or randomness of their own. */
const PURE = /^src\/(domain|page-text|sections|render)\//
const EFFECTFUL = /^(node:)?(fs|fs\/promises|net|http|https|child_process|worker_threads|timers|os|dns|tls)$/

let modules: readonly IModule[]

beforeAll(async () => {
  const { output } = await cruise(['src'], {
    baseDir: root,
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default'] },
  })
  modules = (output as ICruiseResult).modules
})

const own = () => modules.filter(({ source }) => source.startsWith('src/'))
const imports = () => own().flatMap(({ source, dependencies }) => dependencies.map((to) => ({ source, to })))
const roomOf = (file: string) => Object.keys(ROOMS).find((room) => file.startsWith(room)) ?? ''

describe('the house', () => {
  test('every source file was seen', () => {
    const files = readdirSync(`${root}src`, { recursive: true, encoding: 'utf8' }).filter((file) =>
      file.endsWith('.ts'),
    )
    expect(
      own()
        .map(({ source }) => source)
        .sort(),
    ).toEqual(files.map((file) => `src/${file}`).sort())
  })

  test('every import could be resolved', () => {
    expect(
      imports()
        .filter(({ to }) => to.couldNotResolve)
        .map(({ source, to }) => `${source} → ${to.module}`),
    ).toEqual([])
  })

  test('rooms import only what they may', () => {
    const trespasses = imports()
      .filter(({ to }) => to.resolved.startsWith('src/'))
      .filter(({ source, to }) => {
        const room = roomOf(source)
        const allowed = ROOMS[room] ?? []
        return ![room, ...allowed].some((place) => to.resolved.startsWith(place))
      })
    expect(trespasses.map(({ source, to }) => `${source} → ${to.resolved}`)).toEqual([])
  })

  test('the two surfaces never meet', () => {
    const met = imports().filter(
      ({ source, to }) =>
        (source.startsWith('src/http/current/') && to.resolved.startsWith('src/http/v1/')) ||
        (source.startsWith('src/http/v1/') && to.resolved.startsWith('src/http/current/')),
    )
    expect(met.map(({ source, to }) => `${source} → ${to.resolved}`)).toEqual([])
  })

  test('nobody imports the wiring or an entry', () => {
    const wired = imports().filter(
      ({ source, to }) => to.resolved.startsWith('src/cli/') && !source.startsWith('src/cli/'),
    )
    expect(wired.map(({ source, to }) => `${source} → ${to.resolved}`)).toEqual([])
  })

  test('the pure rooms touch nothing outside', () => {
    const effects = imports().filter(({ source, to }) => PURE.test(source) && EFFECTFUL.test(to.module))
    expect(effects.map(({ source, to }) => `${source} → ${to.module}`)).toEqual([])
  })

  test('domain needs no package', () => {
    const foreign = imports().filter(
      ({ source, to }) => source.startsWith('src/domain/') && !to.resolved.startsWith('src/'),
    )
    expect(foreign.map(({ source, to }) => `${source} → ${to.module}`)).toEqual([])
  })

  test('there is no import cycle, types included', () => {
    expect(
      imports()
        .filter(({ to }) => to.circular)
        .map(({ source, to }) => `${source} → ${to.resolved}`),
    ).toEqual([])
  })
})
