import type { Refusal } from '../support/refusal.ts'
import { type Project, pageAt, projectAt, type World } from './world.ts'

/*
 * A rule of the model says of a request how it is sent, what it is answered, and what the world is
 * afterwards. Faults answer in the order of the contract: existence and scope, permission, state of the
 * project, If-Match, fields, state of the page, conflict.
 */

/** The role of a key's user: `owner` in all projects, any other one in the first project only. */
export type Role = 'owner' | 'editor' | 'author' | 'viewer' | 'none'
export type Permission = 'read' | 'write' | 'publish'
/** What a request needs: `settings` and `remove` need the permission `write` of a key, and more of a role. */
export type Need = Permission | 'settings' | 'remove'

interface Key {
  readonly may: readonly Permission[]
  readonly role: Role
  /** The project that it is scoped to. */
  readonly scope: number | null
}

const ALL: readonly Permission[] = ['read', 'write', 'publish']

/** The keys of a sequence. */
export const KEYS = {
  full: { may: ALL, role: 'owner', scope: null },
  reader: { may: ['read'], role: 'owner', scope: null },
  writer: { may: ['read', 'write'], role: 'owner', scope: null },
  publisher: { may: ['read', 'publish'], role: 'owner', scope: null },
  scoped: { may: ALL, role: 'owner', scope: 0 },
  editor: { may: ALL, role: 'editor', scope: null },
  author: { may: ALL, role: 'author', scope: 0 },
  viewer: { may: ALL, role: 'viewer', scope: null },
  stranger: { may: ALL, role: 'none', scope: null },
} as const satisfies Readonly<Record<string, Key>>

export type KeyName = keyof typeof KEYS

const RIGHTS: Readonly<Record<Role, readonly Need[]>> = {
  owner: ['read', 'write', 'publish', 'settings', 'remove'],
  editor: ['read', 'write', 'publish', 'settings'],
  author: ['read', 'write'],
  viewer: ['read'],
  none: [],
}

/** The role that a key has in a project. */
export function roleIn(key: KeyName, index: number): Role {
  const { role } = KEYS[key]
  return role === 'owner' || index === 0 ? role : 'none'
}

/** Whether a write names the version it was read at: none, the present one, an older one. */
export type Match = 'absent' | 'present' | 'stale'

/** A record and its version, e.g. `page 3` and 2: whose entity tag an answer carries. */
export interface Tagged {
  readonly record: string
  readonly version: number
}

export interface Step {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly path: string
  readonly key: KeyName
  readonly body?: unknown
  readonly match?: Tagged & { readonly which: Match }
  readonly outcome: Outcome
}

export type Outcome = Refused | Answered

interface Refused {
  readonly refusal: Refusal
}

interface Answered {
  readonly status: 200 | 201
  /**
   * The world afterwards. What the service decides itself, ids and moments, is taken from the `data` of its
   * answer, having checked that it moved where it has to.
   */
  // biome-ignore lint/suspicious/noExplicitAny: whatever the service answered with.
  readonly next: (data: any) => World
  /** The expected fields of the answer, computed from the next world. */
  readonly body: (after: World) => object
  /** The record whose entity tag the answer carries. */
  readonly tagged?: (after: World) => Tagged
}

/** A moment that the service says, which must be after another. */
export function laterThan(before: string | null, told: unknown): string {
  if (typeof told !== 'string' || (before !== null && told <= before))
    throw new Error(`A moment after ${before} was expected, not ${told}.`)
  return told
}

export function refused(refusal: Refusal): Refused {
  return { refusal }
}

/** Why this key may not do that to a project; null when it may. A place past the last one is an unknown id. */
export function projectFault(world: World, key: KeyName, index: number, needs: readonly Need[]) {
  const { scope } = KEYS[key]
  if (scope !== null && scope !== index) return refused('project_scope_violation')
  const project = world.projects[index]
  const isThere = project !== undefined && project.status !== 'deleted'
  if (!isThere || roleIn(key, index) === 'none') return refused('not_found')
  return rightsFault(key, index, needs)
}

export function pageFault(world: World, key: KeyName, index: number, needs: readonly Need[]) {
  const { scope } = KEYS[key]
  const page = world.pages[index]
  const isThere = page !== undefined && !page.isDeleted && projectAt(world, page.project).status !== 'deleted'
  if (!isThere || roleIn(key, page.project) === 'none') return refused('not_found')
  if (scope !== null && scope !== page.project) return refused('project_scope_violation')
  return rightsFault(key, page.project, needs)
}

/** Why the role or the permissions of a key, whichever are fewer, do not allow that in a project. */
export function rightsFault(key: KeyName, index: number, needs: readonly Need[]) {
  const permissions = needs.map((need) => (need === 'settings' || need === 'remove' ? 'write' : need))
  const rights = RIGHTS[roleIn(key, index)]
  const isAllowed = needs.every((need) => rights.includes(need))
  return isAllowed ? permissionFault(KEYS[key].may, permissions) : refused('forbidden')
}

export function permissionFault(may: readonly Permission[], needs: readonly Permission[]) {
  return needs.every((need) => may.includes(need)) ? null : refused('forbidden')
}

/** Why a project takes no changes; null when it does. */
export function stateFault({ status }: Project) {
  return status === 'active' ? null : refused('forbidden')
}

export function matchFault(match: Match) {
  return match === 'stale' ? refused('precondition_failed') : null
}

/** An id in a path. For a thing that never existed, a well-formed id without an owner. */
export function projectRef({ projects }: World, index: number, isPrefixed: boolean): string {
  return `${isPrefixed ? 'proj_' : ''}${projects[index]?.id ?? UNKNOWN_ID}`
}

export function pageRef({ pages }: World, index: number, isPrefixed: boolean): string {
  return `${isPrefixed ? 'page_' : ''}${pages[index]?.id ?? UNKNOWN_ID}`
}

const UNKNOWN_ID = 'zzzzzzzzzzzzzzzz'

export function pageTag(world: World, index: number): Tagged {
  return { record: `page ${index}`, version: pageAt(world, index).version }
}
