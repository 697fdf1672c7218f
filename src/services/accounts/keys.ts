import type { ApiKey } from '../../db/repositories/keys.ts'
import type { Repositories } from '../../db/repositories.ts'
import type { Act } from '../../domain/audit.ts'
import { type Caller, DEFAULT_PERMISSIONS, type Permission } from '../../domain/caller.ts'
import { ServiceError } from '../../domain/errors.ts'
import { fieldFailure } from '../../domain/field-errors.ts'
import type { KeyId } from '../../domain/ids.ts'
import type { Listed, Slice } from '../../domain/paging.ts'
import { hashApiKey, newApiKey } from '../../secrets/api-key.ts'
import { accessKey, accessProject, assertPermitted } from '../access.ts'
import { recordKey } from '../audit/record-key.ts'
import type { ServiceContext } from '../context.ts'
import { withIdempotency } from '../idempotency.ts'
import { planOfAccount } from './session-caller.ts'

/** Keys of an account that are neither revoked nor expired. */
const MAX_LIVE_KEYS = 500
/** Secrets of a key from before the previous one that are accepted at a time. */
const MAX_EARLIER_SECRETS = 10
const HOUR_MS = 60 * 60 * 1000

/** Fields of a new key; `undefined` takes the default. */
export interface KeyDraft {
  readonly name: string
  /** A project's id in either form; null for all projects. */
  readonly projectScope: string | null | undefined
  readonly permissions: readonly Permission[] | undefined
  readonly expiresAt: string | null | undefined
}

/** A change of a key; `undefined` keeps the stored value. */
export type KeyEdit = Pick<Partial<ApiKey>, 'name'> & Pick<KeyDraft, 'permissions' | 'expiresAt'>

/** Upper bounds of the keys that a caller creates. */
type Rights = Pick<ApiKey, 'plan' | 'limits' | 'expiresAt'>

/** A key and its secret, `qn_live_…`, which is never shown again. */
export interface KeyWithSecret {
  readonly record: ApiKey
  readonly key: string
}

export interface KeyPorts extends Pick<ServiceContext, 'db' | 'newId' | 'now'> {
  /** Called when a key loses rights, so that this process refuses them at once. */
  readonly onChanged: () => void
}

export type KeyService = ReturnType<typeof createKeyService>

