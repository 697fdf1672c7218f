import { customAlphabet } from 'nanoid'
import { ID_ALPHABET, ID_LENGTH, type Id, type IdPrefix } from '../domain/ids.ts'

export type NewId = <K extends IdPrefix>() => Id<K>

const characters = customAlphabet(ID_ALPHABET, ID_LENGTH)

/** A random id: 80 bits, so that two never meet. */
export const randomId: NewId = <K extends IdPrefix>() => characters() as Id<K>
