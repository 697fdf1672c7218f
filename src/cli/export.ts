import { resolve } from 'node:path'
import { performance } from 'node:perf_hooks'
import { Command } from 'commander'
import { SITE_FILE } from '../content-folder/site-file.ts'
import { prefixed } from '../domain/ids.ts'
import type { ExportNote } from '../transfer/export-files.ts'
import type { ExportedProject } from '../transfer/exported-project.ts'
import type { WrittenExport } from '../transfer/write-export.ts'
import { idArgument, print } from './administration.ts'
import { assertReachable, openApi, readKey, serverArgument, throwUnreachable } from './api-access.ts'
import { count, seconds } from './format-numbers.ts'
import { progressOf } from './progress.ts'
import { builtInThemes } from './theme-flags.ts'
import { quietOption, type Verbosity, verboseOption } from './verbosity.ts'

interface ExportFlags extends Verbosity {
  readonly out: string
  readonly server?: string
  readonly keyFile?: string
}

/** Of every project. */
const NOT_EXPORTED = ['earlier releases', 'redirects from former paths', 'keys']

export function exportCommand(): Command {
  return new Command('export')
    .description('a whole project from a server into a content folder, for moving and for keeping')
    .argument('<project>', 'id of the project')
    .requiredOption('--out <folder>', 'a new or an empty folder, or that of a former export')
    .option('--server <url>', 'where the API is reached [QUOIN_URL]')
    .option('--key-file <file>', 'file that holds the API key; else it is read from QUOIN_KEY')
    .addOption(quietOption())
    .addOption(verboseOption())
    .option('--json', 'print one JSON object', false)
    .addHelpText(
      'after',
      `
The folder is a content folder: quoin build, dev and push take it. What such a folder
cannot say lies in .quoin/export.json beneath it; it holds no secret, and quoin import
reads both. Exporting again brings the folder up to date. Nothing is replaced or
removed that no export wrote, or that was edited since.

Example:
  QUOIN_KEY=qn_live_… quoin export proj_k3v9q2m7x4tz8wpa --out ./backup --server https://quoin.example.com
`,
    )
    .action(async (id: string, flags: ExportFlags, command: Command) => {
      const began = performance.now()
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
        .catch((error) => throwUnreachable(server, error, 'Export again'))
      const files = exportFiles(whole)
      const notes = [...files.notes, ...themeNotes(whole, await builtInThemes())]
      const outcome = await writeExport(resolve(flags.out), files)
      const ms = Math.round(performance.now() - began)
      const stays = notExported(whole)
      print(
        command,
        {
          ok: true,
          project_id: project,
          out: resolve(flags.out),
          pages: whole.pages.length,
          ...outcome,
          notes,
          stays_behind: stays,
          ms,
        },
        lines(whole, outcome, notes, flags, ms),
      )
    })
}

/** Of the themes that the operator of the server put there: the API gives the name alone. */
function themeNotes({ settings, pages }: ExportedProject, builtIn: readonly string[]): readonly ExportNote[] {
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
          {
            file,
            message: `The theme ${theme} lies on the server only. Ask whoever runs it for its folder, and put it in themes/ beneath this one, or name another theme.`,
          },
        ],
  )
}

function notExported({ details: home }: ExportedProject): readonly string[] {
  return home.hosting.mode === 'data_mode' ? [...NOT_EXPORTED, 'the content key of Data Mode'] : NOT_EXPORTED
}

function lines(
  whole: ExportedProject,
  { written, removed, unchanged }: WrittenExport,
  notes: readonly ExportNote[],
  { out, quiet, verbose }: ExportFlags,
  ms: number,
): readonly string[] {
  const told = notes.map(({ file, message }) => `${file}: ${message}`)
  if (quiet) return told
  return [
    ...(verbose
      ? [...written.map((file) => `write   ${file}`), ...removed.map((file) => `remove  ${file}`)]
      : []),
    ...told,
    `What stays behind: ${notExported(whole).join(', ')}.`,
    `${out}: ${count(whole.pages.length, 'page')}; ${count(written.length, 'file')} written, ${unchanged} unchanged, ${removed.length} removed; ${seconds(ms)}.`,
  ]
}
