import { readFile } from 'node:fs/promises'
import { readNetlifyRedirects } from '../../content-folder/netlify-redirects.ts'
import { readRedirectsFile } from '../../content-folder/redirects.ts'
import { ServiceError } from '../../domain/errors.ts'
import { prefixed } from '../../domain/ids.ts'
import type { Project } from '../../domain/project.ts'
import { MAX_SITE_REDIRECTS, TOO_MANY_REDIRECTS, writtenTarget } from '../../domain/site-redirect.ts'
import { param, queryOf } from '../../http/api.ts'
import { isForm } from '../../http/read-upload.ts'
import { drainRefused } from '../../http/receive-upload.ts'
import { REDIRECT_KINDS, type Redirect, type RedirectFilter } from '../../services/pages/redirects.ts'
import { type Control, plainControl, typed } from '../frame/controls.ts'
import { pagerOf, sliceOf } from '../frame/paging.ts'
import { attempt, problemOf, withFaults } from '../frame/problem.ts'
import { translated } from '../frame/translated.ts'
import type { DashboardContext, DashboardRouter, ViewPorts } from '../ports.ts'
import { projectPath, settingsFrame } from './project-frame.ts'
import { projectRef } from './projects.ts'
import { receiveFile } from './upload.ts'

const REDIRECTS = '/projects/:project/redirects'

/** Bytes of a file of redirects. */
const MAX_FILE_BYTES = 1024 * 1024
/** Code units of a file that is other YAML than a redirect a line: 50 ms of the main thread. */
const MAX_PARSED = 32 * 1024
/** Redirects of one release. */
const PER_RELEASE = 500
/** Maximum number of shown rejected lines. */
const MAX_SHOWN = 200

/** A rejected line. Only shown lines get a text, because a file may have 100,000. */
interface Refused {
  readonly line: number | null
  readonly text: () => string
}

/** Outcome of a file of redirects. */
interface Uploaded {
  readonly created: number
  readonly updated: number
  readonly unchanged: number
  /** The first rejected lines. */
  readonly refused: readonly { readonly line: number | null; readonly message: string }[]
  readonly refusedCount: number
}

