import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { newDomainProof } from '../../../src/domain/domain-proof.ts'
import type { ReleaseId } from '../../../src/domain/ids.ts'
import type { JsonObject } from '../../../src/domain/json.ts'
import { applyEdit, type Page, sectionsOf } from '../../../src/domain/page.ts'
import type { ReleaseState } from '../../../src/domain/release.ts'
import { readUpdatePage } from '../../../src/http/bodies/page-schemas.ts'
import { createProjectReader } from '../../../src/http/bodies/project-schemas.ts'
import {
  presentChangedDataMode,
  presentCreatedPage,
  presentDryRun,
  presentFrontMatter,
  presentPage,
  presentPageItem,
  presentPageItemWithContent,
  presentPublished,
  presentRelease,
  presentSettings,
  presentUpdatedPage,
  shownContent,
} from '../../../src/http/current/present.ts'
import { derive, resolvedFields } from '../../../src/page-text/derive.ts'
import type { PageDetails } from '../../../src/services/pages/pages.ts'
import { anyId, anyPage, anyProject, anySettings, shownFields, THEMES } from '../../support/stored-values.ts'

const ADDRESSES = { contentUrl: 'https://content.example', sitesDomain: 'sites.example' }
const LATER = '2100-01-01T00:00:00.000Z'

const anyDetails = fc
  .record({ page: anyPage, project: anyProject, settings: anySettings, changed: fc.boolean() })
  .map(
    ({ page, project, settings, changed }): PageDetails => ({
      page,
      fields: resolvedFields(page),
      home: { project, siteRoutes: settings.siteRoutes },
      difference: { hasUnpublishedChanges: changed, stale: changed ? ['content'] : [] },
      scheduledAt: null,
      source: null,
    }),
  )

const anyFound = fc
  .record({ project: anyProject, settings: anySettings, plaintextPages: fc.nat() })
  .map(({ project, settings, plaintextPages }) => ({
    project,
    siteRoutes: settings.siteRoutes,
    pageCount: 1,
    domainProof: project.hosting.customDomain === null ? null : newDomainProof('pending', project.updatedAt),
    settings: { settings, updatedAt: project.updatedAt, version: 1 },
    plaintextPages,
  }))

const overWire = (value: object): JsonObject => JSON.parse(JSON.stringify(value))
const listOf = ({ page, home, difference }: PageDetails) => ({
  home,
  differences: new Map([[page.id, difference]]),
  schedules: new Map(),
})
const contentOf = ({
  title,
  slug,
  subroute,
  type,
  description,
  ogImageUrl,
  meta,
  config,
  markdown,
}: Page) => ({
  ...{ title, slug, subroute, type, description, ogImageUrl, meta, config, markdown },
})

