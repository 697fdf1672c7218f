import type { Step } from './linearizable.ts'

/** The state of a page, with the project's setting that it shows. */
export interface PageModel {
  readonly title: string
  readonly slug: string
  readonly footer: string
  readonly live: Shown | null
  /** Copies that publishes under way have taken, by the number of the operation. */
  readonly taken: Readonly<Record<number, Shown>>
}

/** The part that visitors see. */
export interface Shown {
  readonly title: string
  readonly slug: string
  readonly footer: string
}

/** One request for the page, and what was answered. */
export type Request =
  /** Without an answer, as with those below: it happened, or it did not. */
  | { readonly kind: 'edit'; readonly title: string; readonly answer: Seen | null }
  | { readonly kind: 'rename'; readonly slug: string; readonly answer: Seen }
  | { readonly kind: 'settings'; readonly footer: string }
  | { readonly kind: 'publish'; readonly url: string | null }
  | { readonly kind: 'edit and publish'; readonly title: string }
  | { readonly kind: 'edit and failed publish'; readonly title: string }
  | { readonly kind: 'unpublish'; readonly status: 200 | 409 | null }
  /** Answered with 500: nothing is live because of it, then or later. */
  | { readonly kind: 'failed' }
  | { readonly kind: 'read'; readonly answer: Seen }
  /** When all is over: the page, and its file; null when there is none. */
  | { readonly kind: 'visit'; readonly answer: Seen; readonly shown: Shown | null }

/** The part that the API shows. */
export interface Seen {
  readonly title: string
  readonly slug: string
  readonly status: string
}

export interface Recorded {
  readonly invoked: number
  readonly answered: number
  readonly request: Request
}

/**
 * The atomic steps of a history. A publish has two: it takes its snapshot, and later, before its answer, the snapshot
 * goes live. Everything else happens at one moment.
 */
export function stepsOf(history: readonly Recorded[]): readonly Step<PageModel>[] {
  return history.flatMap(({ request, ...times }, number) =>
    transitions(request, number).map((transition) => ({ ...times, ...transition })),
  )
}

export function modelKey({ title, slug, footer, live, taken }: PageModel): string {
  return JSON.stringify([title, slug, footer, live, taken])
}

type Transition = Pick<Step<PageModel>, 'apply' | 'otherwise'>

function transitions(request: Request, number: number): readonly Transition[] {
  switch (request.kind) {
    case 'edit': {
      const { title, answer } = request
      if (answer === null) return [{ apply: (page) => ({ ...page, title }), otherwise: unchanged }]
      return [{ apply: (page) => ifSeen({ ...page, title }, answer) }]
    }
    case 'rename':
      return [{ apply: (page) => ifSeen({ ...page, slug: request.slug }, request.answer) }]
    case 'settings':
      return [{ apply: (page) => ({ ...page, footer: request.footer }) }]
    case 'publish': {
      const { url } = request
      if (url === null)
        return [
          { apply: (page) => copied(page, number), otherwise: unchanged },
          { apply: (page) => goneLive(page, number), otherwise: (page) => withoutCopy(page, number) },
        ]
      return [
        { apply: (page) => (url.endsWith(`/${page.slug}`) ? copied(page, number) : null) },
        { apply: (page) => goneLive(page, number) },
      ]
    }
    case 'edit and publish':
      return [
        { apply: (page) => copied({ ...page, title: request.title }, number) },
        { apply: (page) => goneLive(page, number) },
      ]
    case 'edit and failed publish':
      return [{ apply: (page) => ({ ...page, title: request.title }) }]
    case 'failed':
      return []
    case 'unpublish': {
      const { status } = request
      if (status === null) return [{ apply: (page) => ({ ...page, live: null }), otherwise: unchanged }]
      return [
        {
          apply: (page) => {
            if (status === 409) return page.live === null ? page : null
            return page.live === null ? null : { ...page, live: null }
          },
        },
      ]
    }
    case 'read':
      return [{ apply: (page) => ifSeen(page, request.answer) }]
    case 'visit':
      return [
        {
          apply: (page) =>
            JSON.stringify(page.live) === JSON.stringify(request.shown) ? ifSeen(page, request.answer) : null,
        },
      ]
  }
}

function unchanged(page: PageModel): PageModel {
  return page
}

function ifSeen(page: PageModel, { title, slug, status }: Seen): PageModel | null {
  const isSame =
    page.title === title && page.slug === slug && (page.live !== null) === (status === 'published')
  return isSame ? page : null
}

function copied(page: PageModel, number: number): PageModel {
  const { title, slug, footer } = page
  return { ...page, taken: { ...page.taken, [number]: { title, slug, footer } } }
}

function goneLive(page: PageModel, number: number): PageModel | null {
  const { [number]: copy, ...taken } = page.taken
  return copy === undefined ? null : { ...page, live: copy, taken }
}

function withoutCopy(page: PageModel, number: number): PageModel {
  const { [number]: _, ...taken } = page.taken
  return { ...page, taken }
}
