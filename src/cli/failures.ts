import type { Command } from 'commander'
import type { Diagnostic } from '../domain/diagnostic.ts'
import { ServiceError } from '../domain/errors.ts'
import { printOutcome } from './administration.ts'
import { diagnosticLines } from './diagnostic-format.ts'
import { count } from './format-numbers.ts'

/**
 * Prints the errors of a content folder in the format that the command was asked for, and fails.
 *
 * @param folder the one that paths of the errors are relative to.
 * @param outcome what the command did not do, as a sentence.
 * @throws {ServiceError} always.
 */
export function failWithErrors(
  command: Command,
  errors: readonly Diagnostic[],
  folder: string,
  outcome: string,
): never {
  const failure = new ServiceError('validation_error', `${count(errors.length, 'error')}; ${outcome}`)
  const { format = 'text' } = command.opts()
  printOutcome(command, failure, { diagnostics: errors }, diagnosticLines(errors, folder, { format }))
  throw failure
}

/** The failure of a command that could not do everything; null if it could. @param outcome what happened to the rest. */
export function incompleteFailure(
  { conflicts, failures }: { readonly conflicts: readonly unknown[]; readonly failures: readonly unknown[] },
  outcome: string,
): ServiceError | null {
  if (conflicts.length + failures.length === 0) return null
  const left = `${count(conflicts.length, 'conflict')} and ${count(failures.length, 'failure')}`
  return new ServiceError('conflict', `${left}; all else was ${outcome}.`)
}
