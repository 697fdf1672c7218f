import type { DataModeOp, ReleaseFailure } from '../../domain/release.ts'
import type { Mode } from './current-site.ts'

/** Reason against a change of mode; null without one. */
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

/** Refusal of a change that would give two pages one name. */
export const NAMES_TAKEN: ReleaseFailure = {
  name: 'conflict',
  message:
    'The file names of a page that is not encrypted yet are taken by previous files of other pages. Publish those pages again first.',
}
