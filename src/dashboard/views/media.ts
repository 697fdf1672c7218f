import type { Middleware } from 'koa'
import type { Asset } from '../../domain/asset.ts'
import { prefixed } from '../../domain/ids.ts'
import type { JsonValue } from '../../domain/json.ts'
import { ASSET_KINDS } from '../../domain/media-type.ts'
import { normalForm } from '../../domain/normal-form.ts'
import type { Project } from '../../domain/project.ts'
import { param, queryOf } from '../../http/api.ts'
import { readUpdateAsset } from '../../http/asset-schemas.ts'
import { sendContent } from '../../http/send-content.ts'
import type { AssetDetails } from '../../services/media/asset-details.ts'
import { type Control, plainControl } from '../frame/controls.ts'
import { may } from '../frame/frame.ts'
import { pagerOf, sliceOf } from '../frame/paging.ts'
import { attempt, type Problem, problemOf } from '../frame/problem.ts'
import { type Editing, formChanges, shownForm } from '../frame/stored-form.ts'
import type { DashboardContext, DashboardRouter, DashboardState, ViewPorts } from '../ports.ts'
import type { Words } from '../words/en.ts'
import { assertOfProject } from './page-editor.ts'
import { pagePath } from './page-rows.ts'
import { projectCrumbs, projectFrame, projectPath } from './project-frame.ts'
import { projectRef } from './projects.ts'

const MEDIA = '/projects/:project/media'
const ASSET = `${MEDIA}/:asset`

/** Maximum number of images that a search in the editor finds. */
const FOUND = 12

/** Widths of the images in the list and in the view of one, in pixels of dense screens. */
const THUMBNAIL = 112
const LARGE = 800

/** The library of a project, and one file of it. Uploads are in `upload.ts`. */
export function mediaViews(router: DashboardRouter, ports: ViewPorts): void {
  const { frame, assets, previews } = ports
  const { words } = frame
  const { show } = createMediaList(ports)
  const showAsset = createAssetView(ports)
  const ofProject = ofAssetsProject(ports)

  router.get(MEDIA, (ctx) => show(ctx, null))

  // Images that the editor offers.
  router.get(`${MEDIA}/find`, async (ctx) => {
    const name = normalForm((queryOf(ctx).get('q') ?? '').slice(0, 200))
    const paging = { sort: 'created_at', order: 'desc', limit: FOUND, offset: 0 } as const
    const filter = { kind: 'image', name: name || null, unused: false } as const
    const { items } = await assets.list(ctx.state.caller, projectRef(ctx), filter, paging)
    ctx.body = items.map((details) => ({
      title: details.asset.alt,
      path: `/media/${encodeURI(details.asset.name)}`,
      picture: previews.pictureHref(details, THUMBNAIL),
      large: previews.pictureHref(details, LARGE),
    }))
  })

  router.get(ASSET, ofProject, (ctx) => showAsset(ctx, { error: null }))

  router.post(ASSET, ofProject, async (ctx) => {
    const { caller, form } = ctx.state
    const changes = formChanges(form, words.settings.changed)
    await attempt(
      async () => {
        const { asset } = await assets.update(caller, ref(ctx), (stored) => {
          const mine = changes.read(assetControls(stored, words))
          return readUpdateAsset(
            Object.fromEntries(
              mine.map(({ name, value }) => [name, name === 'focus' ? focusOf(value) : value]),
            ),
          )
        })
        frame.goTo(ctx, assetPath(asset), 'fileSaved')
      },
      (error) => showAsset(ctx, { error, changes: changes.last() }),
    )
  })

  router.post(`${ASSET}/delete`, ofProject, async (ctx) => {
    const { caller, form } = ctx.state
    await attempt(
      async () => {
        const { asset } = await assets.get(caller, ref(ctx))
        await assets.remove(caller, ref(ctx), { force: form.get('force') === 'true', check: () => {} })
        frame.goTo(ctx, projectPath({ id: asset.projectId }, '/media'), 'fileDeleted')
      },
      (error) => showAsset(ctx, { error }),
    )
  })

  router.get(`${ASSET}/content`, ofProject, async (ctx) => {
    await sendContent(ctx, await assets.content(ctx.state.caller, ref(ctx)))
  })
}

