import { LOCALE_SETTING_KEYS, settingsOfLocale } from '../../domain/by-locale.ts'
import { ServiceError } from '../../domain/errors.ts'
import type { InvalidField } from '../../domain/invalid-field.ts'
import type { JsonObject, JsonValue } from '../../domain/json.ts'
import { type Locale, localeWithCode } from '../../domain/locale.ts'
import {
  DEFAULT_SETTINGS,
  LOCALE_SETTINGS,
  type LocaleSettingKey,
  type Settings,
} from '../../domain/settings.ts'
import { SETTINGS_FIELDS } from '../../fields/settings-fields.ts'
import type { ProjectWithSettings } from '../../services/projects/projects.ts'
import { type Control, controlOf, readValue } from '../frame/controls.ts'
import { attempt, problemOf } from '../frame/problem.ts'
import { type Editing, formChanges, shownForm } from '../frame/stored-form.ts'
import type { DashboardContext, DashboardRouter, ViewPorts } from '../ports.ts'
import { projectPath, settingsFrame } from './project-frame.ts'
import { projectRef } from './projects.ts'

const PATH = '/projects/:project/languages'

/** UTF-16 code units of an inherited value in a hint. */
const MAX_INHERITED = 300

/** The settings of each language for the surroundings of its pages, in place of the site's. */
export function projectLanguageViews(router: DashboardRouter, ports: ViewPorts): void {
  const { frame, projects, projectReader } = ports
  const { words } = frame

  router.get(PATH, (ctx) => showLanguage(ctx, ctx.query['language'], { error: null }))

  router.post(PATH, async (ctx) => {
    const { caller, form } = ctx.state
    const changes = formChanges(form, words.settings.changed)
    await attempt(
      async () => {
        const { project } = await projects.update(caller, projectRef(ctx), {
          changesOnlyStatus: () => false,
          read(current) {
            const { settings } = current.settings
            const locale = localeWithCode(form.get('language'), settings.locales)
            if (locale === undefined) throw new ServiceError('invalid_request', words.languages.unknown)
            const mine = changes.read(languageControls(locale, current))
            const byLocale = withChanges(mine, settings.byLocale, locale)
            const body: JsonObject = { [SETTINGS_FIELDS.byLocale.name]: byLocale }
            return {
              fields: {},
              settings: projectReader.readSettings(body, [], current.project.hosting.slugs),
            }
          },
        })
        const query = `?language=${encodeURIComponent(form.get('language'))}`
        frame.goTo(ctx, projectPath(project, `/languages${query}`), 'settingsSaved')
      },
      (error) =>
        showLanguage(ctx, form.get('language'), { error: ofLanguage(error), changes: changes.last() }),
    )
  })

  async function showLanguage(ctx: DashboardContext, wanted: unknown, editing: Editing): Promise<void> {
    const { error } = editing
    const found = await projects.get(ctx.state.caller, projectRef(ctx))
    const { project, settings } = found
    const locales = settings.settings.locales
    const locale = localeWithCode(typeof wanted === 'string' ? wanted : null, locales) ?? locales[0]
    const path = projectPath(project, '/languages')
    const form = locale === undefined ? NO_FORM : shownForm(languageControls(locale, found), editing, words)
    frame.show(ctx, 'project-languages', {
      title: words.areas.languages,
      ...settingsFrame(project, 'languages', words, ctx.state.standing ?? null),
      problem: error && problemOf(error, words, form.controls),
      path,
      settingsPath: projectPath(project, '/settings'),
      language: locale ?? null,
      chooser: locales.map(({ code, label }) => ({
        href: `${path}?language=${encodeURIComponent(code)}`,
        lang: code,
        name: label,
        isCurrent: code === locale?.code,
      })),
      ...form,
    })
  }

  function languageControls(
    locale: Locale,
    { project, settings: { settings } }: ProjectWithSettings,
  ): readonly Control[] {
    const own = settingsOfLocale(settings, locale)
    return LOCALE_SETTING_KEYS.map((key) => {
      const { name, schema } = SETTINGS_FIELDS[key]
      const control = controlOf({ name, schema }, undefined, words)
      const value = own[LOCALE_SETTINGS[key]]
      const inherited = inheritedText(control, key, settings, project.name)
      return {
        ...control,
        value: value === undefined ? '' : textOf(control, value as JsonValue),
        hint: inherited === '' ? words.languages.inheritsNone : words.languages.inherits(inherited),
      }
    })
  }
}

const NO_FORM: ReturnType<typeof shownForm> = { controls: [], base: '', contested: new Map() }

/** Returns the inherited value of an empty field, as text; empty for none. */
function inheritedText(control: Control, key: LocaleSettingKey, settings: Settings, name: string): string {
  const value = (key === 'siteName' ? (settings.siteName ?? name) : settings[key]) as JsonValue
  const isNone = value === null || JSON.stringify(value) === JSON.stringify(DEFAULT_SETTINGS[key])
  if (isNone) return ''
  const text = control.kind === 'json' ? JSON.stringify(value) : String(value)
  return text.length > MAX_INHERITED ? `${text.slice(0, MAX_INHERITED)}…` : text
}

/** Writes null as `null`: an empty field stands for the setting of the site. */
function textOf({ kind }: Control, value: JsonValue): string {
  return kind === 'json' ? JSON.stringify(value, null, 2) : String(value ?? '')
}

/** The settings of all languages with the changes of one. An emptied field is inherited again. */
function withChanges(
  changed: readonly Control[],
  stored: Settings['byLocale'],
  { code }: Locale,
): JsonObject {
  const own: Record<string, JsonValue | undefined> = { ...(stored[code] as JsonObject | undefined) }
  for (const control of changed) {
    const isEmptied = control.value.trim() === ''
    own[control.name] = isEmptied ? undefined : readValue(control, control.value, null)
  }
  const given = Object.entries(own).filter(([, value]) => value !== undefined)
  const others = Object.entries(stored).filter(([other]) => other !== code)
  return Object.fromEntries([
    ...others,
    ...(given.length === 0 ? [] : [[code, Object.fromEntries(given)] as const]),
  ]) as JsonObject
}

/** The error with the names of the form in place of `by_locale.de.nav_links`. */
function ofLanguage(error: ServiceError): ServiceError {
  const fields = error.fields.map((field): InvalidField => {
    const [, inside] = /^by_locale\.[^.]+\.(.+)$/.exec(field.path) ?? []
    return inside === undefined ? field : { ...field, path: inside }
  })
  return new ServiceError(error.name, error.message, { fields, cause: error })
}