/** The keys of an account, for callers with the permission `manage`. A caller never gives more than it has. */
export function createKeyService({ db, newId, now, onChanged }: KeyPorts) {
  return {
    /**
     * The new key has the plan and the limits of the caller's. Repeated with its idempotency key, the request gives the
     * same key a new secret, because the first one was never received.
     *
     * @throws {ServiceError} `forbidden` or `project_scope_violation` for rights that the caller has not, `conflict`
     *   when the account has too many keys.
     */
    async create(caller: Caller, draft: KeyDraft): Promise<KeyWithSecret> {
      assertPermitted(caller, ['manage'])
      return db.write(async (repositories) => {
        const own = await rightsOf(repositories, caller)
        const record = await newRecord(repositories, caller, own, draft)
        const key = newApiKey()
        let isNew = false
        const id = await withIdempotency(repositories, caller, now(), async () => {
          isNew = true
          await assertRoom(repositories, caller)
          await repositories.keys.insert(record, hashApiKey(key))
          await log(repositories, caller, 'key.create', null, record)
          return record.id
        })
        if (!isNew) await reissue(repositories, caller, own, id, key)
        return { record: await accessKey(repositories, caller, id, ['manage']), key }
      })
    },

    /** Lists keys that are neither revoked nor expired, newest first. A caller of one project sees only its keys. */
    async list(caller: Caller, slice: Slice): Promise<Listed<ApiKey>> {
      assertPermitted(caller, ['manage'])
      return liveKeys(db.read, caller, slice)
    },

    async get(caller: Caller, ref: string): Promise<ApiKey> {
      return accessKey(db.read, caller, ref, ['manage'])
    },

    /** @throws {ServiceError} as `create`; `conflict` when the key is revoked. */
    async update(caller: Caller, ref: string, readEdit: (key: ApiKey) => KeyEdit): Promise<ApiKey> {
      const changed = await db.write(async (repositories) => {
        const before = await liveKey(repositories, caller, ref)
        const { name = before.name, permissions = before.permissions, expiresAt } = readEdit(before)
        const own = await rightsOf(repositories, caller)
        assertPermitted(caller, [...before.permissions, ...permissions])
        const isUnchanged = expiresAt === undefined || expiresAt === before.expiresAt
        const next: ApiKey = {
          ...before,
          name,
          permissions,
          expiresAt: isUnchanged ? before.expiresAt : checkedExpiry(own, expiresAt),
          version: before.version + 1,
        }
        await repositories.keys.update(next)
        await log(repositories, caller, 'key.update', before, next)
        return next
      })
      onChanged()
      return changed
    },

    /**
     * Gives the key a new secret.
     *
     * @param readHours reads for how many hours the one before is accepted too. Those before it are accepted as long as
     *   they would have been; 0 ends all of them at once.
     * @throws {ServiceError} `forbidden` when the key may more, or for longer, than the caller; `conflict` when it is
     *   revoked, or too many secrets are accepted already.
     */
    async rotate(caller: Caller, ref: string, readHours: () => number): Promise<KeyWithSecret> {
      const rotated = await db.write(async (repositories) => {
        const before = await liveKey(repositories, caller, ref)
        const hours = readHours()
        const own = await rightsOf(repositories, caller)
        assertNotMore(caller, own, before)
        const key = newApiKey()
        let isNew = false
        await withIdempotency(repositories, caller, now(), async () => {
          isNew = true
          await assertFewSecrets(repositories, before.id, hours)
          const formerUntil = new Date(Date.parse(now()) + hours * HOUR_MS).toISOString()
          const next = { ...before, formerUntil, version: before.version + 1 }
          await repositories.keys.rotate(next, hashApiKey(key), now())
          await log(repositories, caller, 'key.rotate', before, next)
          return before.id
        })
        if (!isNew) await reissue(repositories, caller, own, before.id, key)
        return { record: await accessKey(repositories, caller, before.id, ['manage']), key }
      })
      onChanged()
      return rotated
    },

    /**
     * Revokes a key: this process refuses it at once, others within 5 s.
     *
     * @param check validates the rest of the request, inside the transaction of the change.
     */
    async remove(caller: Caller, ref: string, check: (key: ApiKey) => void): Promise<ApiKey> {
      const revoked = await db.write(async (repositories) => {
        const key = await accessKey(repositories, caller, ref, ['manage'])
        check(key)
        await repositories.keys.revoke(key.id, now())
        if (key.revokedAt === null) await log(repositories, caller, 'key.revoke', key, null)
        return key
      })
      onChanged()
      return revoked
    },
  }

  /** Returns the bounds of the request's key, or of the account of its session. */
  async function rightsOf(repositories: Repositories, { userId, via }: Caller): Promise<Rights> {
    if (via.kind === 'session')
      return { ...(await planOfAccount(repositories, userId, now())), expiresAt: null }
    const key = await repositories.keys.find(via.id)
    if (key === null) throw new ServiceError('invalid_api_key', 'The API key does not exist any more.')
    return key
  }

  function log(
    repositories: Repositories,
    caller: Caller,
    act: Act,
    before: ApiKey | null,
    after: ApiKey | null,
  ): Promise<void> {
    return recordKey(repositories, { newId, now }, caller, { act, before, after })
  }

  /** Replaces the secret of the key that an earlier request with the same idempotency key created or rotated. */
  async function reissue(
    repositories: Repositories,
    caller: Caller,
    own: Rights,
    id: KeyId,
    key: string,
  ): Promise<void> {
    const issued = await accessKey(repositories, caller, id, ['manage'])
    assertNotMore(caller, own, issued)
    await repositories.keys.reissue(id, hashApiKey(key))
    await log(repositories, caller, 'key.reissue', issued, issued)
  }

  function liveKeys(
    { keys }: Repositories,
    { userId, projectScope }: Pick<Caller, 'userId' | 'projectScope'>,
    slice: Slice,
  ): Promise<Listed<ApiKey>> {
    return keys.listLive({ userId, projectScope, liveAt: now() }, slice)
  }

  async function assertFewSecrets({ keys }: Repositories, id: KeyId, hours: number): Promise<void> {
    if (hours > 0 && (await keys.countEarlier(id, now())) >= MAX_EARLIER_SECRETS)
      throw new ServiceError(
        'conflict',
        'Too many secrets of before are accepted for this key. Rotate it with 0 hours, which ends all of them.',
      )
  }

  async function assertRoom(repositories: Repositories, { userId }: Caller): Promise<void> {
    const { total } = await liveKeys(repositories, { userId, projectScope: null }, { limit: 1, offset: 0 })
    if (total >= MAX_LIVE_KEYS)
      throw new ServiceError('conflict', `An account has at most ${MAX_LIVE_KEYS} keys. Delete one first.`)
  }

  async function newRecord(
    repositories: Repositories,
    caller: Caller,
    own: Rights,
    draft: KeyDraft,
  ): Promise<ApiKey> {
    const permissions =
      draft.permissions ?? DEFAULT_PERMISSIONS.filter((each) => caller.permissions.includes(each))
    assertPermitted(caller, permissions)
    const scope = draft.projectScope === undefined ? caller.projectScope : draft.projectScope
    return {
      id: newId<'key'>(),
      userId: caller.userId,
      name: draft.name,
      projectScope: await scopeOf(repositories, caller, scope),
      plan: own.plan,
      limits: own.limits,
      permissions,
      expiresAt: draft.expiresAt === undefined ? own.expiresAt : checkedExpiry(own, draft.expiresAt),
      revokedAt: null,
      formerUntil: null,
      createdAt: now(),
      version: 1,
    }
  }

  /** @throws {ServiceError} `validation_error` for a time that is past, or after the end of the caller's own key. */
  function checkedExpiry(own: Rights, wanted: string | null): string | null {
    if (wanted !== null && wanted <= now()) throw invalidExpiry('must be in the future.')
    if (outlives({ expiresAt: wanted }, own))
      throw invalidExpiry(`must not be after ${own.expiresAt}, when the key of this request expires.`)
    return wanted
  }
}

