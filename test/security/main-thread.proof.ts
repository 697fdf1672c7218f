import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { pageMediaNames } from '../../src/domain/media-names.ts'
import { PAGE_TYPES } from '../../src/domain/page.ts'
import { derive, resolvedFields } from '../../src/page-text/derive.ts'
import { mayInclude } from '../../src/page-text/includes.ts'
import { isShortShown } from '../../src/page-text/page-variables.ts'
import { factsOf } from '../../src/publish/pipeline/page-keys.ts'
import { queriesOf } from '../../src/render/listing/collections.ts'
import { liveCard } from '../../src/render/listing/live-card.ts'
import { livePage } from '../support/live-page.ts'

/*
 * Every place of the main thread that parses or walks what tenants wrote, with its bound. All requests wait meanwhile, so that
 * a text is read here only if that is linear and limited; other work is for the processes of `src/renderer/` and `src/images/`.
 */

/** Code that runs in the main process only. */
const MAIN =
  /^src\/(?:services|http|dashboard|publish|db(?!\/migrations)|limits|webhooks|mail|jobs|renderer\/pool\.ts)/
/** Code and packages that parse or walk texts. */
const READS_TEXTS =
  /^(?:src\/(?:page-text|sections|render|openapi|content-folder)\/|src\/renderer\/in-process\.ts|src\/domain\/(?:media-names|variables)\.ts|src\/images\/svg\/|(?:diff|yaml|parse5|lightningcss|satteri|remark.*|rehype.*|mdast.*|hast.*)$)/

const ONE_PAGE = 'one walk over a page of 5 MiB at most, without parsing it'
const SHORT = 'texts of 32,768 code units at most; others are sent to a render process'
const FACTS = 'fields of live pages, each of a limited length; one entry for each page of a site'
const SECTIONS = 'one walk over the values of the sections of a page of 5 MiB at most'
const SETTINGS = 'settings, which have limits of their own'
const STORED = 'one document that is stored, which a render process has written within its limits'
const TYPES = 'names, which have limits of their own'

