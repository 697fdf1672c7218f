import type { Random } from '../support/random.ts'

/** Ids and paths from earlier answers, for later requests. */
export interface Pools {
  /** The `Authorization` header of most requests. */
  readonly key: string
  /** Another `Authorization` header, valid or not. Null for none. */
  someOtherKey(): string | null
  /** An id of a created record, with or without its prefix. */
  someId(kind: Kind): string
  someTag(): string
  /** Path of a published page in its site, or of another file. */
  somePath(): string
  learn(answer: { readonly body: unknown; readonly etag: string | null }): void
}

export type Kind = 'page' | 'proj' | 'ast' | 'mem'

/** Number of remembered values. Small, so that many requests concern the same records. */
const POOL_SIZES: Readonly<Record<Kind | 'tag' | 'path', number>> = {
  proj: 12,
  page: 120,
  ast: 60,
  mem: 60,
  tag: 200,
  path: 60,
}

export function createPools(random: Random, key: string, otherKeys: readonly (string | null)[]): Pools {
  const known: Record<Kind | 'tag' | 'path', string[]> = {
    proj: [],
    page: [],
    ast: [],
    mem: [],
    tag: [],
    path: [],
  }

  return {
    key,
    someOtherKey: () => random.pick(otherKeys),

    someId(kind) {
      const bare = some(kind) ?? 'aaaaaaaaaaaaaaaa'
      return random.chance(0.85) ? `${kind}_${bare}` : bare
    },

    someTag: () => some('tag') ?? '"1-x"',
    somePath: () =>
      random.pick([
        some('path') ?? '',
        '',
        '_index.json',
        'sitemap.xml',
        '404.html',
        '.git/config',
        '_nav/docs.json',
      ]),

    learn({ body, etag }) {
      if (etag !== null) remember('tag', etag)
      for (const [, kind, id] of JSON.stringify(body ?? null).matchAll(
        /"(page|proj|ast|mem)_([a-z2-9]{16})"/g,
      ))
        remember(kind as Kind, id ?? '')
      const url = urlOf(body)
      if (url !== null) remember('path', url)
    },
  }

  function some(kind: keyof typeof known): string | undefined {
    const values = known[kind]
    return values.length === 0 ? undefined : random.pick(values)
  }

  function remember(kind: keyof typeof known, value: string): void {
    const values = known[kind]
    if (values.includes(value)) return
    if (values.length < POOL_SIZES[kind]) values.push(value)
    else values[random.below(values.length)] = value
  }
}

/** The path of the page in a response, without its leading slash. */
function urlOf(body: unknown): string | null {
  const data = typeof body === 'object' && body !== null && 'data' in body ? body.data : null
  const url = typeof data === 'object' && data !== null && 'url' in data ? data.url : null
  return typeof url === 'string'
    ? url.replace(/^https?:\/\/[^/]+/, '').replace(/^\/(public\/[^/]+\/)?/, '')
    : null
}
