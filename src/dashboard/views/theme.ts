import { z } from 'zod'
import { ANY_PAGE } from '../../db/repositories/pages.ts'
import type { SettingsFields } from '../../db/repositories/settings.ts'
import type { Announcement } from '../../domain/announcement.ts'
import { BRANDING } from '../../domain/branding.ts'
import type { Caller } from '../../domain/caller.ts'
import { prefixed } from '../../domain/ids.ts'
import type { JsonObject, JsonValue } from '../../domain/json.ts'
import type { Settings } from '../../domain/settings.ts'
import { SETTINGS_FIELDS, type SettingKey } from '../../fields/settings-fields.ts'
import { settingsThatHold } from '../../fields/settings-record.ts'
import { type Control, controlOf } from '../frame/controls.ts'
import { may } from '../frame/frame.ts'
import { attempt, problemOf } from '../frame/problem.ts'
import { changesOf, type Editing, formChanges, shownForm } from '../frame/stored-form.ts'
import type { DashboardContext, DashboardRouter, ViewPorts } from '../ports.ts'
import { answerPreview } from './page-preview.ts'
import { projectPath, settingsFrame } from './project-frame.ts'
import { projectRef } from './projects.ts'
import { proposedPictures } from './proposed-pictures.ts'

const PATH = '/projects/:project/theme'

/** Pages that the preview can show, edited last first. */
const SHOWN_PAGES = 30

const PICTURES = settingsThatHold('file')
/** Settings of this view that are one field each. */
const SINGLE: readonly SettingKey[] = ['theme', ...PICTURES, 'footerText']
/** Settings that this view has in place of the view of all settings. */
export const THEME_SETTINGS: readonly SettingKey[] = [...SINGLE, 'branding', 'announcement']

