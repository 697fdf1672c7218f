import { resolve } from 'node:path'
import { performance } from 'node:perf_hooks'
import { Command } from 'commander'
import { SITE_FILE } from '../content-folder/file-kind.ts'
import { type Diagnostic, diagnostic } from '../domain/diagnostic.ts'
import { prefixed } from '../domain/ids.ts'
import type { ExportedProject } from '../transfer/exported-project.ts'
import type { FetchedAsset } from '../transfer/fetch-assets.ts'
import type { WrittenExport } from '../transfer/write-export.ts'
import { idArgument, print } from './administration.ts'
import { assertReachable, openApi, readKey, serverArgument, throwUnreachable } from './api-access.ts'
import { diagnosticLines } from './diagnostic-format.ts'
import { count, seconds } from './format-numbers.ts'
import { progressOf } from './progress.ts'
import { builtInThemes } from './theme-flags.ts'
import { quietOption, type Verbosity, verboseOption } from './verbosity.ts'

interface ExportFlags extends Verbosity {
  readonly out: string
  readonly server?: string
  readonly keyFile?: string
}

/** Parts of every project that an export does not contain. */
const NOT_EXPORTED = ['earlier releases', 'keys']

export function exportCommand(): Command {
  return new Command('export')
    .description('export a project from a server to a content folder, to move it or to back it up')
    .argument('<project>', 'id of the project')
    .requiredOption('--out <folder>', 'folder to write to: new, empty, or with an earlier export')
    .option('--server <url>', 'address of the API [QUOIN_URL]')
    .option('--key-file <file>', 'file with the API key, instead of the variable QUOIN_KEY')
    .addOption(quietOption())
    .addOption(verboseOption())
    .option('--json', 'print one JSON object', false)
    .addHelpText(
      'after',
      `
Writes a content folder, which quoin build, dev and push read. Values that a content folder
cannot hold go to .quoin/export.json in it; the file holds no secret, and quoin import reads
both. Pictures and files go to media/, whether they are published or not. Exporting again
updates the folder, and an interrupted export continues. Files that no export wrote, or that
were edited since, are never replaced or removed.

Example:
  QUOIN_KEY=qn_live_… quoin export proj_k3v9q2m7x4tz8wpa --out ./backup --server https://quoin.example.com
`,
    )
    .action(async (id: string, flags: ExportFlags, command: Command) => {
      const startedAt = performance.now()
      const project = prefixed('proj', idArgument('proj', id))
      const server = serverArgument(flags.server)
      const api = openApi(server, readKey(flags.keyFile))
      const [{ readProject }, { exportFiles }, { writeExport }] = await Promise.all([
        import('../transfer/read-project.ts'),
        import('../transfer/export-files.ts'),
        import('../transfer/write-export.ts'),
      ])
      const whole = await assertReachable(server)
        .then(() => readProject(api, project, progressOf('Reading pages')))
        .catch((error) => throwUnreachable(server, error, 'export again'))
      const files = exportFiles(whole)
      const { assets, ...outcome } = await writeExport(resolve(flags.out), files, {
        content: api.assets.content,
        onFile: progressOf('Downloading files'),
      }).catch((error) => throwUnreachable(server, error, 'export again'))
      const notes = [...files.notes, ...themeNotes(whole, await builtInThemes()), ...asideNotes(assets)]
      const ms = Math.round(performance.now() - startedAt)
      const missing = notExported(whole)
      print(
        command,
        {
          ok: true,
          project_id: project,
          out: resolve(flags.out),
          pages: whole.pages.length,
          files: assets.length,
          ...outcome,
          notes,
          stays_behind: missing,
          ms,
        },
        lines(whole, { ...outcome, assets }, notes, flags, ms),
      )
    })
}

/** Notes on themes that only the server has. The API returns their names, not their files. */
function themeNotes({ settings, pages }: ExportedProject, builtIn: readonly string[]): readonly Diagnostic[] {
  const named = [
    { file: SITE_FILE, theme: settings.theme },
    ...pages.map(({ page }) => ({
      file: page.source,
      theme: page.type === 'page' ? page.config['theme'] : undefined,
    })),
  ]
  return named.flatMap(({ file, theme }) =>
    typeof theme !== 'string' || builtIn.includes(theme)
      ? []
      : [
          diagnostic(
            'QN-NOT-EXPORTED',
            file,
            `The theme \`${theme}\` is installed on the server only. Get its folder from the operator and put it in themes/ of this folder, or use another theme.`,
          ),
        ],
  )
}

/** Notes on files that a content folder cannot hold: by their name, by their size, or because they would be public. */
function asideNotes(assets: readonly FetchedAsset[]): readonly Diagnostic[] {
  return assets
    .filter(({ place }) => place === 'aside')
    .map(({ name, file }) =>
      diagnostic(
        'QN-NOT-EXPORTED',
        file,
        `A content folder cannot have this file under its name, ${name}, or it would be public on a site that names it nowhere. Only quoin import reads it.`,
      ),
    )
}

function notExported({ details: home }: ExportedProject): readonly string[] {
  return home.hosting.mode === 'data_mode' ? [...NOT_EXPORTED, 'the content key of Data Mode'] : NOT_EXPORTED
}

function lines(
  whole: ExportedProject,
  { written, removed, unchanged, assets }: WrittenExport,
  notes: readonly Diagnostic[],
  { out, quiet, verbose }: ExportFlags,
  ms: number,
): readonly string[] {
  const noteLines = diagnosticLines(notes, resolve(out))
  if (quiet) return noteLines
  return [
    ...(verbose
      ? [...written.map((file) => `write   ${file}`), ...removed.map((file) => `remove  ${file}`)]
      : []),
    ...noteLines,
    `Not exported: ${notExported(whole).join(', ')}.`,
    `${out}: ${count(whole.pages.length, 'page')}${assets.length === 0 ? '' : `, ${count(assets.length, 'asset')}`}; ${count(written.length, 'file')} written, ${unchanged} unchanged, ${removed.length} removed; ${seconds(ms)}.`,
  ]
}
