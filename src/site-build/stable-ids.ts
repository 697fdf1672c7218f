import { hash } from 'node:crypto'
import { ID_ALPHABET, ID_LENGTH, type Id, type IdPrefix } from '../domain/ids.ts'

/** Returns the id for a name, the same on every machine: a folder has no database that assigns ids. */
export function idOf<Kind extends IdPrefix>(kind: Kind, name: string): Id<Kind> {
  // A character for each byte: an array of them would take three times as long, and every page has a few ids.
  const bytes = hash('sha256', `${kind} ${name}`, 'binary')
  for (let at = 0; at < ID_LENGTH; at += 1)
    letters[at] = ID_ALPHABET.charCodeAt(bytes.charCodeAt(at) % ID_ALPHABET.length)
  return letters.toString('latin1') as Id<Kind>
}

/** Reused buffer: string concatenation would leave a rope of intermediate strings on the heap. */
const letters = Buffer.alloc(ID_LENGTH)
