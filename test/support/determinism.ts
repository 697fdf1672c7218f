import { ID_ALPHABET, ID_LENGTH, type Id, type IdPrefix } from '../../src/domain/ids.ts'
import type { NewId } from '../../src/services/new-id.ts'

/** A clock that always returns the same time. */
export function stoppedClock(): () => string {
  return () => '2026-01-01T00:00:00.000Z'
}

/** Ids in a fixed order, the same in every run. */
export function sequentialIds(): NewId {
  let n = 0
  return <K extends IdPrefix>() => {
    let rest = n++
    let digits = ''
    for (let i = 0; i < ID_LENGTH; i++) {
      digits = ID_ALPHABET[rest % ID_ALPHABET.length] + digits
      rest = Math.floor(rest / ID_ALPHABET.length)
    }
    return digits as Id<K>
  }
}
