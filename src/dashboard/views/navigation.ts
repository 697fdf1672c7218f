import { createHash } from 'node:crypto'
import { ServiceError } from '../../domain/errors.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts'
import type { DocsNavEntry, Settings } from '../../domain/settings.ts'
import { SETTINGS_FIELDS } from '../../fields/settings-fields.ts'
import { createProjectReader } from '../../http/bodies/project-schemas.ts'
import type { ProjectWithSettings } from '../../services/projects/projects.ts'
import { attempt, problemOf } from '../frame/problem.ts'
import {
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

/** A setting that is edited as rows. */
interface RowSetting {
  readonly key: 'navLinks' | 'sharedFooter' | 'docsNav' | 'siteRoutes'
  /** Levels below the first one. */
  readonly maxDepth: number
  readonly columns: (words: Words) => readonly Column[]
  readonly toRows: (settings: Settings) => readonly Row[]
  /** The value as the API takes it. @param line what is typed below the rows; only the footer has it. */
  readonly toValue: (rows: readonly Row[], line: string) => JsonValue
}

const check = (value: unknown) => (value === true ? 'yes' : '')

/** The lists of settings that have a table in place of JSON, by their names in the API. */
export const ROW_SETTINGS: readonly RowSetting[] = [
  {
    key: 'navLinks',
    maxDepth: 0,
    columns: ({ navigation: { label, href, external } }) => [
      { name: 'label', label, kind: 'line' },
      { name: 'href', label: href, kind: 'line' },
      { name: 'external', label: external, kind: 'check' },
    ],
    toRows: ({ navLinks }) => navLinks.map((link) => ({ depth: 0, values: linkValues(link) })),
    toValue: (rows) => rows.map(({ values }) => linkOf(values)),
  },
  {
    key: 'sharedFooter',
    maxDepth: 1,
    columns: ({ navigation: { label, href, external } }) => [
      { name: 'label', label, kind: 'line' },
      { name: 'href', label: href, kind: 'line' },
      { name: 'external', label: external, kind: 'check' },
    ],
    toRows: ({ sharedFooter }) => footerRows(sharedFooter.links, 0),
    toValue: (rows, copyright) => ({
      copyright,
      links: treeOf(rows).map(({ values, children }) =>
        children.length > 0
          ? { title: values['label'] ?? '', links: children.map((child) => linkOf(child.values)) }
          : linkOf(values),
      ),
    }),
  },
  {
    key: 'docsNav',
    maxDepth: 7,
    columns: ({ navigation: { docTitle, docSlug, badge } }) => [
      { name: 'title', label: docTitle, kind: 'line' },
      { name: 'slug', label: docSlug, kind: 'line' },
      { name: 'badge', label: badge, kind: 'line' },
    ],
    toRows: ({ docsNav }) => docsRows(docsNav, 0),
    toValue: (rows) => treeOf(rows).map(docsEntry),
  },
  {
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
  const { frame, projects, themes, domainRules, addresses } = ports
  const { words } = frame
  const reader = createProjectReader(themes, domainRules, addresses.sitesDomain)

  router.get(PATH, (ctx) => showTables(ctx, { table: null, rows: [], error: null }))

  router.post(PATH, async (ctx) => {
    const { caller, form } = ctx.state
    const setting = ROW_SETTINGS.find(({ key }) => key === form.get('table'))
    if (setting === undefined) throw new ServiceError('invalid_request', 'The form names no list.')
    const rows = readRows(form, setting.key, setting.columns(words))
    const press = readRowAct(form.get('act'))
    if (press !== null && press.table === setting.key) {
      const changed = changedRows(rows, press.act, press.index, setting.maxDepth)
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
            const value = setting.toValue(filled, form.get('copyright'))
            const body: JsonObject = { [SETTINGS_FIELDS[setting.key].name]: value }
            return {
              fields: {},
              settings: reader.readSettings(body, [], current.project.hosting.slugs),
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
    frame.show(ctx, 'navigation', {
      title: words.areas.navigation,
      ...settingsFrame(project, 'navigation', words, ctx.state.standing ?? null),
      problem: error && problemOf(error, words),
      path: projectPath(project, '/navigation'),
      settingsPath: projectPath(project, '/settings'),
      tables: ROW_SETTINGS.map((setting) => {
        const stored = setting.toRows(settings.settings)
        const isEdited = setting === editing.table
        return {
          key: setting.key,
          title: words.navigation.titles[setting.key],
          hint: words.navigation.hints[setting.key],
          hasDepth: setting.maxDepth > 0,
          copyright:
            setting.key !== 'sharedFooter'
              ? null
              : isEdited
                ? ctx.state.form.get('copyright')
                : settings.settings.sharedFooter.copyright,
          isOpen: isEdited || (editing.table === null && setting.key === 'navLinks'),
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

/** Links, and groups of them with a title. */
function footerRows(entries: readonly JsonValue[], depth: number): readonly Row[] {
  return entries.filter(isJsonObject).flatMap((entry): readonly Row[] => {
    const { title, links, label, href, external } = entry
    if (Array.isArray(links))
      return [{ depth, values: { label: String(title ?? '') } }, ...footerRows(links, depth + 1)]
    const values = { label: String(label ?? ''), href: String(href ?? ''), external: check(external) }
    return [{ depth, values }]
  })
}

function linkValues({
  label,
  href,
  external,
}: {
  readonly label: string
  readonly href: string
  readonly external?: boolean | undefined
}) {
  return { label, href, external: check(external) }
}

function linkOf({ label = '', href = '', external }: Readonly<Record<string, string>>): JsonObject {
  return { label, href, ...(external === 'yes' && { external: true }) }
}

function docsRows(entries: readonly DocsNavEntry[], depth: number): readonly Row[] {
  return entries.flatMap(({ title, slug = '', badge = '', children = [] }) => [
    { depth, values: { title, slug, badge } },
    ...docsRows(children, depth + 1),
  ])
}

function docsEntry({ values, children }: RowTree): JsonObject {
  const { title = '', slug = '', badge = '' } = values
  return {
    title,
    ...(slug !== '' && { slug }),
    ...(badge !== '' && { badge }),
    ...(children.length > 0 && { children: children.map(docsEntry) }),
  }
}
