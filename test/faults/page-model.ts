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
  | { readonly kind: 'edit'; readonly title: string; readonly answer: Seen }
  | { readonly kind: 'rename'; readonly slug: string; readonly answer: Seen }
  | { readonly kind: 'settings'; readonly footer: string }
  | { readonly kind: 'publish'; readonly url: string }
  | { readonly kind: 'edit and publish'; readonly title: string }
  | { readonly kind: 'edit and failed publish'; readonly title: string }
  | { readonly kind: 'unpublish'; readonly status: 200 | 409 }
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
    transitions(request, number).map((apply) => ({ ...times, apply })),
  )
}

export function modelKey({ title, slug, footer, live, taken }: PageModel): string {
  return JSON.stringify([title, slug, footer, live, taken])
}

type Transition = Step<PageModel>['apply']

function transitions(request: Request, number: number): readonly Transition[] {
  switch (request.kind) {
    case 'edit':
      return [(page) => ifSeen({ ...page, title: request.title }, request.answer)]
    case 'rename':
      return [(page) => ifSeen({ ...page, slug: request.slug }, request.answer)]
    case 'settings':
      return [(page) => ({ ...page, footer: request.footer })]
    case 'publish':
      return [
        (page) => (request.url.endsWith(`/${page.slug}`) ? copied(page, number) : null),
        (page) => goneLive(page, number),
      ]
    case 'edit and publish':
      return [(page) => copied({ ...page, title: request.title }, number), (page) => goneLive(page, number)]
    case 'edit and failed publish':
      return [(page) => ({ ...page, title: request.title })]
    case 'failed':
      return []
    case 'unpublish':
      return [
        (page) => {
          if (request.status === 409) return page.live === null ? page : null
          return page.live === null ? null : { ...page, live: null }
        },
      ]
    case 'read':
      return [(page) => ifSeen(page, request.answer)]
    case 'visit':
      return [
        (page) =>
          JSON.stringify(page.live) === JSON.stringify(request.shown) ? ifSeen(page, request.answer) : null,
      ]
  }
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
