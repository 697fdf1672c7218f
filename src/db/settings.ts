import type { Knex } from 'knex'
import type { ProjectId } from '../domain/ids.ts'
import type { Settings } from '../domain/settings.ts'
import type { SettingsRepository } from './repositories.ts'

/** A row as it is written: plain columns and JSON ones. */
type Written = Readonly<Record<string, string | number | null>>
type Row = Readonly<Record<keyof typeof COLUMNS | 'updated_at', string>> & { readonly version: number }

const COLUMNS = {
  theme: 'theme',
  favicon_url: 'faviconUrl',
  logo_url: 'logoUrl',
  og_image_url: 'ogImageUrl',
  meta_title: 'metaTitle',
  meta_description: 'metaDescription',
  google_analytics_id: 'googleAnalyticsId',
  custom_css: 'customCss',
  custom_head_html: 'customHeadHtml',
  footer_text: 'footerText',
  nav_links: 'navLinks',
  docs_nav: 'docsNav',
  shared_footer: 'sharedFooter',
  branding: 'branding',
  site_routes: 'siteRoutes',
} as const satisfies Record<string, keyof Settings>

const JSON_FIELDS: ReadonlySet<keyof Settings> = new Set([
  'navLinks',
  'docsNav',
  'sharedFooter',
  'branding',
  'siteRoutes',
])

/** @param db a Knex instance or, inside a transaction, the transaction. */
export function createSettingsRepository(db: Knex): SettingsRepository {
  return {
    async find(projectId) {
      const row = await db('settings').where({ project_id: projectId }).first<Row | undefined>()
      if (row === undefined) throw new Error(`The settings row of project ${projectId} is missing.`)
      return { settings: toSettings(row), updatedAt: row.updated_at, version: row.version }
    },

    async update(projectId, fields, now) {
      await db('settings')
        .where({ project_id: projectId })
        .update({ ...settingsColumns(fields), updated_at: now })
        .increment('version', 1)
    },
  }
}

/** The row of a new project's settings. */
export function newSettingsRow(projectId: ProjectId, settings: Settings, now: string): Written {
  return { project_id: projectId, ...settingsColumns(settings), updated_at: now, version: 1 }
}

function settingsColumns(fields: { readonly [K in keyof Settings]?: Settings[K] | undefined }): Written {
  const supplied = Object.entries(COLUMNS).filter(([, name]) => fields[name] !== undefined)
  return Object.fromEntries(
    supplied.map(([column, name]) => [
      column,
      JSON_FIELDS.has(name) ? JSON.stringify(fields[name]) : (fields[name] as string | null),
    ]),
  )
}

function toSettings(row: Row): Settings {
  const entries = Object.entries(COLUMNS).map(([column, name]) => {
    const value = row[column as keyof typeof COLUMNS]
    return [name, JSON_FIELDS.has(name) ? JSON.parse(value) : value]
  })
  return Object.fromEntries(entries) as Settings
}