/** The look of the site: theme, brand, announcement and footer, next to previews of its pages. */
export function themeViews(router: DashboardRouter, ports: ViewPorts): void {
  const { frame, projects, pages, previews, themes, projectReader } = ports
  const { words } = frame

  router.get(PATH, (ctx) => showTheme(ctx, { error: null }))

  router.post(PATH, async (ctx) => {
    const { caller, form } = ctx.state
    const changes = formChanges(form, words.settings.changed)
    await attempt(
      async () => {
        const { project } = await projects.update(caller, projectRef(ctx), {
          changesOnlyStatus: () => false,
          read({ settings: { settings } }) {
            return { fields: {}, settings: readChange(changes.read(themeControls(settings)), settings) }
          },
        })
        frame.goTo(ctx, projectPath(project, '/theme'), 'settingsSaved')
      },
      (error) => showTheme(ctx, { error, changes: changes.last() }),
    )
  })

  // A page in the settings that are typed. It changes nothing.
  router.post(`${PATH}/document`, (ctx) =>
    answerPreview(ctx, (gone) => {
      const { caller, form } = ctx.state
      const shown = { project: projectRef(ctx), page: form.get('page') }
      const readFields = (stored: Settings) => readChange(changesOf(themeControls(stored), form).mine, stored)
      return previews.previewSettings(caller, shown, readFields, gone)
    }),
  )

  /** @throws {ServiceError} that names every invalid field. */
  function readChange(mine: readonly Control[], stored: Settings): SettingsFields {
    const body: Record<string, JsonValue> = {}
    const value = (name: string) => mine.find((control) => control.name === name)?.value.trim()
    for (const key of SINGLE) {
      const { name } = SETTINGS_FIELDS[key]
      const typed = value(name)
      if (typed !== undefined) body[name] = typed === '' ? null : typed
    }
    const brand = mine.filter(({ name }) => name.startsWith('branding.'))
    if (brand.length > 0) body['branding'] = brandingWith(brand, stored.branding)
    const line = mine.filter(({ name }) => name.startsWith('announcement.'))
    if (line.length > 0) body['announcement'] = announcementWith(line, stored.announcement)
    return projectReader.readSettings(body satisfies JsonObject, [], 'wide')
  }

  async function showTheme(ctx: DashboardContext, editing: Editing): Promise<void> {
    const { error } = editing
    const { caller, standing = null } = ctx.state
    const ref = projectRef(ctx)
    const [{ project, settings }, shown, pictures] = await Promise.all([
      projects.get(caller, ref),
      shownPages(caller, ref),
      proposedPictures(ports, caller, ref),
    ])
    const form = shownForm(themeControls(settings.settings, pictures), editing, words)
    const of = (...names: readonly string[]) =>
      form.controls.filter(({ name }) => names.some((one) => name === one || name.startsWith(`${one}.`)))
    frame.show(ctx, 'theme', {
      title: words.areas.theme,
      ...settingsFrame(project, 'theme', words, standing),
      problem: error && problemOf(error, words, form.controls),
      path: projectPath(project, '/theme'),
      navigationPath: projectPath(project, '/navigation'),
      script: may(standing, 'settings') && shown.length > 0 ? 'preview' : null,
      ...form,
      groups: [
        { title: words.theme.look, controls: of('theme', 'branding') },
        { title: words.theme.pictures, controls: of(...PICTURES.map((key) => SETTINGS_FIELDS[key].name)) },
        { title: words.theme.announcement, controls: of('announcement') },
        { title: words.theme.footer, controls: of('footer_text') },
      ],
      pages: shown,
      page: ctx.state.form.get('page'),
    })
  }

  async function shownPages(caller: Caller, ref: string) {
    const paging = { sort: 'updated_at', order: 'desc', limit: SHOWN_PAGES, offset: 0 } as const
    const { items } = await pages.list(caller, ref, ANY_PAGE, paging)
    return items.map(({ id, title }) => ({ ref: prefixed('page', id), title }))
  }

  function themeControls(settings: Settings, proposed: Control['options'] = []): readonly Control[] {
    const control = (name: string, schema: z.ZodType, value: unknown) =>
      controlOf({ name, schema }, value, words)
    const single = SINGLE.map((key) => {
      const { name, schema } = SETTINGS_FIELDS[key]
      if (key === 'theme') return controlOf({ name, schema, options: themes }, settings[key], words)
      const one = control(name, schema, settings[key])
      return key === 'footerText' ? one : { ...one, options: proposed }
    })
    const brand = BRANDING.map(({ name, isRight: _ }) => {
      const one = control(`branding.${name}`, z.string().max(200), settings.branding[name])
      return name === 'primary_color' ? { ...one, kind: 'colour' as const } : one
    })
    const { text, href, until } = settings.announcement
    return [
      ...single,
      ...brand,
      control('announcement.text', z.string().max(200), text),
      control('announcement.href', z.string(), href),
      { ...control('announcement.until', z.string(), until?.slice(0, MINUTE_LENGTH)), kind: 'moment' },
    ]
  }
}

/** The stored branding with the changes. Other keys in it stay. */
function brandingWith(changed: readonly Control[], stored: JsonObject): JsonObject {
  const typed = changed.map(({ name, value }) => [name.slice('branding.'.length), value.trim()] as const)
  return Object.fromEntries(
    Object.entries({ ...stored, ...Object.fromEntries(typed) }).filter(
      ([name, value]) => !(value === '' && typed.some(([one]) => one === name)),
    ),
  )
}

/** Length of `2026-12-24T18:00`, as browsers send and show a time. */
const MINUTE_LENGTH = 16

/** The stored announcement with the changes. A browser sends the time without a zone; the form says that it is UTC. */
function announcementWith(changed: readonly Control[], stored: Announcement): JsonObject {
  const typed = changed.map(({ name, value }) => [name.slice('announcement.'.length), value.trim()] as const)
  const { text, href = '', until = '' } = { ...stored, ...Object.fromEntries(typed) }
  const end = until === '' || /z$/i.test(until) ? until : `${until}Z`
  return { text, ...(href !== '' && { href }), ...(end !== '' && { until: end }) }
}