/** The view of one file. A rejected replacement shows it too. */
export function createAssetView({ frame, assets, projects, previews }: ViewPorts) {
  const { words } = frame

  return showAsset

  async function showAsset(ctx: DashboardContext, editing: Editing): Promise<void> {
    const { error } = editing
    const { caller } = ctx.state
    const details = await assets.get(caller, ref(ctx))
    const { asset } = details
    const [{ project }, usage] = await Promise.all([
      projects.get(caller, asset.projectId),
      assets.usage(caller, ref(ctx)),
    ])
    const form = shownForm(assetControls(asset, words), editing, words)
    const picture = previews.pictureHref(details, LARGE)
    frame.show(ctx, 'asset', {
      title: asset.name,
      crumbs: projectCrumbs(project, words, {
        href: projectPath(project, '/media'),
        name: words.media.title,
      }),
      problem: error && problemOf(error, words, form.controls),
      path: assetPath(asset),
      isReplacing: ctx.path.endsWith('/replace'),
      asset,
      picture,
      script:
        picture !== null && asset.image !== null && may(ctx.state.standing ?? null, 'write') ? 'focus' : null,
      ...form,
      pages: usage.pages.map(({ id, title }) => ({ href: pagePath(project, id), title })),
    })
  }
}

/** Rejects a file of a project other than the path's. */
export function ofAssetsProject({ assets }: ViewPorts): Middleware<DashboardState, DashboardContext> {
  return async (ctx, next) => {
    const { asset } = await assets.get(ctx.state.caller, param(ctx.params, 'asset'))
    assertOfProject(param(ctx.params, 'project'), { id: asset.projectId })
    await next()
  }
}

/** The list of files. A rejected upload shows it too. */
export function createMediaList({ frame, assets, projects, previews }: ViewPorts) {
  const { words } = frame

  return {
    async show(ctx: DashboardContext, problem: Problem | null): Promise<void> {
      const { caller } = ctx.state
      const query = queryOf(ctx)
      const name = normalForm((query.get('q') ?? '').slice(0, 200))
      const kind = ASSET_KINDS.find((one) => one === query.get('kind')) ?? null
      const unused = query.get('unused') === 'true'
      const paging = { sort: 'created_at', order: 'desc', ...sliceOf(query) } as const
      const { project } = await projects.get(caller, projectRef(ctx))
      const { items, total } = await assets.list(
        caller,
        projectRef(ctx),
        { kind, name: name || null, unused },
        paging,
      )
      const path = projectPath(project, '/media')
      frame.show(ctx, 'media', {
        title: words.media.title,
        script: may(ctx.state.standing ?? null, 'write') ? 'media' : null,
        ...projectFrame(project, 'media', words),
        problem,
        path,
        search: name,
        kind,
        kinds: ASSET_KINDS,
        unused,
        isFiltered: name !== '' || kind !== null || unused,
        pager: pagerOf(path, query, items.length, total),
        rows: items.map((details) => assetRow(details, project, previews.pictureHref(details, THUMBNAIL))),
      })
    },
  }
}

function assetRow({ asset, usedBy }: AssetDetails, project: Project, picture: string | null) {
  const { name, bytes, kind, alt, createdAt } = asset
  return {
    href: projectPath(project, `/media/${prefixed('ast', asset.id)}`),
    name,
    bytes,
    kind,
    alt,
    createdAt,
    usedBy,
    picture,
    ending: name.includes('.') ? name.slice(name.lastIndexOf('.') + 1).slice(0, 5) : '',
  }
}

/** Parts of an image that crops can keep, from the left and from the top. */
const FOCUS = ['0,0', '0.5,0', '1,0', '0,0.5', '1,0.5', '0,1', '0.5,1', '1,1'] as const

function focusOf(value: string): JsonValue {
  const [x, y] = value.split(',').map(Number)
  return value === '' ? null : { x: x ?? 0, y: y ?? 0 }
}

function focusControl(focus: Asset['focus'], { media }: Words): Control {
  const value = focus === null ? '' : `${focus.x},${focus.y}`
  const places = ['', ...FOCUS, ...(value === '' || FOCUS.some((one) => one === value) ? [] : [value])]
  return plainControl({
    name: 'focus',
    label: media.focus,
    hint: media.focusHint,
    kind: 'choice',
    value,
    options: places.map((one) => ({ value: one, label: media.places[one] ?? media.place(one) })),
  })
}

function assetControls(
  { name, alt, title, focus, image }: Pick<Asset, 'name' | 'alt' | 'title' | 'focus' | 'image'>,
  words: Words,
) {
  return [
    plainControl({
      name: 'name',
      label: words.fields['name']?.label ?? 'name',
      value: name,
      isRequired: true,
    }),
    plainControl({
      name: 'alt',
      label: words.media.alt,
      hint: words.media.altHint,
      kind: 'text',
      value: alt,
    }),
    plainControl({ name: 'title', label: words.fields['title']?.label ?? 'title', value: title }),
    ...(image === null ? [] : [focusControl(focus, words)]),
  ]
}

export function assetPath({ id, projectId }: Pick<Asset, 'id' | 'projectId'>): string {
  return projectPath({ id: projectId }, `/media/${prefixed('ast', id)}`)
}

function ref(ctx: Pick<DashboardContext, 'params'>): string {
  return param(ctx.params, 'asset')
}
