import type { Permission } from './caller.ts'

/*
 * Who may do what in a project.
 *
 * A person has one *role* in a project, and a role is a set of *rights*. An operation names the rights that it needs.
 * The account that a project belongs to (`projects.user_id`) is always its owner; it cannot be removed or given another
 * role, so a project is never without an owner. It also pays: storage, limits, and turns of jobs and uploads are those
 * of this account, whichever member makes a change. The role `owner` may be given to others too. They have all rights,
 * and pay for nothing.
 *
 * A credential narrows that: each right has one *permission* that an API key needs to use it. What is done needs both,
 * the right of the role and the permission of the key. For the keys of an account in its own projects nothing follows
 * from roles, so that `write` covers settings, and `publish` Data Mode.
 */

/** From all rights to the fewest. */
export const ROLES = ['owner', 'editor', 'author', 'viewer'] as const
export type Role = (typeof ROLES)[number]

interface RightRule {
  /** Permission of a key to use it. */
  readonly permission: Permission
  readonly roles: readonly Role[]
  /** Activity that a person without it may not do. */
  readonly activity: string
}

const ALL = ROLES
const WRITERS = ['owner', 'editor', 'author'] as const
const EDITORS = ['owner', 'editor'] as const
const OWNERS = ['owner'] as const

const RULES = {
  /** Pages and their previews, releases, jobs, settings, assets and members. */
  read: { permission: 'read', roles: ALL, activity: 'read the project' },
  /** Webhooks and what was sent. Apart from `read`, because the URL of a webhook is often a secret in itself. */
  webhooks: { permission: 'read', roles: EDITORS, activity: 'see its webhooks' },
  /** Create, change and delete pages and assets. Nothing of it alone changes what is live. */
  write: { permission: 'write', roles: WRITERS, activity: 'change pages and assets' },
  /** Links that show a draft to visitors without an account. Authors have it for pages that they created. */
  share: { permission: 'write', roles: EDITORS, activity: 'share previews of pages that others created' },
  /** Publish, unpublish, roll back, schedule, and delete what is live. */
  publish: { permission: 'publish', roles: EDITORS, activity: 'change the live site' },
  /** Settings, hosting, domains, and changes of webhooks. */
  settings: { permission: 'write', roles: EDITORS, activity: 'change its settings' },
  /** Data Mode: a change of it breaks every reader of the site that has the former key. */
  dataMode: { permission: 'publish', roles: OWNERS, activity: 'change its Data Mode' },
  /** Archive the project, restore and delete it. */
  remove: { permission: 'write', roles: OWNERS, activity: 'archive, restore or delete it' },
  /** Invite and remove members, and change their roles. */
  members: { permission: 'manage', roles: OWNERS, activity: 'change its members' },
  /** The audit log, which names credentials and addresses of users. */
  audit: { permission: 'manage', roles: OWNERS, activity: 'read its audit log' },
} as const satisfies Record<string, RightRule>

export type Right = keyof typeof RULES
export const RIGHTS = Object.keys(RULES) as readonly Right[]

/** The permissions that a key needs to use these rights. */
export function permissionsFor(rights: readonly Right[]): readonly Permission[] {
  return [...new Set(rights.map((right) => RULES[right].permission))]
}

/** @param isCreator whether the operation is about a page that this person created. */
export function hasRight(role: Role, right: Right, isCreator = false): boolean {
  const { roles }: RightRule = RULES[right]
  return roles.includes(role) || (isCreator && dependsOnCreator(role, right))
}

/** Reports whether the role has the right only for pages that the person created. */
export function dependsOnCreator(role: Role, right: Right): boolean {
  return role === 'author' && right === 'share'
}

/** Returns the message of a rejection. */
export function withoutRight(role: Role, right: Right): string {
  return `Your role in this project is ${role}, which may not ${RULES[right].activity}.`
}