/** What is imported → its bound, and the files that import it. */
const PLACES: Readonly<Record<string, readonly [string, ...string[]]>> = {
  diff: [
    '20,000 lines that differ, and 25 ms; texts beyond are not compared',
    'dashboard/frame/text-diff.ts',
  ],
  'domain/media-names.ts': [
    'one walk over a page of 5 MiB at most; 1,000 names of 100,000 addresses',
    'db/page-rows.ts',
    'db/refreshes.ts',
    'db/releases.ts',
    'publish/pipeline/dead-links.ts',
    'publish/pipeline/media-warnings.ts',
    'publish/pipeline/projected-site.ts',
    'services/media/asset-details.ts',
    'services/media/assets.ts',
    'services/publishing/snapshots.ts',
    'services/publishing/staleness.ts',
  ],
  'page-text/custom-css.ts': [
    'one walk over CSS of 100 KB, without parsing it',
    'http/bodies/project-schemas.ts',
    'services/projects/styles.ts',
  ],
  'page-text/derive.ts': [
    'front matter of 64 KiB, and the first 65,536 code units of a text for its words',
    'services/pages/list-addresses.ts',
    'services/pages/pages.ts',
    'services/pages/write-page.ts',
    'services/pages/previews.ts',
    'services/pages/redirects.ts',
    'services/pushes/conflicts.ts',
    'services/pushes/sources.ts',
  ],
  'page-text/field-digests.ts': [ONE_PAGE, 'services/pushes/record-source.ts'],
  'page-text/includes.ts': [ONE_PAGE, 'services/publishing/included-pages.ts'],
  'page-text/page-digests.ts': [ONE_PAGE, 'services/pushes/sources.ts'],
  'page-text/page-includes.ts': [SHORT, 'services/publishing/page-texts.ts'],
  'page-text/page-variables.ts': [SHORT, 'services/publishing/page-texts.ts'],
  'page-text/snapshot.ts': [
    'front matter of 64 KiB; the rest of the text is not read',
    'services/publishing/snapshots.ts',
  ],
  'render/docs/docs-nav.ts': [
    FACTS,
    'publish/data-mode/change-data-mode.ts',
    'publish/pipeline/next-indexes.ts',
    'publish/pipeline/projected-site.ts',
    'publish/recovery/rebuild-indexes.ts',
    'publish/recovery/revert.ts',
    'services/pages/previews.ts',
    'services/publishing/staleness.ts',
  ],
  'render/icons/lucide.ts': [TYPES, 'dashboard/frame/frame.ts'],
  'render/links/links.ts': [FACTS, 'publish/pipeline/dead-links.ts'],
  'render/listing/collections.ts': [
    SECTIONS,
    'publish/pipeline/live-page-row.ts',
    'publish/pipeline/projected-site.ts',
    'publish/recovery/restore-page.ts',
    'services/pages/pages.ts',
    'services/pages/previews.ts',
  ],
  'render/listing/live-card.ts': [FACTS, 'publish/pipeline/projected-site.ts', 'services/pages/previews.ts'],
  'render/page/completed-payload.ts': [STORED, 'publish/data-mode/seal.ts'],
  'render/page/feed-id-warnings.ts': [FACTS, 'publish/pipeline/batch.ts'],
  'render/page/icon-recipes.ts': [SETTINGS, 'services/publishing/social-pictures.ts'],
  'render/page/social-image.ts': [SETTINGS, 'services/publishing/social-pictures.ts'],
  'render/page/surroundings.ts': [SETTINGS, 'publish/pipeline/surroundings.ts'],
  'render/search/search-index.ts': [
    'words of 24 pages at a time, each with limits of its own',
    'publish/search/next-search.ts',
    'publish/search/search-keys.ts',
    'publish/search/update-search-index.ts',
  ],
  'render/site-files/feeds.ts': [
    FACTS,
    'publish/pipeline/feed-times.ts',
    'publish/pipeline/live-page-row.ts',
    'publish/pipeline/next-indexes.ts',
    'publish/recovery/rebuild-indexes.ts',
    'renderer/pool.ts',
  ],
  'render/site-files/llms.ts': [
    FACTS,
    'publish/pipeline/live-page-row.ts',
    'publish/search/search-keys.ts',
    'publish/search/stored-full-text.ts',
  ],
  'render/site-files/manifest.ts': [
    FACTS,
    'publish/data-mode/re-encrypt.ts',
    'publish/pipeline/live-page-row.ts',
  ],
  'render/site-files/redirect.ts': [
    'facts of pages, and 10,000 redirects of a project of 4 KiB each',
    'publish/pipeline/redirects.ts',
    'publish/pipeline/site-redirects.ts',
  ],
  'content-folder/netlify-redirects.ts': ['a file of 1 MiB by its lines', 'dashboard/views/redirects.ts'],
  'content-folder/redirects.ts': [
    'a file of 1 MiB by its lines, and 32 Ki code units of other YAML',
    'dashboard/views/redirects.ts',
  ],
  'render/site-files/site-keys.ts': [SETTINGS, 'publish/recovery/revert.ts'],
  'render/site-files/sitemap.ts': [FACTS, 'publish/pipeline/live-page-row.ts'],
  'renderer/in-process.ts': [
    'indexes of a site, one line for each live page, and documents of 16 KiB at most',
    'renderer/pool.ts',
  ],
  'sections/catalogue.ts': [SECTIONS, 'dashboard/frame/section-fields.ts', 'dashboard/views/sections.ts'],
  'sections/collection-query.ts': [SECTIONS, 'services/pages/pages.ts'],
  'sections/common.ts': [SECTIONS, 'dashboard/frame/section-fields.ts'],
  'sections/normalize.ts': [SECTIONS, 'dashboard/frame/section-fields.ts'],
  'sections/validate.ts': [SECTIONS, 'http/page-fields.ts'],
}

