import { projectOfKey } from '../domain/storage-key.ts'
import { createFairLimit } from '../platform/fair-limit.ts'
import type { AccountOf } from '../platform/fair-queue.ts'
import type { CallOptions, Storage } from './storage.ts'

/** Writes that run concurrently: as many as a store on the network gets at most. */
const WRITES = 32
/** Writes of one account that do. The rest is for others, also while the store answers slowly. */
const WRITES_OF_ACCOUNT = 24

/** Adds turns to a storage. All storages of one process share them. */
export type InTurn = (storage: Storage) => Storage

/** Creates turns in which accounts write to the store, then the projects of an account. Reads do not wait. */
export function createFairWrites(accountOf: AccountOf): InTurn {
  const limit = createFairLimit({ total: WRITES, perAccount: WRITES_OF_ACCOUNT })

  return (storage) => ({
    ...storage,
    put: (object, options) => inTurn(object.key, options, () => storage.put(object, options)),
    async delete(keys, options) {
      const [first] = keys
      if (first !== undefined) await inTurn(first, options, () => storage.delete(keys, options))
    },
  })

  /** Keys of one call belong to one project. */
  async function inTurn(
    key: string,
    options: CallOptions | undefined,
    write: () => Promise<void>,
  ): Promise<void> {
    const project = projectOfKey(key)
    if (project === null) return write()
    return limit({ account: await accountOf(project), project }, write, options?.signal)
  }
}
