import { relative, sep } from 'node:path'
import { Command } from 'commander'
import { ServiceError } from '../domain/errors.ts'
import type { ThemeDiagnostic } from '../theme-check/theme-diagnostic.ts'
import { printOutcome } from './administration.ts'
import {
  type DiagnosticFlags,
  diagnosticLines,
  readIgnored,
  withDiagnosticFlags,
} from './diagnostic-format.ts'
import { folderArgument } from './folder-argument.ts'
import { count } from './format-numbers.ts'
import { assertTrusted, withTrustFlag } from './trust.ts'

interface ThemeCheckFlags extends DiagnosticFlags {
  readonly trust: boolean
  readonly strict: boolean
}

interface Counts {
  readonly errors: number
  readonly warnings: number
  /** Pages that were rendered. */
  readonly rendered: number
}

export function themeCheckCommand(): Command {
  const command = new Command('check')
    .description('check a theme for broken templates, inaccessible pages and unused files')
    .argument('<folder>', 'folder of the theme')
    .option('--strict', 'fail if there is a warning', false)
  return withDiagnosticFlags(withTrustFlag(command))
    .addHelpText(
      'after',
      `
Renders every kind of page and every section with full, minimal, overlong and
right-to-left content. No browser is needed. --ignore hides warnings by their
codes; errors cannot be ignored.

Examples:
  quoin theme check ./themes/mine
  quoin theme check ./themes/mine --strict --ignore QN-UNUSED-FILE
  quoin theme check ./themes/mine --format github
`,
    )
    .action(async (path: string, flags: ThemeCheckFlags, command: Command) => {
      const ignored = readIgnored(flags.ignore)
      const folder = folderArgument(path, 'create a theme with quoin theme new')
      await assertTrusted(null, folder, flags)
      const { runThemeCheck } = await import('../app/theme-check.ts')
      const { diagnostics: all, rendered } = await runThemeCheck(folder)
      const diagnostics = all.filter(({ code }) => !ignored.has(code))
      const errors = diagnostics.filter(({ severity }) => severity === 'error').length
      const counts = { errors, warnings: diagnostics.length - errors, rendered }
      printOutcome(
        command,
        failureOf(counts, flags),
        {
          ...counts,
          diagnostics: diagnostics.map((found) => ({ ...found, file: pathInTheme(folder, found.file) })),
        },
        [...diagnosticLines(diagnostics.map(withPage), folder, flags), summary(path, counts)],
      )
    })
}

function failureOf({ errors, warnings }: Counts, { strict }: ThemeCheckFlags): ServiceError | null {
  if (errors === 0 && (warnings === 0 || !strict)) return null
  const message = errors > 0 ? 'The theme has errors.' : `${count(warnings, 'warning')} with --strict.`
  return new ServiceError('validation_error', message)
}

/** Relative to the theme; absolute for a file of the theme that it extends, and for shared templates. */
function pathInTheme(folder: string, file: string): string {
  const near = relative(folder, file)
  return near === '..' || near.startsWith(`..${sep}`) ? file : near.replaceAll(sep, '/')
}

/** Names the rendered page in the message: the same template may be fine on others. */
function withPage({ on, ...found }: ThemeDiagnostic) {
  return on === null ? found : { ...found, message: `${found.message} (on ${on})` }
}

function summary(theme: string, { errors, warnings, rendered }: Counts): string {
  const pages =
    rendered === 0
      ? 'no page was rendered, because the theme cannot be loaded'
      : `${count(rendered, 'page')} rendered`
  const found =
    errors + warnings === 0
      ? 'no errors, no warnings'
      : `${count(errors, 'error')}, ${count(warnings, 'warning')}`
  return `${theme}: ${found}; ${pages}.`
}