const root = fileURLToPath(new URL('../../', import.meta.url))

test('every place of the main thread that reads texts of tenants is listed with its bound', () => {
  const listed = Object.entries(PLACES).flatMap(([target, [, ...users]]) =>
    users.map((user) => `${user} → ${target}`),
  )
  expect(found()).toEqual(listed.sort())
})

function found(): readonly string[] {
  const files = readdirSync(`${root}src`, { recursive: true, encoding: 'utf8' })
    .map((file) => `src/${file}`)
    .filter((file) => file.endsWith('.ts') && MAIN.test(file))
  return files
    .flatMap((file) =>
      valueImports(readFileSync(root + file, 'utf8')).map(
        (module) => [file, resolved(module, file)] as const,
      ),
    )
    .filter(([, target]) => READS_TEXTS.test(target))
    .map(([file, target]) => `${file.slice('src/'.length)} → ${target.replace(/^src\//, '')}`)
    .sort()
}

/** Modules of which more than types are imported. */
function valueImports(source: string): readonly string[] {
  const imports = source.matchAll(/^(?:import|export) (?!type )(?:(\{[^}]*\}|[^'"{}]+?) from )?'([^']+)'/gm)
  return [...imports].flatMap(([, names = '', module = '']) => {
    const isTypes =
      names.startsWith('{') &&
      names
        .slice(1, -1)
        .split(',')
        .every((name) => /^\s*(?:type .*)?$/s.test(name))
    return isTypes ? [] : [module]
  })
}

function resolved(module: string, file: string): string {
  return module.startsWith('.') ? new URL(module, `file:///${file}`).pathname.slice(1) : module
}

/** CPU time in ms that a page of the largest size may take at each of these places. */
const MAX_MS = 200
const LENGTH = 5_000_000
const ATTEMPTS = 3
const PIECES = [
  ...[
    'x',
    '\n',
    ' ',
    '`',
    '```\n',
    '> ```\n',
    '``x` ',
    '[',
    '<a ',
    '- ',
    '> ',
    '# a\n',
    '---\n',
    'a: b\n',
    '{{a}}',
  ],
  ...[
    '::include{page="/a"}\n',
    ':::\n',
    '/media/a.png ',
    '"/media/a',
    '\\',
    '|',
    '&',
    '😀',
    '[a]: b\n',
    '[a](b) ',
    '<!--',
  ],
]

test('a page of 5 MB takes a moment at each place that reads it whole, whatever it is made of', () => {
  const slow: object[] = []
  for (const piece of PIECES)
    for (const type of PAGE_TYPES) {
      const markdown = piece.repeat(LENGTH / piece.length)
      const live = livePage({ page: { type, markdown } })
      const { page } = live
      const places: Readonly<Record<string, () => unknown>> = {
        derive: () => derive(page),
        resolvedFields: () => resolvedFields(page),
        mayInclude: () => mayInclude(markdown),
        isShortShown: () => isShortShown(page, { a: 'b' }),
        pageMediaNames: () => pageMediaNames(page),
        queriesOf: () => queriesOf(live),
        factsOf: () => factsOf(live),
        ...(type === 'article' && { liveCard: () => liveCard(live, '/a', '2026-01-01T00:00:00.000Z') }),
      }
      for (const [name, work] of Object.entries(places)) {
        const ms = fastest(work)
        if (ms > MAX_MS) slow.push({ name, piece, type, ms })
      }
    }
  expect(slow).toEqual([])
})

/** The least CPU time of some attempts, since other work of the machine only adds to it. */
function fastest(work: () => unknown): number {
  let least = Number.POSITIVE_INFINITY
  for (let attempt = 0; attempt < ATTEMPTS && least > MAX_MS / 2; attempt++) {
    const before = process.cpuUsage()
    work()
    const { user, system } = process.cpuUsage(before)
    least = Math.min(least, (user + system) / 1000)
  }
  return least
}
