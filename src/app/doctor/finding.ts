/** A result of one check of an installation. */
export interface Finding {
  readonly check: Check
  /** `warning`: it works, but not as it should or not for long. `error`: something does not work. */
  readonly level: 'ok' | 'warning' | 'error'
  /** The result in one or more sentences. */
  readonly message: string
  /** Advice; null when there is nothing to do, or the message says it. */
  readonly remedy: string | null
}

export type Check =
  | 'versions'
  | 'settings'
  | 'memory'
  | 'limits'
  | 'disk'
  | 'themes'
  | 'database'
  | 'clock'
  | 'keys'
  | 'processes'
  | 'work'
  | 'accounts'
  | 'store'
  | 'uploads'
  | 'pictures'
  | 'packages'
  | 'mail'
  | 'address'
  | 'certificate'
  | 'domains'

export function ok(check: Check, message: string): Finding {
  return { check, level: 'ok', message, remedy: null }
}

export function warning(check: Check, message: string, remedy: string | null = null): Finding {
  return { check, level: 'warning', message, remedy }
}

export function failure(check: Check, message: string, remedy: string | null = null): Finding {
  return { check, level: 'error', message, remedy }
}
