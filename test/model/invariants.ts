import { expect } from 'vitest'
import { listedArticles } from './blog.ts'
import { legacyItem, listItem } from './page-shapes.ts'
import type { Real } from './run-step.ts'
import { pathOf } from './site.ts'
import { compare, pagesOf, projectAt, type World } from './world.ts'

/** Checks after any sequence that lists and sites agree with the model, and that nothing else is public. */
export async function expectInvariants(world: World, real: Real): Promise<void> {
  for (const [index, project] of world.projects.entries()) {
    await expectSite(world, index, real)
    if (project.status !== 'deleted') await expectLists(world, index, real)
  }
}

async function expectLists(world: World, index: number, { service, keyNamed }: Real): Promise<void> {
  const { id } = projectAt(world, index)
  const pages = [...pagesOf(world, index)].sort(
    (a, b) => -(compare(a.createdAt, b.createdAt) || compare(a.id, b.id)),
  )
  const list = async (path: string) =>
    (await service.call('GET', path, undefined, { key: await keyNamed('full') })).body
  const current = await list(`/pages?project_id=${id}&limit=100&sort=created_at`)
  expect(current.data).toMatchObject(pages.map((page) => listItem(world, page.index)))
  const legacy = await list(`/v1/pages?project_id=${id}&limit=100`)
  expect(legacy.data).toEqual(pages.map((page) => legacyItem(world, page.index)))
}

async function expectSite(world: World, index: number, { service, keyNamed }: Real): Promise<void> {
  const project = projectAt(world, index)
  const isServed = project.status === 'active' || project.status === 'archived'
  // A visitor needs no key, but all of them here have one address, and limits.
  const headers = { Authorization: `Bearer ${await keyNamed('full')}` }
  const site = `${service.url}/public/proj_${project.id}`
  const visit = async (path: string) => {
    const answer = await fetch(site + path, { headers, redirect: 'manual' })
    const to = answer.headers.get('location')
    const location = to === null ? null : new URL(to, site + path).href
    return { status: answer.status, text: await answer.text(), location }
  }
  const live = isServed ? pagesOf(world, index).filter((page) => page.live !== null) : []

  for (const { live: there } of live) {
    const { status, text } = await visit(folder(there?.path ?? ''))
    expect([there?.path, status]).toEqual([there?.path, 200])
    if (there?.content.type === 'article' || there?.content.type === 'docs')
      expect(text).toContain(there.content.title.replace('&', '&amp;'))
  }

  const livePaths = live.map(({ live: there }) => there?.path)
  for (const path of pathsOf(world, index).filter((path) => !livePaths.includes(path))) {
    const movers = live.filter(({ pastPaths }) => pastPaths.includes(path))
    const ends = movers.map((page) => `${site}${folder(page.live?.path ?? '')}`)
    const { status, location } = await visit(folder(path))
    const isList = live.some((page) => listingOf(page) === path)
    const expected = isList ? 200 : movers.length > 0 ? 308 : 404
    expect([path, status]).toEqual([path, expected])
    if (expected === 308) expect(ends).toContain(location)
    else expect(location).toBeNull()
  }

  const articles = isServed ? listedArticles(world, index) : []
  for (const folder of new Set([...FOLDERS, ...articles.map((article) => article.folder)])) {
    for (const tag of TAGS) {
      const tagged = articles.filter((article) => article.folder === folder && article.tags.includes(tag))
      const path = `/${folder === '' ? '' : `${folder}/`}tags/${tag}/`
      const { status, text } = await visit(path)
      expect([path, status]).toEqual([path, tagged.length === 0 ? 404 : 200])
      const places = tagged.map(({ path: at }) => text.indexOf(`${at.slice(at.lastIndexOf('/') + 1)}/`))
      expect(places).not.toContain(-1)
    }
  }

  const { status, text } = await visit('/_index.json')
  expect(status).toBe(isServed && project.hasIndex ? 200 : 404)
  if (status === 200) expect(JSON.parse(text).pages).toMatchObject(indexOf(live))
}

/** Folders and tags that articles of the project may have had. */
const FOLDERS = ['', 'blog', 'docs', 'docs/deep', 'help']
const TAGS = ['trains', 'night-trains', 'ferries', 'trams', 'buses']

type Placed = ReturnType<typeof pagesOf>[number]

/** The path of the list that a live article stands in. */
function listingOf({ live: there }: Placed): string | null {
  return there?.folder == null ? null : `/${there.folder}`
}

/** The live pages as they went live, by subroute and slug. */
function indexOf(live: readonly Placed[]): readonly object[] {
  return live
    .flatMap(({ id, live: there, publishedAt }) => (there === null ? [] : [{ id, there, publishedAt }]))
    .sort(
      ({ there: { content: a } }, { there: { content: b } }) =>
        compare(a.subroute, b.subroute) || compare(a.slug, b.slug),
    )
    .map(({ id, there: { content, path }, publishedAt }) => ({
      id: `page_${id}`,
      title: content.title,
      slug: content.slug,
      subroute: content.subroute,
      type: content.type,
      url: path,
      description: content.description,
      og_image_url: content.og_image_url,
      published_at: publishedAt,
    }))
}

/** Every path a page of the project was live at or would be. */
function pathsOf(world: World, index: number): readonly string[] {
  const project = projectAt(world, index)
  const pages = world.pages.filter((page) => page.project === index)
  return [...new Set(pages.flatMap(({ content, pastPaths }) => [...pastPaths, pathOf(content, project)]))]
}

/** Pages live at their path with a slash at its end. */
function folder(path: string): string {
  return path === '/' ? path : `${path}/`
}
