import { customAlphabet } from 'nanoid'
import { ID_ALPHABET, ID_LENGTH, type Id, type IdPrefix } from '../domain/ids.ts'

export type NewId = <K extends IdPrefix>() => Id<K>

const characters = customAlphabet(ID_ALPHABET, ID_LENGTH)

/** A random id of 80 bits, so that collisions do not occur in practice. */
export const randomId: NewId = <K extends IdPrefix>() => characters() as Id<K>
