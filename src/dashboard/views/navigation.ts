import { createHash } from 'node:crypto'
import { ANY_PAGE } from '../../db/repositories/pages.ts'
import { ServiceError } from '../../domain/errors.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts'
import { publicUrlPath } from '../../domain/route.ts'
import type { DocsNavEntry, Settings } from '../../domain/settings.ts'
import { SETTINGS_FIELDS } from '../../fields/settings-fields.ts'
import type { ProjectWithSettings } from '../../services/projects/projects.ts'
import { may } from '../frame/frame.ts'
import { attempt, problemOf } from '../frame/problem.ts'
import {
  addedRow,
  type Column,
  changedRows,
  isBlank,
  MAX_ROWS,
  type Row,
  type RowTree,
  readRowAct,
  readRows,
  treeOf,
} from '../frame/rows.ts'
import type { DashboardContext, DashboardRouter, ViewPorts } from '../ports.ts'
import type { Words } from '../words/en.ts'
import { projectPath, settingsFrame } from './project-frame.ts'
import { projectRef } from './projects.ts'

const PATH = '/projects/:project/navigation'

/** Pages that are proposed as targets of links. */
const PROPOSED_PAGES = 100

/** A list in a setting, which is edited as rows. */
interface RowSetting {
  readonly table: 'header' | 'footer' | 'social' | 'legal' | 'docs' | 'routes'
  readonly key: 'navLinks' | 'sharedFooter' | 'docsNav' | 'siteRoutes'
  /** Levels below the first one. */
  readonly maxDepth: number
  readonly columns: (words: Words) => readonly Column[]
  readonly toRows: (settings: Settings) => readonly Row[]
  /**
   * The value of the setting as the API takes it. Errors of the schema name its entries.
   *
   * @param line typed below the rows; only the footer has it.
   */
  readonly toValue: (rows: readonly Row[], stored: Settings, line: string) => JsonValue
}

/** A list of settings that has a table in place of JSON. */
export const ROW_SETTINGS: readonly RowSetting[] = [
  {
    table: 'header',
    key: 'navLinks',
    maxDepth: 1,
    columns: ({ navigation: { label, href, icon, description, button, external } }) => [
      { name: 'label', label, kind: 'line' },
      { name: 'href', label: href, kind: 'line' },
      { name: 'icon', label: icon, kind: 'line' },
      { name: 'description', label: description, kind: 'line' },
      { name: 'button', label: button, kind: 'check' },
      { name: 'external', label: external, kind: 'check' },
    ],
    toRows: ({ navLinks }) => linkRows(navLinks, 0),
    toValue: (rows) =>
      treeOf(rows).map(({ values, children }) =>
        children.length > 0
          ? {
              label: values['label'] ?? '',
              links: children.map((child) => linkOf(child.values, ['icon', 'description'])),
            }
          : { ...linkOf(values, ['icon']), ...(values['button'] === 'yes' && { style: 'button' }) },
      ),
  },
  {
    table: 'footer',
    key: 'sharedFooter',
    maxDepth: 1,
    columns: linkColumns,
    toRows: ({ sharedFooter }) => linkRows(sharedFooter.links, 0),
    toValue: (rows, { sharedFooter }, copyright) => ({
      ...footerOf(sharedFooter),
      copyright,
      links: treeOf(rows).map(({ values, children }) =>
        children.length > 0
          ? {
              title: values['label'] ?? '',
              links: children.map((child) => linkOf(child.values, ['icon'])),
            }
          : linkOf(values, ['icon']),
      ),
    }),
  },
  {
    table: 'social',
    key: 'sharedFooter',
    maxDepth: 0,
    columns: (words) => linkColumns(words).filter(({ name }) => name !== 'external'),
    toRows: ({ sharedFooter: { social = [] } }) => linkRows(social, 0),
    toValue: (rows, { sharedFooter }) => ({
      ...footerOf(sharedFooter),
      social: rows.map(({ values }) => {
        const { label, ...link } = linkOf(values, ['icon'])
        return label === '' ? link : { ...link, label: label ?? '' }
      }),
    }),
  },
  {
    table: 'legal',
    key: 'sharedFooter',
    maxDepth: 0,
    columns: linkColumns,
    toRows: ({ sharedFooter: { legal = [] } }) => linkRows(legal, 0),
    toValue: (rows, { sharedFooter }) => ({
      ...footerOf(sharedFooter),
      legal: rows.map(({ values }) => linkOf(values, ['icon'])),
    }),
  },
  {
    table: 'docs',
    key: 'docsNav',
    maxDepth: 7,
    columns: ({ navigation: { docTitle, docSlug, badge, icon } }) => [
      { name: 'title', label: docTitle, kind: 'line' },
      { name: 'slug', label: docSlug, kind: 'line' },
      { name: 'badge', label: badge, kind: 'line' },
      { name: 'icon', label: icon, kind: 'line' },
    ],
    toRows: ({ docsNav }) => docsRows(docsNav, 0),
    toValue: (rows) => treeOf(rows).map(docsEntry),
  },
  {
    table: 'routes',
    key: 'siteRoutes',
    maxDepth: 0,
    columns: ({ navigation: { folder, path } }) => [
      { name: 'folder', label: folder, kind: 'line' },
      { name: 'path', label: path, kind: 'line' },
    ],
    toRows: ({ siteRoutes }) =>
      Object.entries(siteRoutes).map(([folder, path]) => ({ depth: 0, values: { folder, path } })),
    toValue: (rows) =>
      Object.fromEntries(rows.map(({ values }) => [values['folder'] ?? '', values['path'] ?? ''])),
  },
]

