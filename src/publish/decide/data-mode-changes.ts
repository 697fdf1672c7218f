import type { DataModeOp, ReleaseFailure } from '../../domain/release.ts'
import type { Mode } from './current-site.ts'

/** Why a project cannot change its mode; null if it can. */
export function dataModeFailure(op: DataModeOp, { keyId }: Mode): ReleaseFailure | null {
  const isOn = keyId !== null
  if (isOn !== (op === 'enable')) return null
  return isOn ? IS_ON : IS_OFF
}

const IS_ON: ReleaseFailure = {
  name: 'already_enabled',
  message: 'Data Mode is already on for this project.',
}
const IS_OFF: ReleaseFailure = { name: 'not_enabled', message: 'Data Mode is off for this project.' }

/** Two pages would need one name under the new key. */
export const NAMES_TAKEN: ReleaseFailure = {
  name: 'conflict',
  message:
    'The file names of a page that is not encrypted yet are taken by previous files of other pages. Publish those pages again first.',
}
