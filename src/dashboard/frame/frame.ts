import type { Eta } from 'eta'
import type { Context } from 'koa'
import type { Caller } from '../../domain/caller.ts'
import { hasRight, type Right } from '../../domain/roles.ts'
import { paidFor } from '../../platform/processor-time.ts'
import { lucideIcon } from '../../render/icons/lucide.ts'
import type { Standing } from '../../services/projects/projects.ts'
import type { Words } from '../words/en.ts'
import { formToken } from './cross-site.ts'
import { allowScript, newNonce } from './headers.ts'
import type { Problem } from './problem.ts'
import type { ScriptName, StaticFiles } from './static-files.ts'
import { translated } from './translated.ts'

export interface Place {
  readonly href: string
  readonly name: string
  readonly isCurrent: boolean
}

export interface Action {
  readonly href: string
  readonly name: string
  readonly isPrimary: boolean
}

/** Values of a view for its template and for the page around it. */
export interface View {
  readonly title: string
  /** Pages above this one, outermost first. */
  readonly crumbs?: readonly Pick<Place, 'href' | 'name'>[]
  readonly tabs?: readonly Place[]
  /** Parts of the current tab. */
  readonly areas?: readonly Place[]
  /** Links next to the title. */
  readonly actions?: readonly Action[]
  readonly problem?: Problem | null
  /** Seconds after which a browser without scripts loads the page again; null for never. */
  readonly refreshAfter?: number | null
  /** The script of the page; most have none. */
  readonly script?: ScriptName | null
  /** True for views that fill the window, without the bar of the dashboard. */
  readonly isWriting?: boolean
  readonly [more: string]: unknown
}

export interface Frame {
  readonly words: Words
  /** Answers with a page. Its status is the `status` of the problem, if any. */
  show(ctx: Context, template: string, view: View): void
  /** Answers with a part of a page, which a script puts into it. */
  showPart(ctx: Context, template: string, view: Omit<View, 'title'>): void
  /** Answers with a redirect to a path after a change. @param done the message there, by its name in the catalogue. */
  goTo(ctx: Context, path: string, done?: keyof Words['done']): void
}

export interface FramePorts {
  readonly words: Words
  /** Every language of the dashboard, for the choice of one. */
  readonly languages: readonly Pick<Words, 'lang' | 'langName'>[]
  readonly eta: Eta
  readonly files: StaticFiles
  /** Derives the tokens of forms. */
  readonly formKey: Uint8Array
  /** Current time, ISO 8601 UTC. */
  readonly now: () => string
}

export function createFrame({ words, languages, eta, files, formKey, now }: FramePorts): Frame {
  return {
    words,

    show(ctx, template, view) {
      const script = view.script == null ? null : files.hrefs.script(view.script)
      // For the styles that the editor writes.
      const nonce = view.script === 'editor' && script !== null ? newNonce() : null
      const it = { ...modelOf(ctx, view), nonce, script }
      const body = paidFor(() => eta.render(template, it))
      if (script !== null) allowScript(ctx, nonce)
      ctx.status = it.problem?.status ?? 200
      const retryAfter = it.problem?.retryAfter ?? null
      if (retryAfter !== null) ctx.set('Retry-After', String(retryAfter))
      ctx.type = 'text/html; charset=utf-8'
      ctx.body = paidFor(() => eta.render('layout', { ...it, body }))
    },

    showPart(ctx, template, view) {
      ctx.type = 'text/html; charset=utf-8'
      ctx.body = paidFor(() => eta.render(template, modelOf(ctx, view)))
    },

    goTo(ctx, path, done) {
      const [target = '', query = ''] = path.split('?')
      const parameters = new URLSearchParams(query)
      if (done !== undefined) parameters.set('done', done)
      ctx.status = 303
      ctx.set('Location', parameters.size === 0 ? target : `${target}?${parameters}`)
      ctx.body = ''
    },
  }

  /** Returns the values that every template gets. */
  function modelOf(ctx: Context, view: Omit<View, 'title'>) {
    const caller = (ctx.state['caller'] ?? null) as Caller | null
    return {
      t: words,
      say: (message: string) => translated(message, { words }),
      now: now(),
      files: files.hrefs,
      account: caller === null ? null : { email: caller.email },
      token: caller === null ? null : formToken(caller.via.id, formKey),
      places: placesOf(ctx.path, words),
      done: doneMessage(ctx, words),
      crumbs: [],
      tabs: [],
      areas: [],
      may: (right: Right) => may(ctx.state['standing'] ?? null, right),
      icon: (name: string) => lucideIcon(name) ?? '',
      languages,
      here: ctx.method === 'GET' ? ctx.url : ctx.path,
      actions: [],
      problem: null as Problem | null,
      refreshAfter: null,
      isWriting: false,
      ...view,
    }
  }
}

function placesOf(path: string, { places }: Words): readonly Place[] {
  const targets = [
    ['/dashboard/projects', places.projects],
    ['/dashboard/keys', places.keys],
    ['/dashboard/usage', places.usage],
  ] as const
  return targets.map(([href, name]) => ({ href, name, isCurrent: path.startsWith(href) }))
}

/** A query can only choose among the messages of the catalogue. */
function doneMessage(ctx: Context, { done }: Words): string | null {
  const wanted = new URLSearchParams(ctx.querystring).get('done') ?? ''
  return Object.hasOwn(done, wanted) ? (done[wanted as keyof typeof done] ?? null) : null
}

/** Rights that also apply in a project closed to changes. */
const ALWAYS: readonly Right[] = ['read', 'webhooks', 'audit', 'remove']

/** Reports whether a form that needs this right would be accepted. Other forms are not shown. */
export function may(standing: Standing | null, right: Right): boolean {
  if (standing === null || !hasRight(standing.role, right)) return false
  return standing.status === 'active' || ALWAYS.includes(right)
}