/** The redirects of a project: a list, a form for one, and the upload of a file with many. */
export function redirectViews(router: DashboardRouter, ports: ViewPorts): void {
  const { frame, redirects, projectRedirects, projects } = ports
  const { words } = frame

  router.get(REDIRECTS, (ctx) => showList(ctx, { error: null, uploaded: null }))

  router.post(REDIRECTS, async (ctx) => {
    const { caller, form } = ctx.state
    await attempt(
      async () => {
        const wanted = { from: form.get('from').trim(), to: form.get('to').trim() }
        const [put] = await projectRedirects.putAll(caller, projectRef(ctx), () => [wanted])
        if (put?.outcome === 'failed') throw put.error
        frame.goTo(ctx, listPath(ctx), 'redirectSaved')
      },
      (error) => showList(ctx, { error, uploaded: null }),
    )
  })

  router.post(`${REDIRECTS}/upload`, (ctx) =>
    drainRefused(ctx, () =>
      attempt(
        async () => {
          await projectRedirects.admit(ctx.state.caller, projectRef(ctx))
          if (!isForm(ctx))
            throw new ServiceError('invalid_request', 'A file must be sent as multipart/form-data.')
          ctx.state.held.receiving(MAX_FILE_BYTES)
          await receiveFile(
            ctx,
            ports,
            () => MAX_FILE_BYTES,
            async ({ file, fileName }) => {
              const text = await readFile(file.path)
              await showList(ctx, { error: null, uploaded: await putFile(ctx, text, fileName ?? '') })
            },
          )
        },
        (error) => showList(ctx, { error, uploaded: null }),
      ),
    ),
  )

  router.post(`${REDIRECTS}/:redirect/delete`, async (ctx) => {
    await attempt(
      async () => {
        await projectRedirects.remove(ctx.state.caller, projectRef(ctx), param(ctx.params, 'redirect'))
        frame.goTo(ctx, listPath(ctx), 'redirectDeleted')
      },
      (error) => showList(ctx, { error, uploaded: null }),
    )
  })

  /** Creates the redirects of a file. An invalid or rejected line does not stop the others. */
  async function putFile(ctx: DashboardContext, bytes: Buffer, name: string): Promise<Uploaded> {
    const { redirects: wanted, errors } = readFileOf(bytes, name)
    if (wanted.length > MAX_SITE_REDIRECTS) throw new ServiceError('conflict', TOO_MANY_REDIRECTS)
    const refused: Refused[] = errors.map(({ line, message }) => ({
      line,
      text: () => translated(message, { words }),
    }))
    const counts = { created: 0, updated: 0, unchanged: 0 }
    for (let start = 0; start < wanted.length; start += PER_RELEASE) {
      const some = wanted.slice(start, start + PER_RELEASE)
      const items = some.map(({ from, to }) => ({ from, to: writtenTarget(to) }))
      const put = await projectRedirects.putAll(ctx.state.caller, projectRef(ctx), () => items)
      for (const [index, one] of put.entries()) {
        const { from = '', line = null } = some[index] ?? {}
        if (one.outcome !== 'failed') counts[one.outcome] += 1
        else {
          const { error } = one
          refused.push({ line, text: () => `${from}: ${problemOf(error, words).message}` })
        }
      }
    }
    const shown = refused.toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0)).slice(0, MAX_SHOWN)
    return {
      ...counts,
      refused: shown.map(({ line, text }) => ({ line, message: text() })),
      refusedCount: refused.length,
    }
  }

  async function showList(
    ctx: DashboardContext,
    { error, uploaded }: { readonly error: ServiceError | null; readonly uploaded: Uploaded | null },
  ): Promise<void> {
    const { caller, form, standing = null } = ctx.state
    const query = queryOf(ctx)
    const filter = filterOf(query)
    const [{ project }, { items, total }] = await Promise.all([
      projects.get(caller, projectRef(ctx)),
      redirects.list(caller, projectRef(ctx), filter, sliceOf(query)),
    ])
    const controls = withFaults(typed(controlsOf(), form), error ?? { fields: [] }, words)
    const path = projectPath(project, '/redirects')
    frame.show(ctx, 'redirects', {
      title: words.areas.redirects,
      ...settingsFrame(project, 'redirects', words, standing),
      problem: error && problemOf(error, words, controls),
      path,
      controls,
      uploaded,
      search: filter.text ?? '',
      kind: filter.kind,
      kinds: REDIRECT_KINDS,
      dead: filter.dead === true,
      isFiltered: filter.text !== null || filter.kind !== null || filter.dead !== null,
      pager: pagerOf(path, query, items.length, total),
      rows: items.map((redirect) => rowOf(redirect, project)),
    })
  }

  function controlsOf(): readonly Control[] {
    const { from, fromHint, to, toHint } = words.redirects
    return [
      plainControl({
        name: 'from',
        label: from,
        hint: fromHint,
        isRequired: true,
        maxLength: 2_000,
        autocomplete: 'off',
      }),
      plainControl({
        name: 'to',
        label: to,
        hint: toHint,
        isRequired: true,
        maxLength: 2_048,
        autocomplete: 'off',
      }),
    ]
  }
}

function filterOf(query: URLSearchParams): RedirectFilter {
  return {
    text: (query.get('q') ?? '').slice(0, 200) || null,
    kind: REDIRECT_KINDS.find((kind) => kind === query.get('kind')) ?? null,
    dead: query.get('dead') === 'true' ? true : null,
  }
}

function rowOf({ id, pageId, ...redirect }: Redirect, project: Pick<Project, 'id'>) {
  return {
    ...redirect,
    state: redirect.isDead ? 'dead' : redirect.isLive ? 'live' : 'waiting',
    pageHref: pageId === null ? null : projectPath(project, `/pages/${prefixed('page', pageId)}`),
    deletePath: id === null ? null : projectPath(project, `/redirects/${prefixed('rdr', id)}/delete`),
  } as const
}

/** The redirects of a file: `redirects.yaml`, or one as Netlify reads it. */
function readFileOf(bytes: Buffer, name: string) {
  const text = decoded(bytes)
  return text !== null && !/\.ya?ml$/i.test(name)
    ? readNetlifyRedirects(text)
    : readRedirectsFile(text, MAX_PARSED)
}

/** Returns null for bytes that are not UTF-8. */
function decoded(bytes: Buffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    if (error instanceof TypeError) return null
    throw error
  }
}

function listPath(ctx: DashboardContext): string {
  return `/dashboard/projects/${encodeURIComponent(projectRef(ctx))}/redirects`
}
