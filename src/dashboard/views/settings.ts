import type { ParseIssue } from '../../domain/diagnostic.ts'
import { fieldFailure } from '../../domain/field-errors.ts'
import type { JsonObject, JsonValue } from '../../domain/json.ts'
import type { Settings } from '../../domain/settings.ts'
import { SETTINGS_FIELDS, type SettingKey } from '../../fields/settings-fields.ts'
import { SETTING_KEYS } from '../../fields/settings-record.ts'
import { projectName } from '../../fields/values.ts'
import type { ProjectWithSettings } from '../../services/projects/projects.ts'
import {
  type Control,
  controlOf,
  type FieldShape,
  plainControl,
  readValue,
  typed,
} from '../frame/controls.ts'
import { attempt, type Problem, problemOf, withFaults } from '../frame/problem.ts'
import { type Editing, formChanges, shownForm } from '../frame/stored-form.ts'
import type { DashboardContext, DashboardRouter, ViewPorts } from '../ports.ts'
import { ROW_SETTINGS } from './navigation.ts'
import { projectPath, settingsFrame } from './project-frame.ts'
import { projectRef } from './projects.ts'
import { THEME_SETTINGS } from './theme.ts'

const PATH = '/projects/:project/settings'

/** Groups of the form by setting. A setting that is not named here is in the last one, so a new one needs no line. */
const GROUPS = [
  {
    name: 'search',
    keys: ['metaTitle', 'metaDescription', 'socialCards', 'googleAnalyticsId', 'mcp'],
  },
  { name: 'code', keys: ['customCss', 'customHeadHtml'] },
] as const satisfies readonly { readonly name: string; readonly keys: readonly SettingKey[] }[]

/** Shown next to the name of the project. */
const GENERAL: readonly string[] = ['name', SETTINGS_FIELDS.siteName.name]

/** Edited in views of their own. */
const ELSEWHERE: readonly string[] = [
  ...ROW_SETTINGS.map(({ key }) => key),
  ...THEME_SETTINGS,
  'visits' as const,
  'byLocale' as const,
].map((key) => SETTINGS_FIELDS[key].name)

const CODE: readonly SettingKey[] = ['customCss', 'customHeadHtml']
/** Settings whose empty control is not null. */
const EMPTY: Readonly<Partial<Record<SettingKey, JsonValue>>> = {
  data: {},
  locales: [],
  versions: [],
  variables: {},
}

