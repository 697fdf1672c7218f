import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { cruise, type ICruiseResult, type IModule } from 'dependency-cruiser'
import { beforeAll, describe, expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))

/**
 * Who may import whom: a room's own files always, and these folders or files besides.
 * `'*'` is anything. What is not listed may not be imported.
 */
const ROOMS: Readonly<Record<string, readonly string[] | '*'>> = {
  'src/domain/': [],
  'src/content/': ['src/sections/', 'src/domain/'],
  'src/sections/': ['src/domain/'],
  'src/theme/': ['src/domain/', 'src/sections/'],
  'src/render/': [
    'src/theme/theme.ts',
    'src/theme/view.ts',
    'src/theme/compact-css.ts',
    'src/sections/',
    'src/content/',
    'src/domain/',
  ],
  'src/renderer/': ['src/render/', 'src/theme/', 'src/content/custom-css.ts', 'src/domain/'],
  'src/storage/': ['src/domain/'],
  'src/limits/': ['src/domain/'],
  'src/secrets/': ['src/domain/'],
  'src/db/': ['src/publish/ledger.ts', 'src/jobs/job-queue.ts', 'src/domain/'],
  'src/jobs/': ['src/db/repositories.ts', 'src/domain/'],
  'src/publish/': [
    'src/render/',
    'src/renderer/renderer.ts',
    'src/secrets/',
    'src/storage/storage.ts',
    'src/theme/theme.ts',
    'src/domain/',
  ],
  'src/webhooks/': ['src/domain/'],
  'src/metrics/': ['src/publish/phases.ts', 'src/renderer/renderer.ts', 'src/storage/storage.ts'],
  'src/services/': [
    'src/publish/',
    'src/jobs/',
    'src/webhooks/',
    'src/render/collections.ts',
    'src/render/docs-nav.ts',
    'src/renderer/renderer.ts',
    'src/secrets/',
    'src/content/',
    'src/sections/',
    'src/db/repositories.ts',
    'src/storage/storage.ts',
    'src/domain/',
  ],
  'src/http/current/': [
    'src/http/',
    'src/services/',
    'src/content/page-document.ts',
    'src/content/custom-css.ts',
    'src/db/repositories.ts',
    'src/domain/',
  ],
  'src/http/v1/': ['src/http/', 'src/services/', 'src/db/repositories.ts', 'src/domain/'],
  'src/http/public/': [
    'src/http/known-tag.ts',
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
    'src/domain/',
  ],
  'src/client/': [],
  'src/site/': ['src/content/', 'src/sections/', 'src/domain/'],
  'src/convert/': ['src/make-folder.ts', 'src/site/asset-file.ts', 'src/content/', 'src/domain/'],
  'src/build/': [
    'src/make-folder.ts',
    'src/publish/',
    'src/site/',
    'src/render/',
    'src/renderer/renderer.ts',
    'src/renderer/spool.ts',
    'src/secrets/',
    'src/content/',
    'src/storage/storage.ts',
    'src/domain/',
  ],
  'src/deploy/': ['src/build/build-state.ts', 'src/publish/', 'src/storage/storage.ts', 'src/domain/'],
  'src/push/': ['src/make-folder.ts', 'src/client/', 'src/site/', 'src/content/', 'src/domain/'],
  'src/transfer/': [
    'src/make-folder.ts',
    'src/client/',
    'src/push/',
    'src/site/',
    'src/content/',
    'src/domain/',
  ],
  'src/dev/': [
    'src/build/',
    'src/publish/',
    'src/site/',
    'src/render/',
    'src/renderer/renderer.ts',
    'src/theme/theme.ts',
    'src/theme/theme-error.ts',
    'src/secrets/master-key.ts',
    'src/content/derive.ts',
    'src/sections/catalogue.ts',
    'src/domain/',
  ],
  'src/theme-check/': [
    'src/dev/gallery.ts',
    'src/dev/make-file.ts',
    'src/dev/site-now.ts',
    'src/render/content-policy.ts',
    'src/render/docs-nav.ts',
    'src/renderer/renderer.ts',
    'src/sections/catalogue.ts',
    'src/site/',
    'src/theme/',
    'src/domain/',
  ],
  'src/cli/': '*',
  'src/': '*',
}

/** Rooms without input or output, a clock or randomness of their own. */
const PURE = /^src\/(domain|content|sections|render)\//
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
        return allowed !== '*' && ![room, ...allowed].some((place) => to.resolved.startsWith(place))
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
      ({ source, to }) => /^src\/(compose|cli)\.ts$/.test(to.resolved) && !source.startsWith('src/cli'),
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
