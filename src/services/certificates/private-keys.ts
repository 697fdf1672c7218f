import type { OwnedKey, SealedKey } from '../../db/repositories/certificates.ts'
import type { MasterKey } from '../../secrets/master-key.ts'

/** Version of the wrapping format. */
const FORM = 1

type Owner = Pick<OwnedKey, 'kind' | 'owner'>

/** @param pem a private key. */
export function sealPrivateKey(masterKey: MasterKey, owner: Owner, pem: string): SealedKey {
  return masterKey.wrap(Buffer.from(pem), contextOf(owner))
}

/**
 * @returns the key as PEM.
 * @throws {RangeError} if no known master key sealed it for this owner.
 */
export function openPrivateKey(masterKey: MasterKey, key: Owner & SealedKey): string {
  return Buffer.from(masterKey.unwrap(key, contextOf(key))).toString()
}

function contextOf({ kind, owner }: Owner): string {
  return JSON.stringify(['private key', FORM, kind, owner])
}