describe('a page', () => {
  test('whatever is stored is shown in every form, as JSON that loses nothing', () => {
    fc.assert(
      fc.property(anyDetails, (details) => {
        const { page } = details
        const summary = { ...page, sectionsCount: sectionsOf(page).length }
        for (const shown of [
          presentPage(details),
          presentUpdatedPage(details),
          presentFrontMatter(details),
          presentCreatedPage(details, ADDRESSES),
          presentPageItem(summary, listOf(details)),
          presentPageItemWithContent(page, listOf(details)),
        ])
          expect(overWire(shown)).toEqual(shown)
      }),
    )
  })

  test('is accepted when it is sent back as it is shown, and nothing about it changes', () => {
    fc.assert(
      fc.property(anyDetails, (details) => {
        const { page, fields } = details
        for (const shown of [presentPage(details), presentUpdatedPage(details)]) {
          const { edit } = readUpdatePage(
            overWire(shown),
            page,
            shownFields(page, fields),
            THEMES,
            'standard',
          )
          const next = applyEdit(page, edit, { now: LATER, derive })
          expect(contentOf(next)).toEqual(contentOf(page))
          expect(next.ownFields).toEqual(page.ownFields)
          expect(next.contentDigest).toBe(page.contentDigest)
        }
      }),
    )
  })

  test('is the same in a list, alone and as front matter, in all that they share', () => {
    fc.assert(
      fc.property(anyDetails, (details) => {
        const alone = presentPage(details)
        const { meta: _, ...item } = presentPageItemWithContent(details.page, listOf(details))
        expect(alone).toMatchObject(item)
        const { title, ...document } = presentFrontMatter(details)
        expect(title).toBe(alone.page_name)
        expect(alone).toMatchObject(document)
      }),
    )
  })

  test('has a path that begins with a slash, and an absolute URL that ends in it', () => {
    fc.assert(
      fc.property(anyDetails, (details) => {
        const { url: path } = presentPage(details)
        const { url } = presentCreatedPage(details, ADDRESSES)
        expect(path).toMatch(/^\/(?!\/)/)
        expect(url.endsWith(path)).toBe(true)
        expect(URL.canParse(url)).toBe(true)
      }),
    )
  })

  test('has the fields of its type and of no other type', () => {
    fc.assert(
      fc.property(anyDetails, (details) => {
        const own = ['publish_date', 'author', 'nav_order', 'parent_page'].filter(
          (name) => name in presentPage(details),
        )
        const { type } = details.page
        const expected = { article: ['publish_date', 'author'], docs: ['nav_order', 'parent_page'] }
        expect(own).toEqual(type === 'article' || type === 'docs' ? expected[type] : [])
      }),
    )
  })

  test('is shown without its sections or its Markdown when the client does not want them', () => {
    fc.assert(
      fc.property(anyDetails, (details) => {
        const { sections: _, ...others } = details.page.config
        const bare = presentPage(details, { sections: false, markdown: false })
        expect(bare.config).toEqual(others)
        expect(bare).not.toHaveProperty('markdown_content')
        expect(shownContent(details.page, { sections: false, markdown: false })).toMatchObject({
          config: others,
          markdown: '',
        })
        expect(presentPage(details)).toMatchObject({ ...bare, config: details.page.config })
      }),
    )
  })

  test('without Markdown has null only where the type is written in config', () => {
    fc.assert(
      fc.property(anyDetails, ({ page, ...details }) => {
        const shown = presentPage({ ...details, page: { ...page, markdown: '' } })
        const byConfig = page.type === 'page' || page.type === 'item'
        expect(shown.markdown_content).toBe(byConfig ? null : '')
      }),
    )
  })
})

describe('settings', () => {
  test('are accepted when they are sent back as shown, each with its stored value', () => {
    const reader = createProjectReader(THEMES, { ownHosts: [], needsProof: true }, null)
    fc.assert(
      fc.property(anyFound, (found) => {
        const shown = overWire(presentSettings(found, ADDRESSES))
        expect(reader.readSettings(shown, [], 'standard')).toEqual(found.settings.settings)
      }),
    )
  })

  test('say where encrypted pages are only in Data Mode, and how many pages are not encrypted yet', () => {
    fc.assert(
      fc.property(anyFound, (found) => {
        const { data_mode: dataMode, hosting_mode: mode } = presentSettings(found, ADDRESSES)
        const enabled = found.project.hosting.mode === 'data_mode'
        expect(dataMode.enabled).toBe(enabled)
        expect(mode === 'data').toBe(enabled)
        expect(dataMode).toEqual(
          enabled
            ? {
                enabled,
                cdn_base: `https://content.example/proj_${found.project.id}/`,
                plaintext_pages: found.plaintextPages,
              }
            : { enabled, cdn_base: null },
        )
      }),
    )
  })
})