/** Header, footer, sidebar of the docs and routes, as rows that buttons move. */
export function navigationViews(router: DashboardRouter, ports: ViewPorts): void {
  const { frame, projects, pages, projectReader } = ports
  const { words } = frame

  router.get(PATH, (ctx) => showTables(ctx, { table: null, rows: [], error: null }))

  router.post(PATH, async (ctx) => {
    const { caller, form } = ctx.state
    const setting = ROW_SETTINGS.find(({ table }) => table === form.get('table'))
    if (setting === undefined) throw new ServiceError('invalid_request', 'The form names no list.')
    const rows = readRows(form, setting.table, setting.columns(words))
    const press = readRowAct(form.get('act'))
    if (press !== null && press.table === setting.table) {
      const changed =
        press.act === 'add' ? addedRow(rows) : changedRows(rows, press.act, press.index, setting.maxDepth)
      return showTables(ctx, { table: setting, rows: changed, error: null })
    }
    await attempt(
      async () => {
        const { project } = await projects.update(caller, projectRef(ctx), {
          changesOnlyStatus: () => false,
          read(current) {
            if (form.get('base') !== digestOf(setting, current))
              throw new ServiceError('precondition_failed', words.navigation.changed)
            const filled = rows.filter((row) => !isBlank(row))
            const value = setting.toValue(filled, current.settings.settings, form.get('copyright'))
            const body: JsonObject = { [SETTINGS_FIELDS[setting.key].name]: value }
            return {
              fields: {},
              settings: projectReader.readSettings(body, [], current.project.hosting.slugs),
            }
          },
        })
        frame.goTo(ctx, projectPath(project, '/navigation'), 'settingsSaved')
      },
      (error) => showTables(ctx, { table: setting, rows, error }),
    )
  })

  async function showTables(
    ctx: DashboardContext,
    editing: {
      readonly table: RowSetting | null
      readonly rows: readonly Row[]
      readonly error: ServiceError | null
    },
  ): Promise<void> {
    const found = await projects.get(ctx.state.caller, projectRef(ctx))
    const { project, settings } = found
    const { error } = editing
    const paging = { sort: 'page_name', order: 'asc', limit: PROPOSED_PAGES, offset: 0 } as const
    const { items, home } = await pages.list(ctx.state.caller, project.id, ANY_PAGE, paging)
    frame.show(ctx, 'navigation', {
      title: words.areas.navigation,
      script: may(ctx.state.standing ?? null, 'settings') ? 'rows' : null,
      ...settingsFrame(project, 'navigation', words, ctx.state.standing ?? null),
      problem: error && problemOf(error, words),
      path: projectPath(project, '/navigation'),
      settingsPath: projectPath(project, '/settings'),
      targets: items.map((page) => ({ title: page.title, path: publicUrlPath(page, home.siteRoutes) })),
      tables: ROW_SETTINGS.map((setting) => {
        const stored = setting.toRows(settings.settings)
        const isEdited = setting === editing.table
        return {
          key: setting.table,
          title: words.navigation.titles[setting.table],
          hint: words.navigation.hints[setting.table],
          maxDepth: setting.maxDepth,
          copyright:
            setting.table !== 'footer'
              ? null
              : isEdited
                ? ctx.state.form.get('copyright')
                : settings.settings.sharedFooter.copyright,
          isOpen: isEdited || (editing.table === null && setting.table === 'header'),
          isEdited,
          columns: setting.columns(words),
          base: digestOf(setting, found),
          rows: isEdited ? editing.rows : stored,
          isTooLong: stored.length > MAX_ROWS,
          theirs: isEdited && error?.name === 'precondition_failed' ? stored : null,
        }
      }),
    })
  }
}

