import type { ApiKey, Listed, Repositories } from '../../db/repositories.ts'
import { type Caller, DEFAULT_PERMISSIONS, type Permission } from '../../domain/caller.ts'
import { ServiceError } from '../../domain/errors.ts'
import { fieldFailure } from '../../domain/field-errors.ts'
import { hashApiKey, newApiKey } from '../../secrets/api-key.ts'
import { accessKey, accessProject, assertPermitted } from '../access.ts'
import type { ServiceContext } from '../context.ts'
import { withIdempotency } from '../idempotency.ts'

/** Keys of an account that are neither revoked nor expired. Each has rate limits of its own. */
const MAX_LIVE_KEYS = 50
const HOUR_MS = 60 * 60 * 1000

/** What a caller asks of a new key; `undefined` takes the default. */
export interface KeyDraft {
  readonly name: string
  /** A project's id in either form; null for all projects. */
  readonly projectScope: string | null | undefined
  readonly permissions: readonly Permission[] | undefined
  readonly expiresAt: string | null | undefined
}

/** A change of a key; `undefined` keeps the stored value. */
export type KeyEdit = Pick<Partial<ApiKey>, 'name'> & Pick<KeyDraft, 'permissions' | 'expiresAt'>

/** A key and its secret, `qn_live_…`, which is never shown again. */
export interface KeyWithSecret {
  readonly record: ApiKey
  readonly key: string
}

export interface KeyPorts extends Pick<ServiceContext, 'db' | 'newId' | 'now'> {
  /** Called when a key has fewer rights than before, so that this process refuses what it lost at once. */
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
     * @throws {ServiceError} `forbidden` or `project_scope_violation` for rights that the caller has not, `conflict` when
     *   the account has too many keys.
     */
    async create(caller: Caller, draft: KeyDraft): Promise<KeyWithSecret> {
      assertPermitted(caller, ['manage'])
      const key = newApiKey()
      return db.write(async (repositories) => {
        const record = await newRecord(repositories, caller, draft)
        let isNew = false
        const id = await withIdempotency(repositories, caller, now(), async () => {
          isNew = true
          const { total } = await liveKeys(
            repositories,
            { ...caller, projectScope: null },
            { limit: 1, offset: 0 },
          )
          if (total >= MAX_LIVE_KEYS)
            throw new ServiceError(
              'conflict',
              `An account has at most ${MAX_LIVE_KEYS} keys. Delete one first.`,
            )
          await repositories.keys.insert(record, hashApiKey(key))
          return record.id
        })
        if (!isNew) await repositories.keys.reissue(id, hashApiKey(key))
        return { record: await accessKey(repositories, caller, id, ['manage']), key }
      })
    },

    /** Keys that are neither revoked nor expired, newest first. A caller of one project sees the keys of that project. */
    async list(
      caller: Caller,
      slice: { readonly limit: number; readonly offset: number },
    ): Promise<Listed<ApiKey>> {
      assertPermitted(caller, ['manage'])
      return liveKeys(db.read, caller, slice)
    },

    async get(caller: Caller, ref: string): Promise<ApiKey> {
      return accessKey(db.read, caller, ref, ['manage'])
    },

    /** @throws {ServiceError} as `create`. */
    async update(caller: Caller, ref: string, readEdit: (key: ApiKey) => KeyEdit): Promise<ApiKey> {
      const changed = await db.write(async (repositories) => {
        const before = await liveKey(repositories, caller, ref)
        const { name, permissions, expiresAt } = readEdit(before)
        const next: ApiKey = {
          ...before,
          name: name ?? before.name,
          permissions: permissions === undefined ? before.permissions : given(caller, permissions),
          expiresAt:
            expiresAt === undefined ? before.expiresAt : await expiry(repositories, caller, expiresAt),
          version: before.version + 1,
        }
        await repositories.keys.update(next)
        return next
      })
      onChanged()
      return changed
    },

