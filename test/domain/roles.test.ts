import { expect, test } from 'vitest'
import { DEFAULT_PERMISSIONS, PERMISSIONS } from '../../src/domain/caller.ts'
import { hasRight, permissionsFor, RIGHTS, ROLES, type Role } from '../../src/domain/roles.ts'

const rightsOf = (role: Role) => RIGHTS.filter((right) => hasRight(role, right))

test('an owner has every right, and each role has those of the one below it', () => {
  expect(rightsOf('owner')).toEqual(RIGHTS)
  for (const [higher, lower] of [
    ['owner', 'editor'],
    ['editor', 'author'],
    ['author', 'viewer'],
  ] as const) {
    expect(rightsOf(higher)).toEqual(expect.arrayContaining(rightsOf(lower)))
    expect(rightsOf(higher).length).toBeGreaterThan(rightsOf(lower).length)
  }
})

test('the roles are those that the documentation describes', () => {
  expect(Object.fromEntries(ROLES.map((role) => [role, rightsOf(role)]))).toMatchInlineSnapshot(`
    {
      "author": [
        "read",
        "write",
      ],
      "editor": [
        "read",
        "webhooks",
        "write",
        "share",
        "publish",
        "settings",
      ],
      "owner": [
        "read",
        "webhooks",
        "write",
        "share",
        "publish",
        "settings",
        "dataMode",
        "remove",
        "members",
        "audit",
      ],
      "viewer": [
        "read",
      ],
    }
  `)
})

test('an author also shares pages that they created, and nobody gains more by creating one', () => {
  const gained = ROLES.flatMap((role) =>
    RIGHTS.filter((right) => hasRight(role, right, true) && !hasRight(role, right)).map((right) => [
      role,
      right,
    ]),
  )
  expect(gained).toEqual([['author', 'share']])
})

test('a key without "manage" reaches neither members nor the audit log, and everything else as before', () => {
  const beyond = RIGHTS.filter((right) =>
    permissionsFor([right]).some(
      (permission) => !(DEFAULT_PERMISSIONS as readonly string[]).includes(permission),
    ),
  )
  expect(beyond).toEqual(['members', 'audit'])
  expect([...permissionsFor(RIGHTS)].sort()).toEqual([...PERMISSIONS].sort())
})
