import type { Timers } from '../../src/domain/timers.ts'
import { type CallOptions, type Storage, StorageError } from '../../src/storage/storage.ts'

/** The ways in which a call of a store may fail, as the caller sees them. */
export const FAULTS = [
  '500',
  '503',
  'no answer, not done',
  'no answer, but done',
  'reset in the middle',
  'wrong entity tag',
  '403',
  '2 s late',
] as const
export type Fault = (typeof FAULTS)[number]

export type StorageCall = 'put' | 'get' | 'open' | 'headers' | 'delete' | 'list' | 'check'

export interface FaultyStorage extends Storage {
  /** Called before each call. Null lets the call succeed. */
  fault: (call: StorageCall, key: string) => Fault | null
}

/** A store whose calls fail as `fault` decides. */
export function createFaultyStorage(storage: Storage, timers: Timers): FaultyStorage {
  const faulty: FaultyStorage = {
    fault: () => null,
    put: (object, options) => meet('put', object.key, options, () => storage.put(object, options)),
    get: (key, options) => meet('get', key, options, () => storage.get(key)),
    headers: (key, options) => meet('headers', key, options, () => storage.headers(key)),
    delete: (keys, options) => meet('delete', keys.join(' '), options, () => storage.delete(keys)),
    list: (prefix, options) => meet('list', prefix, options, () => storage.list(prefix)),
    check: (options) => meet('check', '', options, () => storage.check()),
    async open(key, options) {
      let etag: string | null = null
      const opened = await meet(
        'open',
        key,
        options,
        () => storage.open(key),
        () => (etag = '"wrong"'),
      )
      return opened && { ...opened, etag: etag ?? opened.etag }
    },
  }
  return faulty

  async function meet<T>(
    call: StorageCall,
    key: string,
    { signal }: CallOptions = {},
    act: () => Promise<T>,
    onWrongTag: () => void = () => {},
  ): Promise<T> {
    signal?.throwIfAborted()
    const fault = faulty.fault(call, key)
    if (fault === '500' || fault === '503') throw failure(fault, true)
    if (fault === '403') throw failure(fault, false)
    if (fault === 'reset in the middle') throw failure(fault, true)
    if (fault === 'no answer, not done') return silence(signal)
    if (fault === '2 s late') await timers.sleep(2_000, signal)
    if (fault === 'wrong entity tag') onWrongTag()
    const done = await act()
    return fault === 'no answer, but done' ? silence(signal) : done
  }

  async function silence(signal: AbortSignal | undefined): Promise<never> {
    await timers.sleep(Number.POSITIVE_INFINITY, signal)
    throw new Error('An endless sleep ended.')
  }
}

function failure(fault: Fault, transient: boolean): StorageError {
  return new StorageError(`The store failed as it was told to: ${fault}.`, { transient })
}
