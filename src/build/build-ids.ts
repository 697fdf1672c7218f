import { hash } from 'node:crypto'
import { ID_ALPHABET, ID_LENGTH, type Id, type IdPrefix } from '../domain/ids.ts'

/** The id of what has this name, the same on every machine: a folder has no database to give ids. */
export function idOf<Kind extends IdPrefix>(kind: Kind, name: string): Id<Kind> {
  const bytes = hash('sha256', `${kind} ${name}`, 'buffer').subarray(0, ID_LENGTH)
  return [...bytes].map((byte) => ID_ALPHABET[byte % ID_ALPHABET.length]).join('') as Id<Kind>
}
