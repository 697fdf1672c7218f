import type { Refusal } from '../support/refusal.ts'
import { type Project, pageAt, projectAt, type World } from './world.ts'

/*
 * A rule of the model says of a request how it is sent, what it is answered, and what the world is
 * afterwards. Faults answer in the order of the contract: existence and scope, permission, state of the
 * project, If-Match, fields, state of the page, conflict.
 */

/** The keys of a sequence: what each may do, whose it is, and the project it is scoped to. */
export const KEYS = {
  full: { may: ['read', 'write', 'publish'], isOwner: true, scope: null },
  reader: { may: ['read'], isOwner: true, scope: null },
  writer: { may: ['read', 'write'], isOwner: true, scope: null },
  publisher: { may: ['read', 'publish'], isOwner: true, scope: null },
  scoped: { may: ['read', 'write', 'publish'], isOwner: true, scope: 0 },
  stranger: { may: ['read', 'write', 'publish'], isOwner: false, scope: null },
} as const

export type KeyName = keyof typeof KEYS
export type Need = 'read' | 'write' | 'publish'

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
  const { scope, isOwner, may } = KEYS[key]
  if (scope !== null && scope !== index) return refused('project_scope_violation')
  const project = world.projects[index]
  if (project === undefined || project.status === 'deleted' || !isOwner) return refused('not_found')
  return permissionFault(may, needs)
}

export function pageFault(world: World, key: KeyName, index: number, needs: readonly Need[]) {
  const { scope, isOwner, may } = KEYS[key]
  const page = world.pages[index]
  const isThere = page !== undefined && !page.isDeleted && projectAt(world, page.project).status !== 'deleted'
  if (!isThere || !isOwner) return refused('not_found')
  if (scope !== null && scope !== page.project) return refused('project_scope_violation')
  return permissionFault(may, needs)
}

export function permissionFault(may: readonly Need[], needs: readonly Need[]) {
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
