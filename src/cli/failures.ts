import type { Command } from 'commander'
import type { Diagnostic } from '../domain/diagnostic.ts'
import { ServiceError } from '../domain/errors.ts'
import { printOutcome } from './administration.ts'
import { count } from './format-numbers.ts'

/** @throws {ServiceError} after the faults were printed; `what` became of the folder then. */
export function failWithErrors(command: Command, faults: readonly Diagnostic[], what: string): never {
  const failure = new ServiceError('validation_error', `${count(faults.length, 'fault')}; ${what}`)
  printOutcome(command, failure, { faults }, faults.map(faultLine))
  throw failure
}

/** Null where nothing was left out; `what` became of the rest. */
export function incompleteFailure(
  { conflicts, failures }: { readonly conflicts: readonly unknown[]; readonly failures: readonly unknown[] },
  what: string,
): ServiceError | null {
  if (conflicts.length + failures.length === 0) return null
  const left = `${count(conflicts.length, 'conflict')} and ${count(failures.length, 'failure')}`
  return new ServiceError('conflict', `${left}; all else was ${what}.`)
}

/** `docs/a.md:3: nav_order must be a whole number.` */
function faultLine({ file, line, field, message }: Diagnostic): string {
  const place = line === null ? file : `${file}:${line}`
  return `${place}: ${field === null ? message : `${field} ${message}`}`
}
