import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { cruise, type ICruiseResult, type IModule } from 'dependency-cruiser'
import { beforeAll, describe, expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Folders and files that the files of a folder may import, next to their own. The longest match of a path counts. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  'src/domain/': [],
  // Digests of settings are those of fields.
  'src/fields/': ['src/domain/', 'src/page-text/field-digests.ts'],
  'src/platform/': ['src/domain/'],
  'src/page-text/': ['src/sections/', 'src/domain/'],
  'src/sections/': ['src/domain/'],
  'src/theme/': ['src/domain/', 'src/sections/', 'src/platform/'],
  'src/render/': [
    'src/theme/theme.ts',
    'src/theme/theme-asset.ts',
    'src/theme/value-types.ts',
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
    'src/page-text/page-document.ts',
    'src/page-text/page-includes.ts',
    'src/page-text/page-variables.ts',
    'src/platform/',
    'src/domain/',
  ],
  'src/images/': ['src/platform/', 'src/domain/'],
  'src/cdn/': ['src/webhooks/', 'src/domain/'],
  'src/storage/': ['src/cdn/cache-tags.ts', 'src/platform/', 'src/domain/'],
  'src/mail/': ['src/domain/email-address.ts', 'src/domain/mail-problem.ts', 'src/domain/parse-url.ts'],
  'src/media/': ['src/platform/', 'src/domain/'],
  'src/limits/': ['src/domain/'],
  'src/secrets/': ['src/domain/', 'src/platform/'],
  'src/backup/': ['src/secrets/', 'src/storage/storage.ts', 'src/platform/', 'src/domain/'],
  'src/db/': [
    'src/fields/',
    'src/publish/ledger/',
    // Who may publish where: the database reads the rows, and writes the decision.
    'src/publish/decide/',
    'src/jobs/job-queue.ts',
    'src/limits/shared-accounts.ts',
    // Where the program of a thread is.
    'src/platform/package-paths.ts',
    // How long a request may wait for a transaction.
    'src/platform/answer-time.ts',
    // Pauses before a connection is tried again.
    'src/platform/sleep.ts',
    'src/domain/',
  ],
  'src/db/migrations/': ['src/domain/', 'src/db/dialect.ts'],
  'src/jobs/': [
    'src/platform/lease-watch.ts',
    'src/platform/sleep.ts',
    'src/platform/spans.ts',
    'src/domain/',
  ],
  'src/publish/': [
    // The names of settings in warnings.
    'src/fields/settings-fields.ts',
    'src/render/',
    'src/renderer/renderer.ts',
    'src/secrets/',
    'src/storage/storage.ts',
    // What every store does with a body that is streamed to it.
    'src/storage/streamed-body.ts',
    'src/theme/theme.ts',
    'src/platform/',
    'src/domain/',
  ],
  'src/publish/decide/': ['src/domain/'],
  'src/webhooks/': ['src/domain/'],
  'src/certificates/': [],
  'src/custom-domains/': ['src/webhooks/', 'src/domain/'],
  'src/metrics/': [
    'src/domain/mail-problem.ts',
    'src/platform/spans.ts',
    'src/publish/phases.ts',
    'src/renderer/renderer.ts',
    'src/storage/storage.ts',
  ],
  'src/services/': [
    'src/fields/settings-fields.ts',
    'src/fields/settings-digests.ts',
    'src/publish/',
    'src/jobs/',
    'src/cdn/',
    'src/webhooks/',
    'src/certificates/certificate-authority.ts',
    'src/custom-domains/prove-domain.ts',
    'src/render/listing/collections.ts',
    'src/render/listing/live-card.ts',
    'src/render/page/icon-recipes.ts',
    'src/render/page/social-image.ts',
    'src/render/docs/docs-nav.ts',
    'src/renderer/renderer.ts',
    'src/images/image-processor.ts',
    'src/mail/mail-transport.ts',
    'src/secrets/',
    'src/page-text/',
    'src/sections/',
    'src/db/repositories.ts',
    'src/db/repositories/',
    'src/storage/storage.ts',
    'src/platform/',
    'src/domain/',
  ],
  'src/http/current/': [
    'src/http/',
    'src/custom-domains/domain-name.ts',
    'src/fields/',
    'src/services/',
    'src/limits/rate-limits.ts',
    'src/page-text/page-document.ts',
    'src/page-text/custom-css.ts',
    'src/db/repositories.ts',
    'src/db/repositories/',
    'src/domain/',
  ],
  'src/http/bodies/': [
    'src/http/',
    'src/custom-domains/domain-name.ts',
    'src/fields/',
    'src/services/',
    'src/page-text/custom-css.ts',
    'src/db/repositories/',
    'src/domain/',
  ],
  'src/http/v1/': [
    'src/http/',
    'src/custom-domains/domain-name.ts',
    'src/fields/',
    'src/services/',
    'src/db/repositories.ts',
    'src/db/repositories/',
    'src/domain/',
  ],
  'src/http/public/': [
    'src/http/matches-etag.ts',
    'src/http/other-methods.ts',
    'src/http/site-mcp/answer-agent.ts',
    'src/http/parse.ts',
    'src/http/read-body.ts',
    'src/cdn/cache-tags.ts',
    'src/storage/storage.ts',
    'src/db/repositories.ts',
    'src/db/repositories/',
    'src/domain/',
  ],
  'src/http/site-mcp/': [
    'src/http/',
    // Forms of the words of a query, as in browsers.
    'src/theme/stemmers.ts',
    'src/storage/storage.ts',
    'src/db/repositories.ts',
    'src/db/repositories/',
    'src/domain/',
  ],
  'src/http/': [
    'src/dashboard/',
    'src/fields/',
    'src/metrics/metrics.ts',
    'src/custom-domains/domain-name.ts',
    'src/services/',
    'src/limits/rate-limits.ts',
    'src/limits/byte-budget.ts',
    'src/media/incoming-files.ts',
    'src/sections/validate.ts',
    'src/storage/storage.ts',
    'src/db/repositories.ts',
    'src/db/repositories/',
    'src/platform/',
    'src/domain/',
  ],
  // A third surface beside `http/current` and `http/v1`, which it does not import.
  'src/dashboard/': [
    'src/http/api.ts',
    'src/http/asset-schemas.ts',
    'src/http/bodies/',
    'src/http/client-address.ts',
    'src/http/middleware/',
    'src/http/other-methods.ts',
    'src/http/page-fields.ts',
    'src/http/parse.ts',
    'src/http/public/request-target.ts',
    'src/http/read-json.ts',
    'src/http/read-upload.ts',
    'src/http/receive-upload.ts',
    'src/http/request-cost.ts',
    'src/http/send-content.ts',
    'src/content-folder/netlify-redirects.ts',
    'src/content-folder/redirects.ts',
    'src/custom-domains/domain-name.ts',
    'src/fields/',
    'src/limits/rate-limits.ts',
    'src/media/incoming-files.ts',
    'src/services/',
    'src/sections/',
    'src/render/icons/lucide.ts',
    'src/theme/compact-css.ts',
    'src/theme/theme-manifest.ts',
    'src/db/repositories/',
    'src/platform/',
    'src/domain/',
  ],
  'src/client/': [],
  'src/openapi/': ['src/page-text/', 'src/sections/', 'src/domain/'],
  'src/content-folder/': [
    'src/fields/',
    'src/openapi/',
    'src/page-text/',
    'src/sections/',
    'src/platform/',
    'src/domain/',
  ],
  'src/link-check/': ['src/content-folder/site.ts', 'src/page-text/', 'src/platform/', 'src/domain/'],
  'src/convert/': ['src/platform/', 'src/content-folder/asset-file.ts', 'src/page-text/', 'src/domain/'],
  'src/site-build/': [
    'src/images/formats/',
    'src/images/svg/svg-size.ts',
    'src/images/svg/dark-drawing.ts',
    'src/images/image-processor.ts',
    'src/media/video-size.ts',
    'src/publish/',
    'src/content-folder/',
    'src/fields/',
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
  'src/push/': [
    'src/client/',
    'src/fields/',
    'src/content-folder/',
    'src/page-text/',
    'src/platform/',
    'src/domain/',
  ],
  'src/transfer/': [
    'src/client/',
    'src/fields/',
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
    'src/images/image-processor.ts',
    'src/media/video-size.ts',
    'src/preview-site/',
    'src/site-build/',
    'src/publish/',
    'src/content-folder/',
    'src/render/',
    'src/renderer/renderer.ts',
    'src/secrets/master-key.ts',
    'src/theme/theme.ts',
    'src/theme/theme-asset.ts',
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
    'src/page-text/component-directive.ts',
    'src/content-folder/',
    'src/theme/',
    'src/platform/',
    'src/domain/',
  ],
  'src/build-runtime/': [
    'src/images/',
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
    'src/backup/',
    'src/build-runtime/',
    'src/cdn/',
    'src/certificates/',
    'src/content-folder/',
    'src/convert/exports/',
    'src/convert/write-conversion.ts',
    'src/custom-domains/',
    'src/db/',
    'src/deploy/',
    'src/dev/',
    'src/domain/',
    'src/http/app.ts',
    'src/http/openapi/api-document.ts',
    'src/images/',
    'src/jobs/',
    'src/link-check/',
    'src/mail/',
    'src/limits/',
    'src/media/',
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
    'src/backup/',
    'src/client/',
    'src/content-folder/',
    'src/convert/',
    'src/custom-domains/domain-name.ts',
    'src/deploy/',
    'src/domain/',
    'src/link-check/',
    'src/openapi/',
    'src/page-text/',
    'src/platform/',
    'src/push/',
    'src/secrets/',
    'src/services/',
    'src/site-build/',
    'src/theme/',
    'src/theme-check/theme-diagnostic.ts',
    'src/transfer/',
    'src/db/repositories.ts',
    'src/db/repositories/',
    'src/http/connections/',
    'src/http/malformed-requests.ts',
    'src/http/present-audit.ts',
    'src/http/present-project.ts',
    'src/jobs/job-queue.ts',
    'src/storage/storage.ts',
    'src/storage/storage-url.ts',
  ],
}

/** Folders without input or output, a clock or randomness of their own. */
const PURE = /^src\/(domain|openapi|page-text|publish\/decide|sections|render)\//
const EFFECTFUL = /^(node:)?(fs|fs\/promises|net|http|https|child_process|worker_threads|timers|os|dns|tls)$/

interface Import {
  readonly source: string
  /** As written: a package, or a path. */
  readonly module: string
  /** The file it names; a path below `node_modules` for a package. */
  readonly target: string
  readonly isCircular: boolean
}

interface Rule {
  readonly claim: string
  readonly isBroken: (found: Import) => boolean
  /** An import that breaks it: a rule that cannot fail holds nothing. */
  readonly example: Partial<Import>
}

const RULES: readonly Rule[] = [
  {
    claim: 'a folder imports only what it may',
    isBroken: ({ source, target }) => {
      const folder = folderOf(source)
      const allowed = folder === null ? [] : [folder, ...(ALLOWED[folder] ?? [])]
      return target.startsWith('src/') && !allowed.some((path) => target.startsWith(path))
    },
    example: { source: 'src/cli/serve.ts', target: 'src/db/sqlite.ts' },
  },
  {
    claim: 'the two API surfaces do not import each other',
    isBroken: ({ source, target }) => {
      const [from, to] = [surfaceOf(source), surfaceOf(target)]
      return from !== null && to !== null && from !== to
    },
    example: { source: 'src/http/v1/operations.ts', target: 'src/http/current/present.ts' },
  },
  {
    claim: 'only commands import commands',
    isBroken: ({ source, target }) => target.startsWith('src/cli/') && !source.startsWith('src/cli/'),
    example: { source: 'src/app/service.ts', target: 'src/cli/serve.ts' },
  },
  {
    claim: 'only commands import the wiring',
    isBroken: ({ source, target }) => target.startsWith('src/app/') && !/^src\/(app|cli)\//.test(source),
    example: { source: 'src/services/pages/pages.ts', target: 'src/app/config.ts' },
  },
  {
    claim: 'pure folders do no input or output',
    isBroken: ({ source, module }) => PURE.test(source) && EFFECTFUL.test(module),
    example: { source: 'src/render/page/page-view.ts', module: 'node:fs/promises' },
  },
  {
    claim: 'the domain needs no package',
    isBroken: ({ source, target }) => source.startsWith('src/domain/') && !target.startsWith('src/'),
    example: { source: 'src/domain/page.ts', target: 'node_modules/zod/index.js' },
  },
  {
    claim: 'decisions about what is published need no package and no port',
    isBroken: ({ source, target }) =>
      source.startsWith('src/publish/decide/') && !/^src\/(domain|publish\/decide)\//.test(target),
    example: { source: 'src/publish/decide/claims.ts', target: 'node_modules/knex/knex.mjs' },
  },
  {
    claim: 'no import is part of a cycle, types included',
    isBroken: ({ isCircular }) => isCircular,
    example: { isCircular: true },
  },
]

let modules: readonly IModule[]

beforeAll(async () => {
  const { output } = await cruise(['src'], {
    baseDir: root,
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default'] },
  })
  modules = (output as ICruiseResult).modules.filter(({ source }) => source.startsWith('src/'))
})

describe('the source folders', () => {
  const files = readdirSync(`${root}src`, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => `src/${file}`)

  test('every source file was read', () => {
    expect(modules.map(({ source }) => source).sort()).toEqual(files.toSorted())
  })

  test('every import could be resolved', () => {
    const unresolved = modules.flatMap(({ source, dependencies }) =>
      dependencies
        .filter(({ couldNotResolve }) => couldNotResolve)
        .map(({ module }) => `${source} → ${module}`),
    )
    expect(unresolved).toEqual([])
  })

  test('every file is in a folder whose imports are listed, none at the root', () => {
    expect(files.filter((file) => folderOf(file) === null)).toEqual([])
  })

  test('every folder and file that may be imported exists', () => {
    const paths = Object.entries(ALLOWED).flat(2)
    expect(paths.filter((path) => !files.some((file) => file.startsWith(path)))).toEqual([])
  })

  test.each(RULES)('$claim', ({ isBroken }) => {
    expect(
      importsOf(modules)
        .filter(isBroken)
        .map(({ source, module }) => `${source} → ${module}`),
    ).toEqual([])
  })

  test.each(RULES)('an import that breaks a rule is found: $claim', ({ isBroken, example }) => {
    const allowed = { source: 'src/cli/a.ts', module: './b.ts', target: 'src/cli/b.ts', isCircular: false }
    expect(isBroken({ ...allowed, ...example })).toBe(true)
    expect(isBroken(allowed)).toBe(false)
  })
})

function importsOf(cruised: readonly IModule[]): readonly Import[] {
  return cruised.flatMap(({ source, dependencies }) =>
    dependencies.map(({ module, resolved, circular }) => ({
      source,
      module,
      target: resolved,
      isCircular: circular,
    })),
  )
}

/** The longest folder of `ALLOWED` that holds the file; null for none. */
function folderOf(file: string): string | null {
  const folders = Object.keys(ALLOWED).filter((folder) => file.startsWith(folder))
  return folders.sort((a, b) => b.length - a.length)[0] ?? null
}

/** `current` or `v1`; null for a file of neither. */
function surfaceOf(file: string): string | null {
  return /^src\/http\/(current|v1)\//.exec(file)?.[1] ?? null
}