function digestOf({ toRows }: RowSetting, { settings }: ProjectWithSettings): string {
  return createHash('sha256')
    .update(JSON.stringify(toRows(settings.settings)))
    .digest('base64url')
    .slice(0, 12)
}

function linkColumns({ navigation: { label, href, icon, external } }: Words): readonly Column[] {
  return [
    { name: 'label', label, kind: 'line' },
    { name: 'href', label: href, kind: 'line' },
    { name: 'icon', label: icon, kind: 'line' },
    { name: 'external', label: external, kind: 'check' },
  ]
}

/** Links, and groups of them with a label or a title. */
function linkRows(entries: readonly unknown[], depth: number): readonly Row[] {
  return entries.filter(isJsonObject).flatMap((entry): readonly Row[] => {
    const text = (value: unknown) => (typeof value === 'string' ? value : '')
    const check = (isChecked: boolean) => (isChecked ? 'yes' : '')
    const label = text(entry['title'] ?? entry['label'])
    if (Array.isArray(entry['links']))
      return [{ depth, values: { label } }, ...linkRows(entry['links'], depth + 1)]
    const values = {
      label,
      href: text(entry['href']),
      icon: text(entry['icon']),
      description: text(entry['description']),
      button: check(entry['style'] === 'button'),
      external: check(entry['external'] === true),
    }
    return [{ depth, values }]
  })
}

/** @param more optional fields, which are left out where they are empty. */
function linkOf(values: Readonly<Record<string, string>>, more: readonly string[]): JsonObject {
  const { label = '', href = '', external } = values
  const filled = more.flatMap((name) => (values[name] ? [[name, values[name]] as const] : []))
  return { label, href, ...Object.fromEntries(filled), ...(external === 'yes' && { external: true }) }
}

function footerOf(footer: Settings['sharedFooter']): JsonObject {
  return JSON.parse(JSON.stringify(footer)) as JsonObject
}

function docsRows(entries: readonly DocsNavEntry[], depth: number): readonly Row[] {
  return entries.flatMap(({ title, slug = '', badge = '', icon = '', children = [] }) => [
    { depth, values: { title, slug, badge, icon } },
    ...docsRows(children, depth + 1),
  ])
}

function docsEntry({ values, children }: RowTree): JsonObject {
  const { title = '', slug = '', badge = '', icon = '' } = values
  return {
    title,
    ...(slug !== '' && { slug }),
    ...(badge !== '' && { badge }),
    ...(icon !== '' && { icon }),
    ...(children.length > 0 && { children: children.map(docsEntry) }),
  }
}