/** Refuses a key with more rights than the caller, who would gain them with its secret. */
function assertNotMore(caller: Caller, own: Rights, key: ApiKey): void {
  assertPermitted(caller, key.permissions)
  if (outlives(key, own))
    throw new ServiceError('forbidden', `This key expires at ${own.expiresAt}, before the key to be rotated.`)
}

function outlives({ expiresAt }: Pick<ApiKey, 'expiresAt'>, { expiresAt: end }: Rights): boolean {
  return end !== null && (expiresAt === null || expiresAt > end)
}

/** @throws {ServiceError} `conflict` when the key is revoked. */
async function liveKey(repositories: Repositories, caller: Caller, ref: string): Promise<ApiKey> {
  const key = await accessKey(repositories, caller, ref, ['manage'])
  if (key.revokedAt !== null) throw new ServiceError('conflict', 'The key is revoked. Create another one.')
  return key
}

/** @throws {ServiceError} `project_scope_violation`, `not_found` or `forbidden`. */
async function scopeOf(repositories: Repositories, caller: Caller, scope: string | null) {
  if (scope === null) {
    if (caller.projectScope !== null)
      throw new ServiceError(
        'project_scope_violation',
        'This key is of one project, and so are the keys it creates.',
      )
    return null
  }
  // With the role that its user has there, now and later.
  const { project } = await accessProject(repositories, caller, scope, [])
  return project.id
}

function invalidExpiry(message: string): ServiceError {
  return fieldFailure('validation_error', [{ path: 'expires_at', message, code: 'out_of_range' }])
}
