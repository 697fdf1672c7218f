import { createHash } from 'node:crypto'
import { ServiceError } from '../../domain/errors.ts'
import type { JsonObject, JsonValue } from '../../domain/json.ts'
import type { Page } from '../../domain/page.ts'
import { readUpdatePage } from '../../http/bodies/page-schemas.ts'
import { SECTION_TYPES } from '../../sections/catalogue.ts'
import { may } from '../frame/frame.ts'
import { attempt, problemOf } from '../frame/problem.ts'
import {
  changedSections,
  fitForm,
  readSectionAct,
  readSections,
  sectionForms,
  sectionTitles,
  withoutBlanks,
} from '../frame/section-fields.ts'
import type { DashboardContext, DashboardRouter, ViewPorts } from '../ports.ts'
import { ofProject } from './page-edit.ts'
import { pageFrame, ref } from './page-editor.ts'
import { pagePath } from './page-rows.ts'

const PATH = '/projects/:project/pages/:page/sections'

interface Editing {
  /** Edited and not stored; null for the stored ones. */
  readonly sections: readonly JsonObject[] | null
  /** Path of the section or item that a button changed. */
  readonly changed: string
  readonly error: ServiceError | null
}

/** The sections of a page as forms. Buttons change the form; Save stores it. */
export function sectionViews(router: DashboardRouter, ports: ViewPorts): void {
  const { frame, pages, themes } = ports
  const { words } = frame
  const isOfProject = ofProject(ports)

  router.get(PATH, isOfProject, (ctx) => showForms(ctx, { sections: null, changed: '', error: null }))

  router.post(PATH, isOfProject, async (ctx) => {
    const { caller, form } = ctx.state
    const sections = readSections(form)
    const press = readSectionAct(form.get('act'))
    if (press !== null) {
      const added = press.path === 's' ? { type: form.get('new_type') } : {}
      return showForms(ctx, {
        sections: changedSections(sections, press, added),
        changed: press.path,
        error: null,
      })
    }
    await attempt(
      async () => {
        const { page, home } = await pages.update(caller, ref(ctx), ['write'], (page, shown, home) => {
          if (form.get('base') !== digestOf(page))
            throw new ServiceError('precondition_failed', words.sections.changed)
          const body: JsonObject = { config: configWith(page, withoutBlanks(sections)) }
          return readUpdatePage(body, page, shown, themes, home.project.hosting.slugs)
        })
        const path = pagePath(home.project, page.id)
        if (form.get('act') === 'publish') frame.goTo(ctx, `${path}/publish`)
        else frame.goTo(ctx, `${path}/sections`, 'pageSaved')
      },
      (error) => showForms(ctx, { sections, changed: '', error }),
    )
  })

  async function showForms(ctx: DashboardContext, { sections, changed, error }: Editing): Promise<void> {
    const found = await pages.get(ctx.state.caller, ref(ctx))
    const { page, home } = found
    if (page.type !== 'page')
      throw new ServiceError('not_found', 'Only pages of the type page have sections.')
    const shown = sections ?? storedSections(page)
    const isForm = may(ctx.state.standing ?? null, 'write') && fitForm(shown)
    const forms = isForm ? sectionForms(shown) : []
    frame.show(ctx, 'sections', {
      ...pageFrame(found, 'sections', words),
      problem: error && problemOf(error, words),
      path: pagePath(home.project, page.id),
      page,
      script: isForm ? 'preview' : null,
      base: digestOf(page),
      isEdited: sections !== null,
      isForm,
      titles: isForm ? [] : sectionTitles(shown),
      forms: forms.map((form, index) => ({
        ...form,
        isOpen:
          forms.length <= 2 ||
          (sections === null && index === 0) ||
          changed === form.path ||
          changed.startsWith(`${form.path}.`),
      })),
      types: SECTION_TYPES.map(({ name }) => name),
      labelOf: (prop: string) => words.sections.props[prop] ?? humanised(prop),
      typeOf: (type: string) => words.sections.types[type] ?? humanised(type),
    })
  }
}

export function configWith(page: Page, sections: readonly JsonObject[]): JsonObject {
  return { ...page.config, sections: [...sections] }
}

function storedSections({ config }: Page): readonly JsonValue[] {
  return Array.isArray(config['sections']) ? config['sections'] : []
}

function digestOf(page: Page): string {
  return createHash('sha256')
    .update(JSON.stringify(storedSections(page)))
    .digest('base64url')
    .slice(0, 12)
}

/** `background_image` as `Background image`. */
function humanised(name: string): string {
  const text = name.replaceAll(/[_-]+/g, ' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}
