import { enveloped } from './envelopes.ts'
import { inTheWay, liveNow, originOf, othersOnceLive, pathOf, staleReasons } from './site.ts'
import {
  type KeyName,
  laterThan,
  type Outcome,
  pageFault,
  pageRef,
  refused,
  type Step,
  stateFault,
} from './step.ts'
import { type Page, type PageStatus, pageAt, projectAt, type World, withPage, withProject } from './world.ts'

/** The three addresses of each operation: two that name the page in the body, and how they spell it. */
export type Door = 'path' | 'body' | 'legacy'

export interface Move {
  readonly key: KeyName
  readonly door: Door
  readonly isPrefixed: boolean
  readonly page: number
}

export function publish(world: World, asked: Move): Step {
  const { key, page: index } = asked
  return {
    ...sent(world, asked, 'publish'),
    outcome: pageFault(world, key, index, ['publish']) ?? published(world, asked),
  }
}

function published(world: World, { door, page: index }: Move): Outcome {
  const page = pageAt(world, index)
  const project = projectAt(world, page.project)
  const path = pathOf(page.content, project)
  return (
    stateFault(project) ??
    pathConflict(world, index) ?? {
      status: 200,
      next: ({ published_at, release_id, changed }) =>
        atStatus(world, index, 'published', { publishedAt: published_at, releaseId: release_id, changed }),
      body: (after) => {
        const { publishedAt: published_at, live } = pageAt(after, index)
        if (door !== 'path') return answered(world, door, index, { status: 'published', published_at })
        const told = { status: 'published', published_at, url: originOf(project, world) + path }
        return { data: { ...told, id: `page_${page.id}`, release_id: live?.releaseId } }
      },
    }
  )
}

export function unpublish(world: World, asked: Move): Step {
  const { key, door, page: index } = asked
  const denied = pageFault(world, key, index, ['publish'])
  if (denied !== null) return { ...sent(world, asked, 'unpublish'), outcome: denied }
  const page = pageAt(world, index)
  return {
    ...sent(world, asked, 'unpublish'),
    outcome: stateFault(projectAt(world, page.project)) ??
      (page.live === null ? refused('not_published') : null) ?? {
        status: 200,
        next: () => atStatus(world, index, 'draft', {}),
        body: () =>
          door === 'path'
            ? { data: { id: `page_${page.id}`, status: 'draft' } }
            : answered(world, door, index, { status: 'unpublished' }),
      },
  }
}

export function deletePage(world: World, { key, isPrefixed, page: index }: Omit<Move, 'door'>): Step {
  const isLive = world.pages[index]?.live != null
  const denied = pageFault(world, key, index, isLive ? ['write', 'publish'] : ['write'])
  return {
    method: 'DELETE',
    path: `/pages/${pageRef(world, index, isPrefixed)}`,
    key,
    outcome: denied ??
      stateFault(projectAt(world, pageAt(world, index).project)) ?? {
        status: 200,
        next: () => withPage(world, index, { isDeleted: true, live: null }),
        body: () => {
          const { id, pastPaths } = pageAt(world, index)
          return { data: { id: `page_${id}`, deleted: true, lost_addresses: pastPaths.length } }
        },
      },
  }
}

function sent(world: World, { key, door, isPrefixed, page }: Move, act: string): Omit<Step, 'outcome'> {
  const ref = pageRef(world, page, isPrefixed)
  if (door === 'path') return { method: 'POST', path: `/pages/${ref}/${act}`, key }
  const path = `${door === 'legacy' ? '/v1' : ''}/pages/${act}`
  return { method: 'POST', path, key, body: isPrefixed ? { pageId: ref } : { page_id: ref } }
}

function answered(world: World, door: Door, index: number, told: object): object {
  const { id } = pageAt(world, index)
  const data = { page_id: door === 'legacy' ? id : `page_${id}`, ...told }
  return door === 'legacy' ? enveloped(data) : { data }
}

/** Two live pages cannot be at one path. */
export function pathConflict(world: World, index: number): Outcome | null {
  const { project, content } = pageAt(world, index)
  const path = pathOf(content, projectAt(world, project))
  return inTheWay(world, index, path) === undefined ? null : refused('conflict')
}

/** The fields of an answer to a publish; only some answers contain the release and the change. */
interface ToldOfPublish {
  readonly publishedAt?: string
  readonly releaseId?: string
  readonly changed?: boolean
}

/** The world once a page has a status, by whatever way it came there. */
export function atStatus(world: World, index: number, status: PageStatus, told: ToldOfPublish): World {
  return status === 'published' ? live(world, index, told) : withPage(world, index, { status, live: null })
}

function live(
  world: World,
  index: number,
  { publishedAt: told, releaseId = '', changed }: ToldOfPublish,
): World {
  const page = pageAt(world, index)
  const isRepeat = repeats(world, index)
  if (isRepeat !== null && releaseId !== '' && isRepeat !== (changed === false))
    throw new Error(
      `A publish that ${isRepeat ? 'repeats' : 'changes'} an unchanged live page was answered changed: ${changed}.`,
    )
  const isSame = isRepeat ?? told === page.publishedAt
  const publishedAt = isSame ? page.publishedAt : laterThan(page.publishedAt, told)
  const now = liveNow(world, index)
  const there: Partial<Page> = {
    status: 'published',
    publishedAt,
    firstPublishedAt: page.firstPublishedAt ?? publishedAt,
    live: { ...now, releaseId: releaseIdOf(page, isSame, releaseId) },
    pastPaths: [...new Set([...page.pastPaths, now.path])],
  }
  const after = withPage(world, index, there)
  return withOthers(withProject(after, page.project, { hasIndex: true }), index)
}

/** A repeated publish answers the release that is live; one told by no answer is learned from the next. */
function releaseIdOf({ live }: Page, isSame: boolean, told: string): string {
  const known = live?.releaseId ?? ''
  return isSame && known !== '' ? known : told
}

/** Whether a publish leaves the live page unchanged; null when that depends on its rendering. */
function repeats(world: World, index: number): boolean | null {
  const { live, content, project } = pageAt(world, index)
  if (live === null) return false
  const isForetold = !(projectAt(world, project).hasDocsNav && content.type === 'docs')
  const isWritten = content.type === 'article' || content.type === 'docs'
  if (isWritten && content.title !== live.content.title) return false
  if (!isForetold || staleReasons(world, index).length > 0) return null
  return true
}

function withOthers(world: World, index: number): World {
  const { live } = pageAt(world, index)
  if (live === null) return world
  const basis = { ...live.basis, ...othersOnceLive(world, index) }
  return withPage(world, index, { live: { ...live, basis } })
}
