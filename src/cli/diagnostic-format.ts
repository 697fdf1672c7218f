import { relative, resolve, sep } from 'node:path'
import { type Command, Option } from 'commander'
import { ConfigError } from '../app/config.ts'
import type { Diagnostic } from '../domain/diagnostic.ts'
import { DIAGNOSTIC_CODES, type DiagnosticCode, isDiagnosticCode } from '../domain/diagnostic-codes.ts'
import { didYouMean } from '../domain/nearest-name.ts'
import { diagnosticLine } from './diagnostic-line.ts'

export interface DiagnosticFlags {
  readonly format: 'text' | 'json' | 'github'
  readonly ignore: readonly string[]
}

/** Adds `--format`, `--json` and `--ignore` to a command that reports diagnostics. */
export function withDiagnosticFlags(command: Command): Command {
  return command
    .addOption(
      new Option('--format <format>', 'how errors and warnings are printed')
        .choices(['text', 'json', 'github'])
        .default('text'),
    )
    .addOption(
      new Option('--json', 'print one JSON object; the same as --format json').implies({ format: 'json' }),
    )
    .addOption(
      new Option('--ignore <codes>', 'do not report these warnings, e.g. QN-DEADLINK; repeatable')
        .argParser((codes, earlier: readonly string[]) => [...earlier, ...codes.split(',')])
        .default([] as readonly string[], 'none'),
    )
}

/** @throws {ConfigError} for a code that does not exist, and for a code of errors. */
export function readIgnored(codes: readonly string[]): ReadonlySet<DiagnosticCode> {
  return new Set(
    codes
      .map((code) => code.trim())
      .filter((code) => code !== '')
      .map(readIgnoredCode),
  )
}

function readIgnoredCode(text: string): DiagnosticCode {
  const code = text.toUpperCase()
  if (!isDiagnosticCode(code)) {
    const hint = didYouMean(code, Object.keys(DIAGNOSTIC_CODES))
    throw new ConfigError(`--ignore: there is no code ${text}.${hint}`)
  }
  if (DIAGNOSTIC_CODES[code].severity === 'error')
    throw new ConfigError(`--ignore: ${code} is an error. Only warnings can be ignored.`)
  return code
}

/**
 * One line per diagnostic, as text or as annotations of a GitHub workflow.
 *
 * @param folder the one that paths of the diagnostics are relative to.
 */
export function diagnosticLines(
  diagnostics: readonly Diagnostic[],
  folder: string,
  { format }: Pick<DiagnosticFlags, 'format'> = { format: 'text' },
): readonly string[] {
  const formatLine = format === 'github' ? workflowCommand : diagnosticLine
  return diagnostics.map((found) => formatLine({ ...found, file: pathFromHere(folder, found.file) }))
}

/** The path of a file relative to the working directory, or its absolute path if it is outside of it. */
function pathFromHere(folder: string, file: string): string {
  const path = resolve(folder, file)
  const near = relative('', path)
  if (near === '') return '.'
  return near === '..' || near.startsWith(`..${sep}`) ? path : near.replaceAll(sep, '/')
}

/**
 * An annotation that GitHub shows at the line of a pull request.
 * Source: https://docs.github.com/actions/reference/workflows-and-actions/workflow-commands
 */
function workflowCommand({ severity, code, file, line, column, message }: Diagnostic): string {
  const properties = Object.entries({ file, line, col: column, title: code })
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name}=${escapedProperty(String(value))}`)
  return `::${severity} ${properties.join(',')}::${escapedData(message)}`
}

function escapedData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function escapedProperty(text: string): string {
  return escapedData(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}
