import { ServiceError } from '../../domain/errors.ts'
import { localeOf } from '../../domain/locale.ts'
import { siteOrigin } from '../../domain/project.ts'
import { publicUrlPath } from '../../domain/route.ts'
import { param } from '../../http/api.ts'
import type { PageDetails } from '../../services/pages/pages.ts'
import type { Control } from '../frame/controls.ts'
import { may, type Place, type View } from '../frame/frame.ts'
import { attempt, problemOf } from '../frame/problem.ts'
import { type Editing, shownForm } from '../frame/stored-form.ts'
import type { DashboardContext, ViewPorts } from '../ports.ts'
import type { Words } from '../words/en.ts'
import { detailGroups } from './page-details.ts'
import { pageControls } from './page-form.ts'
import { pagePath } from './page-rows.ts'
import { projectCrumbs, projectPath } from './project-frame.ts'
import { proposedPictures } from './proposed-pictures.ts'

export type PageTab = 'edit' | 'sections' | 'preview' | 'releases'

/** Crumbs and tabs of the views of one page. */
export function pageFrame(
  { page, home }: Pick<PageDetails, 'page' | 'home'>,
  current: PageTab,
  words: Words,
) {
  const { project } = home
  const tab = (name: PageTab, label: string, rest: string): Place => ({
    href: pagePath(project, page.id, rest),
    name: label,
    isCurrent: name === current,
  })
  return {
    title: page.title,
    crumbs: projectCrumbs(project, words, { href: projectPath(project, '/pages'), name: words.pages.title }),
    tabs: [
      tab('edit', words.page.edit, ''),
      ...(page.type === 'page' ? [tab('sections', words.sections.title, '/sections')] : []),
      tab('preview', words.page.preview, '/preview'),
      tab('releases', words.page.releases, '/releases'),
    ],
  } satisfies View
}

/** The page that a route names. */
export function ref(ctx: DashboardContext): string {
  return param(ctx.params, 'page')
}

/** The address of the form of the page. */
export function pathOf(ctx: DashboardContext): string {
  return `/dashboard/projects/${encodeURIComponent(param(ctx.params, 'project'))}/pages/${encodeURIComponent(ref(ctx))}`
}

/** The form of a stored page, which several routes show. */
export function createPageEditor(ports: ViewPorts) {
  const { frame, pages, projects, publishing, reviews, members, addresses, pushConflicts } = ports
  const { words } = frame

  return { act, show }

  /** Changes the page and shows its form, with a confirmation or the error. */
  async function act(
    ctx: DashboardContext,
    done: Parameters<typeof frame.goTo>[2],
    change: () => Promise<unknown>,
  ): Promise<void> {
    await attempt(
      async () => {
        await change()
        frame.goTo(ctx, pathOf(ctx), done)
      },
      (error) => show(ctx, ref(ctx), { error }),
    )
  }

  async function show(ctx: DashboardContext, ref: string, editing: Editing): Promise<void> {
    const found = await pages.get(ctx.state.caller, ref)
    const { page, home, difference, scheduledAt } = found
    const pictures = await proposedPictures(ports, ctx.state.caller, home.project.id)
    const stored = pageControls(found, words).map((control) =>
      control.name === 'og_image_url' ? { ...control, options: pictures } : control,
    )
    const { controls, ...form } = shownForm(stored, editing, words)
    const liveUrl =
      page.status === 'published'
        ? siteOrigin(home.project, addresses) + publicUrlPath(page, home.siteRoutes)
        : null
    const pick = (wanted: (control: Control) => boolean) => controls.filter(wanted)
    const groups = detailGroups(controls, form.contested, words)
    const { settings } = await projects.get(ctx.state.caller, home.project.id)
    const address = publicUrlPath(page, home.siteRoutes)
    const locale = localeOf({ path: address, fields: found.fields, settings: settings.settings })
    const canWrite = may(ctx.state.standing ?? null, 'write')
    frame.show(ctx, 'page-edit', {
      ...pageFrame(found, 'edit', words),
      problem: editing.error && problemOf(editing.error, words, controls),
      actions: liveUrl === null ? [] : [{ href: liveUrl, name: words.page.view, isPrimary: false }],
      path: pagePath(home.project, page.id),
      page,
      addresses: (await publishing.addresses(ctx.state.caller, ref)).length,
      ...form,
      content: pick(({ name }) => name === 'title' || name === 'markdown_content'),
      groups,
      isOpen: groups.some(({ isInvolved }) => isInvolved),
      isWriting: canWrite,
      address,
      backPath: projectPath(home.project, '/pages'),
      pageLang: locale?.code ?? '',
      source: found.source,
      isContested: found.source !== null && (await pushConflicts.ofPage(ctx.state.caller, ref)) !== null,
      review: await reviewOf(ctx, ref),
      isShareable: may(ctx.state.standing ?? null, 'share'),
      script: canWrite ? 'editor' : null,
      projectPath: projectPath(home.project),
      sectionsPath: page.type === 'page' ? pagePath(home.project, page.id, '/sections') : null,
      difference,
      scheduledAt,
      liveUrl,
      doneLink: liveUrl === null ? null : { href: liveUrl, name: words.page.seeLive },
    })
  }

  /** The review of the page with the addresses of its users; null when it is not under review. */
  async function reviewOf({ state }: DashboardContext, ref: string) {
    const review = await reviews.get(state.caller, ref)
    if (review === null) return null
    const people = await members.list(state.caller, review.projectId)
    const nameOf = (id: string | null) =>
      people.find(({ userId }) => userId === id)?.email ?? words.review.formerMember
    return { ...review, by: nameOf(review.proposedBy), returner: nameOf(review.returnedBy) }
  }
}

/** @throws {ServiceError} `not_found` unless the page of a path is of the project of the path. */
export function assertOfProject(ref: string, project: { readonly id: string }): void {
  if (ref !== project.id && ref !== `proj_${project.id}`)
    throw new ServiceError('not_found', 'The project has no such page.')
}
