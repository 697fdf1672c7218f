import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../../src/domain/json.ts'
import { applyEdit, sectionsOf } from '../../../src/domain/page.ts'
import * as current from '../../../src/http/current/present.ts'
import { readUpdatePage } from '../../../src/http/v1/page-schemas.ts'
import {
  presentPage,
  presentPageItem,
  presentProject,
  presentProjectItem,
  presentPublished,
  presentSettings,
  presentUnpublished,
} from '../../../src/http/v1/present.ts'
import { createSettingsReader } from '../../../src/http/v1/settings-schemas.ts'
import { derive, resolvedFields } from '../../../src/page-text/derive.ts'
import { anyPage, anyProject, anySettings, THEMES } from '../../support/stored-values.ts'

const LATER = '2100-01-01T00:00:00.000Z'
const overWire = (value: object): JsonObject => JSON.parse(JSON.stringify(value))
const bare = (id: string) => id.replace(/^[a-z]+_/, '')

describe('a page on the legacy surface', () => {
  test('whatever is stored is shown, as JSON that loses nothing', () => {
    fc.assert(
      fc.property(anyPage, (page) => {
        for (const shown of [presentPage(page), presentPageItem({ ...page, sectionsCount: 0 })])
          expect(overWire(shown)).toEqual(shown)
      }),
    )
  })

  test('is accepted when it is sent back as it is shown, and nothing about it changes', () => {
    fc.assert(
      fc.property(anyPage, (page) => {
        const { edit } = readUpdatePage(overWire(presentPage(page)), page, THEMES, 'standard')
        const next = applyEdit(page, edit, { now: LATER, derive })
        expect(next).toEqual({ ...page, version: page.version + 1, updatedAt: next.updatedAt })
      }),
    )
  })

  test('agrees with the current surface in all that both show', () => {
    fc.assert(
      fc.property(anyPage, anyProject, (page, project) => {
        const shown = current.presentPage({
          page,
          fields: resolvedFields(page),
          home: { project, siteRoutes: {} },
          difference: { hasUnpublishedChanges: false, stale: [] },
          scheduledAt: null,
          source: null,
        })
        const legacy = presentPage(page)
        expect(legacy).toMatchObject({
          id: bare(shown.id),
          project_id: bare(shown.project_id),
          page_name: shown.page_name,
          slug: shown.slug,
          subroute: shown.subroute,
          config: shown.config,
          is_published: shown.status === 'published',
          created_at: shown.created_at,
          updated_at: shown.updated_at,
        })
        expect(legacy.markdown_content).toBe(shown.markdown_content ?? '')
      }),
    )
  })

  test('is in a list without its content, and otherwise the same', () => {
    fc.assert(
      fc.property(anyPage, (page) => {
        const { markdown_content: _, config: __, ...others } = presentPage(page)
        expect(presentPageItem({ ...page, sectionsCount: sectionsOf(page).length })).toEqual(others)
      }),
    )
  })

  test('has one of the three types that the surface knows', () => {
    fc.assert(
      fc.property(anyPage, (page) => {
        const names = { page: 'page', item: 'page', article: 'post', docs: 'doc' }
        expect(presentPage(page).type).toBe(names[page.type])
      }),
    )
  })

  test('is answered by its bare id when it is published or unpublished', () => {
    fc.assert(
      fc.property(anyPage, (page) => {
        const outcome = { publishedAt: LATER } as Parameters<typeof presentPublished>[0]['outcome']
        expect(presentPublished({ page, outcome, timings: { phases: null, totalMs: 0 } })).toEqual({
          page_id: page.id,
          status: 'published',
          published_at: LATER,
        })
        expect(presentUnpublished(page)).toEqual({ page_id: page.id, status: 'unpublished' })
      }),
    )
  })
})

describe('a project on the legacy surface', () => {
  const anyFound = fc.record({ project: anyProject, settings: anySettings }).map(({ project, settings }) => ({
    project,
    siteRoutes: settings.siteRoutes,
    pageCount: 0,
    domainProof: null,
    settings: { settings, updatedAt: project.updatedAt, version: 1 },
  }))

  test('has its domain among its settings, whatever a client once stored under that name', () => {
    fc.assert(
      fc.property(anyProject, (project) => {
        const legacySettings = { ...project.legacySettings, custom_domain: 'spoofed.example' }
        const shown = presentProject({ ...project, legacySettings })
        expect(shown.settings).toEqual({ ...legacySettings, custom_domain: project.hosting.customDomain })
        expect(shown).toMatchObject(presentProjectItem(project))
      }),
    )
  })

  test('has settings that are accepted back as they are shown, with no change', () => {
    const reader = createSettingsReader(THEMES)
    fc.assert(
      fc.property(anyFound, (found) => {
        const { settings } = found.settings
        const read = reader.read(overWire(presentSettings(found)), settings, 'standard')
        expect({ ...settings, ...read }).toEqual(settings)
      }),
    )
  })

  test('never shows the key of Data Mode', () => {
    fc.assert(
      fc.property(anyFound, (found) => {
        expect(presentSettings(found).data_mode).toEqual({
          enabled: found.project.hosting.mode === 'data_mode',
          content_key: null,
        })
      }),
    )
  })
})
