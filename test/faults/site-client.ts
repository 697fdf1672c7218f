import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'

/** A tag of all articles. Each has its mark as another one. */
const SHARED_TAG = 'trains'

/** A page as its owner and its visitors see it, told by the marks that stand in its text. */
export interface PageState {
  /** In the content that the API shows; null once the page is deleted. */
  readonly draft: string | null
  /** In the file that visitors get; null when there is none. */
  readonly live: string | null
}

/** One page and what may be seen of it: more than one state while an answer is outstanding. */
export interface TrackedPage {
  readonly id: string
  readonly slug: string
  readonly type: string
  possible: readonly PageState[]
}

export type Operation = 'edit' | 'publish' | 'unpublish' | 'delete'

export interface Connection {
  readonly url: string
  readonly key: string
}

/** Records the acknowledged operations of each of its pages, and compares them with the site. */
export type SiteClient = ReturnType<typeof createSiteClient>

/** @param data the service's data folder: visitors' files are read where they lie. */
export function createSiteClient(data: string, project: string, connection: () => Connection) {
  let marks = 0

  return { project, create, perform, look, disagreements }

  async function create(slug: string, type: string): Promise<TrackedPage> {
    const draft = newMark()
    await upload(draft)
    const { status, body } = await call('POST', '/pages', {
      project_id: project,
      title: `Page ${slug}`,
      slug,
      subroute: 'docs',
      type,
      tags: [SHARED_TAG, draft],
      markdown_content: text(draft),
    })
    if (status !== 201) throw new Error(`Creating ${slug} was answered ${status}: ${JSON.stringify(body)}`)
    return { id: body.data.id, slug, type, possible: [{ draft, live: null }] }
  }

  /** Does it, and notes what may be seen from now on. Returns the status, or null when no answer came. */
  async function perform(page: TrackedPage, operation: Operation): Promise<number | null> {
    const draft = newMark()
    const before = page.possible
    const after = before.map((state) => next(state, operation, draft))
    page.possible = [...before, ...after]
    const answer = await request(page, operation, draft).catch(() => null)
    if (answer === null) return null
    const { status } = answer
    page.possible = status < 300 ? after : before
    return status
  }

  async function request({ id }: TrackedPage, operation: Operation, draft: string) {
    if (operation === 'edit') {
      await upload(draft)
      return call('PUT', `/pages/${id}`, {
        markdown_content: text(draft),
        title: `Page ${draft}`,
        tags: [SHARED_TAG, draft],
      })
    }
    if (operation === 'delete') return call('DELETE', `/pages/${id}`)
    return call('POST', `/pages/${id}/${operation}`)
  }

  async function look({ id, slug }: TrackedPage): Promise<PageState> {
    const { status, body } = await call('GET', `/pages/${id}`)
    const live = await fileOf(slug)
    if (live !== null && !live.trimEnd().endsWith('</html>'))
      throw new Error(`The file of ${slug} is not whole.`)
    return {
      draft: status === 404 ? null : markIn(body.data.markdown_content),
      live: live === null ? null : markIn(live),
    }
  }

  /** Differences between the site and the acknowledged operations, one line each. */
  async function disagreements(pages: readonly TrackedPage[]): Promise<readonly string[]> {
    const found: string[] = []
    const listed = await listedFiles()
    const published = await publishedIds()
    const tags = new Set<string>()
    for (const page of pages) {
      const state = await look(page)
      if (!page.possible.some(({ draft, live }) => draft === state.draft && live === state.live))
        found.push(`${page.slug} is ${JSON.stringify(state)}, not one of ${JSON.stringify(page.possible)}.`)
      const isLive = state.live !== null
      if (listed.has(`docs/${page.slug}/index.html`) !== isLive)
        found.push(`${page.slug} is ${isLive ? '' : 'not '}live, which _index.json does not say.`)
      if (published.has(page.id) !== isLive)
        found.push(`${page.slug} is ${isLive ? '' : 'not '}live, which its status does not say.`)
      if (state.live !== null && !(await isFilePublished(state.live)))
        found.push(`${page.slug} is live without the file of ${state.live}.`)
      if (state.live !== null && page.type === 'article') tags.add(state.live).add(SHARED_TAG)
    }
    return [...found, ...(await wrongTagFiles(tags))]
  }

  /** Each tag of a live article has a list with a feed, and no other tag has. The pages are all of the site. */
  async function wrongTagFiles(tags: ReadonlySet<string>): Promise<readonly string[]> {
    const expected = [...tags].flatMap((tag) => [`${tag}/feed.xml`, `${tag}/index.html`])
    if (tags.size > 0) expected.push('index.html')
    const files = await filesIn(join(data, 'cdn', project, 'docs', 'tags'))
    return files.join() === expected.sort().join()
      ? []
      : [`The files of tags are ${files.join(', ')}, not ${expected.join(', ')}.`]
  }

  async function fileOf(slug: string): Promise<string | null> {
    try {
      return await readFile(join(data, 'cdn', project, 'docs', slug, 'index.html'), 'utf8')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
      throw error
    }
  }

  /** A file that the text with this mark leads to. */
  async function upload(mark: string): Promise<void> {
    const { status } = await call('POST', `/projects/${project}/assets?name=${mark}.txt`, { mark })
    if (status >= 300) throw new Error(`The upload of ${mark} was answered ${status}.`)
  }

  async function isFilePublished(mark: string): Promise<boolean> {
    const folder = join(data, 'cdn', project, '_media')
    const names = existsSync(folder) ? await readdir(folder) : []
    const name = names.find((name) => name.startsWith(`${mark}.`))
    return name !== undefined && (await readFile(join(folder, name), 'utf8')) === JSON.stringify({ mark })
  }

  async function listedFiles(): Promise<ReadonlySet<string>> {
    const answer = await fetch(`${connection().url}/public/${project}/_index.json`)
    if (answer.status === 404) return new Set()
    const { pages } = (await answer.json()) as { readonly pages: readonly { readonly file: string }[] }
    return new Set(pages.map(({ file }) => file))
  }

  async function publishedIds(): Promise<ReadonlySet<string>> {
    const { body } = await call('GET', `/pages?project_id=${project}&status=published&limit=100`)
    return new Set(body.data.map(({ id }: { readonly id: string }) => id))
  }

  // biome-ignore lint/suspicious/noExplicitAny: whatever the API answered.
  async function call(method: string, path: string, body?: object): Promise<{ status: number; body: any }> {
    return callApi(connection(), method, path, body)
  }

  function newMark(): string {
    marks += 1
    return `mark${marks}x`
  }
}