    /**
     * Gives the key a new secret.
     *
     * @param readHours reads for how many hours the one before is accepted too.
     */
    async rotate(caller: Caller, ref: string, readHours: () => number): Promise<KeyWithSecret> {
      const key = newApiKey()
      const record = await db.write(async (repositories) => {
        const before = await liveKey(repositories, caller, ref)
        const hours = readHours()
        let isNew = false
        await withIdempotency(repositories, caller, now(), async () => {
          isNew = true
          const formerUntil = new Date(Date.parse(now()) + hours * HOUR_MS).toISOString()
          const next = { ...before, formerUntil, version: before.version + 1 }
          await repositories.keys.rotate(next, hashApiKey(key))
          return before.id
        })
        if (!isNew) await repositories.keys.reissue(before.id, hashApiKey(key))
        return accessKey(repositories, caller, before.id, ['manage'])
      })
      onChanged()
      return { record, key }
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
        return key
      })
      onChanged()
      return revoked
    },
  }

  function liveKeys(
    { keys }: Repositories,
    { userId, projectScope }: Pick<Caller, 'userId' | 'projectScope'>,
    slice: { readonly limit: number; readonly offset: number },
  ): Promise<Listed<ApiKey>> {
    return keys.listLive({ userId, projectScope, liveAt: now() }, slice)
  }

  /** @throws {ServiceError} `conflict` when the key is revoked. */
  async function liveKey(repositories: Repositories, caller: Caller, ref: string): Promise<ApiKey> {
    const key = await accessKey(repositories, caller, ref, ['manage'])
    if (key.revokedAt !== null) throw new ServiceError('conflict', 'The key is revoked. Create another one.')
    return key
  }

  async function newRecord(repositories: Repositories, caller: Caller, draft: KeyDraft): Promise<ApiKey> {
    const own = await ownKey(repositories, caller)
    const scope = draft.projectScope === undefined ? caller.projectScope : draft.projectScope
    return {
      id: newId<'key'>(),
      userId: caller.userId,
      name: draft.name,
      projectScope: await scopeOf(repositories, caller, scope),
      plan: own.plan,
      limits: own.limits,
      permissions: given(caller, draft.permissions ?? held(caller, DEFAULT_PERMISSIONS)),
      expiresAt: await expiry(
        repositories,
        caller,
        draft.expiresAt === undefined ? own.expiresAt : draft.expiresAt,
      ),
      revokedAt: null,
      formerUntil: null,
      createdAt: now(),
      version: 1,
    }
  }

  /** A key that ends gives no key that lives longer. */
  async function expiry(
    repositories: Repositories,
    caller: Caller,
    wanted: string | null,
  ): Promise<string | null> {
    const { expiresAt: end } = await ownKey(repositories, caller)
    if (wanted !== null && wanted <= now()) throw invalidExpiry('must be in the future.')
    if (end !== null && (wanted === null || wanted > end))
      throw invalidExpiry(`must not be after ${end}, when the key of this request expires.`)
    return wanted
  }

  async function ownKey({ keys }: Repositories, { keyId }: Caller): Promise<ApiKey> {
    const found = await keys.find(keyId)
    if (found === null) throw new ServiceError('invalid_api_key', 'The API key does not exist any more.')
    return found.key
  }
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
  const { project } = await accessProject(repositories, caller, scope, ['manage'])
  return project.id
}

/** @throws {ServiceError} `forbidden` when the caller lacks one of them. */
function given(caller: Caller, permissions: readonly Permission[]): readonly Permission[] {
  assertPermitted(caller, permissions)
  return permissions
}

function held({ permissions }: Caller, wanted: readonly Permission[]): readonly Permission[] {
  return wanted.filter((permission) => permissions.includes(permission))
}

function invalidExpiry(message: string): ServiceError {
  return fieldFailure('validation_error', [{ path: 'expires_at', message, code: 'out_of_range' }])
}
