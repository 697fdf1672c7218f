import { bareId, enveloped } from './envelopes.ts'
import { created, legacy, shown } from './page-shapes.ts'
import {
  areValid,
  bodyOf,
  editedContent,
  isTaken,
  newContent,
  type PageFields,
  readBy,
  type Spelling,
  type Surface,
} from './page-writes.ts'
import { atStatus, pathConflict } from './publishing-rules.ts'
import {
  type KeyName,
  laterThan,
  type Match,
  matchFault,
  type Outcome,
  pageFault,
  pageRef,
  pageTag,
  projectFault,
  projectRef,
  refused,
  type Step,
  stateFault,
} from './step.ts'
import { type Page, type PageStatus, pageAt, projectAt, type World, withPage } from './world.ts'

/** Something wrong with a body, whatever the page; the legacy surface may not read the field at all. */
export interface Fault {
  readonly body: Readonly<Record<string, unknown>>
  readonly onLegacyToo: boolean
}

export interface Asked {
  readonly key: KeyName
  readonly surface: Surface
  /** Whether ids are sent in their prefixed form: both surfaces take both. */
  readonly isPrefixed: boolean
}

export interface CreatePage extends Asked {
  readonly project: number
  readonly fields: PageFields
  readonly spelling: Spelling
  readonly fault: Fault | null
}

export function createPage(world: World, asked: CreatePage): Step {
  const { key, surface, project, fields, spelling, fault, isPrefixed } = asked
  const ids = { project_id: projectRef(world, project, isPrefixed) }
  return {
    method: 'POST',
    path: surface === 'current' ? '/pages' : '/v1/pages',
    key,
    body: { ...ids, ...bodyOf(world, fields, spelling), ...fault?.body },
    outcome: projectFault(world, key, project, ['write']) ?? draftFault(world, asked) ?? made(world, asked),
  }
}

function made(world: World, { surface, project, fields }: CreatePage): Outcome {
  const index = world.pages.length
  const draft: Page = { ...NEW_PAGE, project, content: newContent(readBy(surface, fields)) }
  return {
    status: 201,
    next: ({ id, created_at: createdAt, updated_at: updatedAt }) => ({
      ...world,
      pages: [...world.pages, { ...draft, id: bareId(id), createdAt, updatedAt }],
    }),
    body: (after) =>
      surface === 'current' ? { data: created(after, index) } : enveloped(legacy(after, index)),
    tagged: (after) => pageTag(after, index),
  }
}

const NEW_PAGE: Omit<Page, 'project' | 'content'> = {
  id: '',
  status: 'draft',
  version: 1,
  createdAt: '',
  updatedAt: '',
  publishedAt: null,
  firstPublishedAt: null,
  isDeleted: false,
  live: null,
  pastPaths: [],
}

function draftFault(world: World, { surface, project, fields, fault }: CreatePage): Outcome | null {
  const index = world.pages.length
  const required = (['title', 'slug', 'subroute', 'type'] as const).slice(0, surface === 'current' ? 4 : 2)
  return (
    stateFault(projectAt(world, project)) ??
    (required.some((name) => fields[name] === undefined && !(name in (fault?.body ?? {})))
      ? refused('missing_required_field')
      : null) ??
    (counts(fault, surface) ? refused('validation_error') : null) ??
    (areValid(world, { index, project, surface }, fields) ? null : refused('validation_error')) ??
    (isTaken(world, project, index, newContent(readBy(surface, fields))) ? refused('conflict') : null)
  )
}

export interface UpdatePage extends Asked {
  readonly page: number
  readonly fields: PageFields
  readonly spelling: Spelling
  readonly fault: Fault | null
  /** The legacy surface ignores it. */
  readonly status: PageStatus | null
  readonly match: Match
}

export function updatePage(world: World, asked: UpdatePage): Step {
  const { key, surface, page, fields, spelling, fault, match, isPrefixed } = asked
  const status = surface === 'current' ? asked.status : null
  const others = { ...bodyOf(world, fields, spelling), ...fault?.body }
  const writes = status === null || Object.keys(others).length > 0
  const denied = pageFault(world, key, page, [
    ...(writes ? (['write'] as const) : []),
    ...(status === null ? [] : (['publish'] as const)),
  ])
  return {
    method: 'PUT',
    path: `${surface === 'current' ? '' : '/v1'}/pages/${pageRef(world, page, isPrefixed)}`,
    key,
    body: { ...others, ...(asked.status !== null && { status: asked.status }) },
    ...(denied === null && { match: { ...pageTag(world, page), which: match } }),
    outcome: denied ?? updated(world, { ...asked, status }),
  }
}

function updated(world: World, { surface, page: index, fields, fault, status, match }: UpdatePage): Outcome {
  const page = pageAt(world, index)
  const content = editedContent(world, index, surface, fields)
  const isEdit = content !== page.content
  const edited = isEdit ? withPage(world, index, { content, version: page.version + 1 }) : world
  const isWrong =
    counts(fault, surface) || !areValid(world, { index, project: page.project, surface }, fields)
  return (
    stateFault(projectAt(world, page.project)) ??
    matchFault(match) ??
    (isWrong ? refused('validation_error') : null) ??
    (isTaken(world, page.project, index, content) ? refused('conflict') : null) ??
    (status === 'published' ? pathConflict(edited, index) : null) ?? {
      status: 200,
      next: ({ updated_at, published_at }) => {
        const updatedAt = isEdit ? laterThan(page.updatedAt, updated_at) : page.updatedAt
        const after = withPage(edited, index, { updatedAt })
        return status === null ? after : atStatus(after, index, status, { publishedAt: published_at })
      },
      body: (after) =>
        surface === 'current'
          ? { data: shown(after, index, { title: 'title' }) }
          : enveloped(legacy(after, index)),
      tagged: (after) => pageTag(after, index),
    }
  )
}

export interface GetPage extends Asked {
  readonly page: number
  readonly sections: boolean
  readonly markdown: boolean
}

export function getPage(world: World, { key, surface, page, isPrefixed, sections, markdown }: GetPage): Step {
  const query = `?include_sections=${sections}&include_markdown=${markdown ? 1 : 0}`
  return {
    method: 'GET',
    path: `${surface === 'current' ? '' : '/v1'}/pages/${pageRef(world, page, isPrefixed)}${surface === 'current' ? query : ''}`,
    key,
    outcome: pageFault(world, key, page, ['read']) ?? {
      status: 200,
      next: () => world,
      body: () =>
        surface === 'current'
          ? { data: shown(world, page, { sections, markdown }) }
          : enveloped(legacy(world, page)),
      tagged: () => pageTag(world, page),
    },
  }
}

/** Whether a surface minds the fault. */
export function counts(fault: Fault | null, surface: Surface): boolean {
  return fault !== null && (surface === 'current' || fault.onLegacyToo)
}