/** Sorted, without the temporary files of a writer that was killed. */
async function filesIn(folder: string): Promise<readonly string[]> {
  if (!existsSync(folder)) return []
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile() && /\.(html|xml)$/.test(entry.name))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort()
}

export async function callApi(
  { url, key }: Connection,
  method: string,
  path: string,
  body?: object,
  // biome-ignore lint/suspicious/noExplicitAny: whatever the API answered.
): Promise<{ status: number; body: any }> {
  const response = await fetch(url + path, {
    method,
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: JSON.parse(await response.text()) }
}

function next(state: PageState, operation: Operation, draft: string): PageState {
  if (operation === 'edit') return { ...state, draft }
  if (operation === 'publish') return { ...state, live: state.draft }
  if (operation === 'unpublish') return { ...state, live: null }
  return { draft: null, live: null }
}

/** Stands at both ends, so that half a text shows. */
function text(mark: string): string {
  const words = 'Words between. '.repeat(40)
  return `${mark} begins.\n\n${words}[Its file](/media/${mark}.txt)\n\n${mark} ends.`
}

function markIn(content: string): string {
  const found = new Set(content.match(/mark\d+x(?= (begins|ends))/g))
  const [mark] = found
  if (mark === undefined || found.size !== 1)
    throw new Error(`A text is of two versions: ${[...found].join(', ')}.`)
  return mark
}
