import { join, relative, sep } from 'node:path'
import { Command } from 'commander'
import { ServiceError } from '../domain/errors.ts'
import type { ThemeDiagnostic } from '../theme-check/theme-diagnostic.ts'
import { printOutcome } from './administration.ts'
import { folderArgument } from './folder-argument.ts'
import { count } from './format-numbers.ts'

export function themeCheckCommand(): Command {
  return new Command('check')
    .description('what in a theme breaks pages or shuts readers out, by file and line')
    .argument('<folder>', 'of the theme')
    .option('--strict', 'fail when there is a warning', false)
    .option('--json', 'print one JSON object', false)
    .addHelpText(
      'after',
      `
Every kind of page and every section is rendered with full, bare, overlong and
right-to-left content; a browser is not needed.

Examples:
  quoin theme check ./themes/mine
  quoin theme check ./themes/mine --strict --json
`,
    )
    .action(async (path: string, { strict }: { readonly strict: boolean }, command: Command) => {
      const folder = folderArgument(path)
      const { openThemeCheck } = await import('../app/theme-check.ts')
      const { diagnostics: findings, rendered } = await openThemeCheck(folder)
      const errors = findings.filter(({ severity }) => severity === 'error').length
      const warnings = findings.length - errors
      const told = findings.map((finding) => ({ ...finding, file: nearTo(folder, finding.file) }))
      printOutcome(
        command,
        failureOf(errors, strict ? warnings : 0),
        { errors, warnings, rendered, findings: told },
        [...told.map((finding) => findingLine(path, finding)), summary(path, { errors, warnings, rendered })],
      )
    })
}

function failureOf(errors: number, warnings: number): ServiceError | null {
  if (errors + warnings === 0) return null
  const what = errors > 0 ? 'The theme has errors.' : `${count(warnings, 'warning')} with --strict.`
  return new ServiceError('validation_error', what)
}

/** Relative to the theme where the file is its own. */
function nearTo(folder: string, file: string): string {
  const near = relative(folder, file)
  return near === '..' || near.startsWith(`..${sep}`) ? file : near.replaceAll(sep, '/')
}

/** The file as whoever asked can open it. */
function findingLine(theme: string, { file, line, severity, code, message, on }: ThemeDiagnostic): string {
  const own = file.startsWith('/') ? file : join(theme, file)
  const place = line === null ? own : `${own}:${line}`
  return `${place}: ${severity} ${code} ${message}${on === null ? '' : ` on ${on}`}`
}

function summary(theme: string, of: { errors: number; warnings: number; rendered: number }): string {
  const looked =
    of.rendered === 0
      ? 'no page was rendered, as long as it cannot be loaded'
      : `${count(of.rendered, 'page')} rendered`
  const found =
    of.errors + of.warnings === 0
      ? 'nothing to mend'
      : `${count(of.errors, 'error')}, ${count(of.warnings, 'warning')}`
  return `${theme}: ${found}; ${looked}.`
}