test('the key of Data Mode is in the answer that enables it, and in no answer without one', () => {
  const [project] = fc.sample(anyProject, 1)
  if (project === undefined) throw new RangeError('fast-check made no project.')
  const enabled = presentChangedDataMode({ project, contentKey: 'secret' } as never, ADDRESSES)
  expect(enabled).toMatchObject({ data_mode: { enabled: true }, encryption_key: 'secret' })
  const disabled = presentChangedDataMode({ project, contentKey: null } as never, ADDRESSES)
  expect(disabled).not.toHaveProperty('encryption_key')
  expect(disabled.data_mode).toEqual({ enabled: false, cdn_base: null })
})

describe('a publish', () => {
  const [page] = fc.sample(anyPage, 1) as [Page]
  const [id] = fc.sample(anyId, 1) as [ReleaseId]
  const outcome = {
    publishedAt: LATER,
    url: 'https://a.example/',
    releaseId: id,
    changed: true,
    warnings: [],
  }
  const anyTimings = fc.record({
    phases: fc.option(fc.record({ claim: time(), render: time(), upload: time(), commit: time() }), {
      nil: null,
    }),
    totalMs: time(),
  })

  function time() {
    return fc.double({ min: 0, max: 100_000, noNaN: true })
  }

  test('says that nothing changed, and its warnings, only when there is something to say', () => {
    const timings = { phases: null, totalMs: 1 }
    const shown = presentPublished({ page, outcome, timings })
    expect(Object.keys(shown)).toEqual(['id', 'status', 'published_at', 'url', 'release_id'])
    const warning = { code: 'QN-DEADLINK', at: null, message: 'A link leads nowhere.' } as const
    const warned = { ...outcome, changed: false, warnings: [warning] }
    expect(presentPublished({ page, outcome: warned, timings })).toMatchObject({
      changed: false,
      warnings: [warning],
    })
  })

  test('has times that are never negative, rounded to tenths of a millisecond', () => {
    fc.assert(
      fc.property(anyTimings, (timings) => {
        const { timings: shown = {} } = presentPublished({ page, outcome, timings }, true)
        expect(Object.keys(shown)).toEqual(
          ['wait', 'claim', 'render', 'upload', 'commit', 'total'].map((phase) => `${phase}_ms`),
        )
        for (const ms of Object.values(shown)) {
          expect(ms).toBeGreaterThanOrEqual(0)
          expect(Math.round(ms * 10) / 10).toBe(ms)
        }
      }),
    )
  })

  test('as a dry run names every object with what would happen to it, and why', () => {
    const objects = [{ key: 'a/index.html', action: 'upload', reason: 'new', size: 12, body: 'private' }]
    const shown = presentDryRun({ page, plan: { outcome, objects } as never })
    expect(shown).toMatchObject({ dry_run: true, status: page.status, changed: true, warnings: [] })
    expect(shown.objects).toEqual([{ key: 'a/index.html', action: 'upload', reason: 'new', size: 12 }])
  })
})

describe('a release', () => {
  const release = (state: ReleaseState, more: object = {}) =>
    presentRelease({
      id: 'a'.repeat(16) as ReleaseId,
      op: 'publish',
      state,
      restores: null,
      failure: null,
      title: 'A',
      path: '/a',
      actor: null,
      isCurrent: false,
      createdAt: LATER,
      finishedAt: null,
      ...more,
    })

  test('has one of four states, and one that is being reverted has failed already', () => {
    const states = ['queued', 'claimed', 'live', 'failed', 'reverting', 'reverted'] as const
    expect(states.map((state) => release(state).state)).toEqual([
      ...['queued', 'running', 'succeeded', 'failed', 'failed', 'failed'],
    ])
  })

  test('says which release it restores, and the message of its failure but no name', () => {
    expect(release('live', { op: 'rollback', restores: 'b'.repeat(16) }).restores).toBe(
      `rel_${'b'.repeat(16)}`,
    )
    const failure = { name: 'internal_error', message: 'The store does not respond.' }
    expect(release('failed', { failure }).error).toBe('The store does not respond.')
    expect(release('live', { op: 'delete-page' }).op).toBe('delete')
  })
})