/** The settings of a project, created from their table, and the deletion of the project. */
export function settingsViews(router: DashboardRouter, ports: ViewPorts): void {
  const { frame, projects, styles, publishing, projectReader } = ports
  const { words } = frame

  router.get(PATH, (ctx) => showSettings(ctx, { error: null }))

  router.post(PATH, async (ctx) => {
    const { caller, form } = ctx.state
    const ref = projectRef(ctx)
    const changes = formChanges(form, words.settings.changed)
    await attempt(
      async () => {
        const styleFaults = form.has('custom_css')
          ? await styles.issues(caller, ref, form.get('custom_css') || null)
          : []
        const { project } = await projects.update(caller, ref, {
          changesOnlyStatus: () => false,
          read(current) {
            return readChange(changes.read(settingsControls(current)), current, styleFaults)
          },
        })
        frame.goTo(ctx, projectPath(project, '/settings'), 'settingsSaved')
      },
      (error) => showSettings(ctx, { error, changes: changes.last() }),
    )
  })

  for (const [name, status, done] of [
    ['archive', 'archived', 'projectArchived'],
    ['restore', 'active', 'projectRestored'],
  ] as const)
    router.post(`${PATH}/${name}`, async (ctx) => {
      await attempt(
        async () => {
          const { project } = await projects.update(ctx.state.caller, projectRef(ctx), {
            changesOnlyStatus: () => true,
            read: () => ({ fields: { status }, settings: {} }),
          })
          frame.goTo(ctx, projectPath(project, '/settings'), done)
        },
        (error) => showSettings(ctx, { error }),
      )
    })

  router.post(`${PATH}/delete`, async (ctx) => {
    const { caller, form } = ctx.state
    await attempt(
      async () => {
        await publishing.removeProject(caller, projectRef(ctx), ({ name }) => {
          if (form.get('confirm').trim() !== name.trim())
            throw fieldFailure('validation_error', [
              { path: 'confirm', message: words.settings.confirmFault },
            ])
        })
        frame.goTo(ctx, '/dashboard/projects', 'projectDeleted')
      },
      (error) => showSettings(ctx, { error }),
    )
  })

  /** @throws {ServiceError} that names every invalid field. */
  function readChange(
    mine: readonly Control[],
    current: ProjectWithSettings,
    styleFaults: readonly ParseIssue[],
  ) {
    const body: Record<string, JsonValue> = {}
    for (const control of mine.filter(({ name }) => name !== 'name')) {
      const key = SETTING_KEYS.find((one) => SETTINGS_FIELDS[one].name === control.name)
      body[control.name] = readValue(control, control.value, key === undefined ? null : (EMPTY[key] ?? null))
    }
    const settings = projectReader.readSettings(
      body satisfies JsonObject,
      styleFaults,
      current.project.hosting.slugs,
    )
    const renamed = mine.find(({ name }) => name === 'name')
    const fields =
      renamed === undefined ? {} : projectReader.readUpdate({ name: renamed.value }, current, []).fields
    return { fields: { name: fields.name }, settings }
  }

  async function showSettings(ctx: DashboardContext, editing: Editing): Promise<void> {
    const { error } = editing
    const found = await projects.get(ctx.state.caller, projectRef(ctx))
    const { project } = found
    const stored = settingsControls(found)
    const form = shownForm(stored, editing, words)
    const confirm = plainControl({
      name: 'confirm',
      label: words.settings.confirm(project.name),
      isRequired: true,
      autocomplete: 'off',
    })
    const [confirmed = confirm] = withFaults(typed([confirm], ctx.state.form), error ?? { fields: [] }, words)
    const problem: Problem | null = error && problemOf(error, words, [...form.controls, confirmed])
    frame.show(ctx, 'settings', {
      title: words.settings.title,
      ...settingsFrame(project, 'general', words, ctx.state.standing ?? null),
      problem,
      path: projectPath(project, '/settings'),
      status: project.status,
      ...form,
      groups: groupsOf(form.controls),
      confirm: confirmed,
    })
  }

  function settingsControls({ project, settings }: ProjectWithSettings): readonly Control[] {
    const name = {
      ...controlOf({ name: 'name', schema: projectName }, project.name, words),
      label: words.settings.name,
      isRequired: true,
    }
    return [name, ...SETTING_KEYS.map((key) => controlOf(shapeOf(key), settings.settings[key], words))]
  }

  function shapeOf(key: SettingKey): FieldShape {
    const { name, schema } = SETTINGS_FIELDS[key]
    return { name, schema, ...(CODE.includes(key) && { kind: 'code' }) }
  }

  function groupsOf(controls: readonly Control[]) {
    const nameOf = (key: keyof Settings) => SETTINGS_FIELDS[key].name
    const named = GROUPS.map(({ name, keys }) => ({
      title: words.settings[name],
      hint: null,
      names: keys.map(nameOf),
    }))
    const rest = controls
      .map(({ name }) => name)
      .filter(
        (name) =>
          !GENERAL.includes(name) &&
          !ELSEWHERE.includes(name) &&
          !named.some(({ names }) => names.includes(name)),
      )
    return [
      { title: words.settings.general, hint: null, names: GENERAL },
      ...named,
      { title: words.settings.structure, hint: words.settings.structureHint, names: rest },
    ].map(({ names, ...group }, index) => {
      const own = names.flatMap((name) => controls.filter((control) => control.name === name))
      return { ...group, isOpen: index < 2 || own.some(({ fault }) => fault !== null), controls: own }
    })
  }
}
