import { join, resolve } from 'node:path'
import { performance } from 'node:perf_hooks'
import { Command } from 'commander'
import { ConfigError } from '../app/config.ts'
import type { Diagnostic } from '../domain/diagnostic.ts'
import { ServiceError } from '../domain/errors.ts'
import { readSiteUrl } from '../domain/site-url.ts'
import { PACKAGE_ROOT } from '../platform/package-paths.ts'
import type { BuildReport } from '../site-build/build-site.ts'
import { printOutcome } from './administration.ts'
import {
  type DiagnosticFlags,
  diagnosticLines,
  readIgnored,
  withDiagnosticFlags,
} from './diagnostic-format.ts'
import { failWithErrors } from './failures.ts'
import { folderArgument } from './folder-argument.ts'
import { count, seconds, size } from './format-numbers.ts'
import { ignoredLines } from './ignored-lines.ts'
import { readSecret } from './secret.ts'
import { type ThemeFlags, themeArguments, withThemeFlags } from './theme-flags.ts'
import { assertTrusted, withTrustFlag } from './trust.ts'
import { undecodedLines } from './undecoded-pictures.ts'
import { quietOption, type Verbosity, verboseOption } from './verbosity.ts'

interface BuildFlags extends Verbosity, ThemeFlags, DiagnosticFlags {
  readonly trust: boolean
  readonly out: string
  readonly url?: string
  readonly drafts: boolean
  readonly future: boolean
  readonly strict: boolean
  readonly avif?: boolean
  readonly dataMode: boolean
  readonly keyFile?: string
}

const KEY = 'QUOIN_CONTENT_KEY'

export function buildCommand(): Command {
  const command = new Command('build')
    .description('build a content folder into a static site, without a server')
    .argument('[folder]', 'content folder, with a site.yaml', '.')
    .option('--out <folder>', 'output folder; only files of earlier builds are replaced', 'dist')
  withTrustFlag(withThemeFlags(command))
    .option('--url <url>', 'URL of the published site; overrides site.yaml')
    .option('--drafts', 'include drafts', false)
    .option('--future', 'include articles with a date in the future', false)
    .option('--avif', 'derive pictures as AVIF too, in a longer first build; overrides site.yaml')
    .option('--no-avif', 'derive pictures as WebP alone; overrides site.yaml')
    .option('--strict', 'fail if there is a warning; the site is written nevertheless', false)
  return withDiagnosticFlags(command)
    .option('--data-mode', 'encrypt the output, as for a project in Data Mode', false)
    .option('--key-file <file>', `file with the content key for --data-mode; the default is ${KEY}`)
    .addOption(quietOption())
    .addOption(verboseOption())
    .addHelpText(
      'after',
      `
Errors stop the build. Warnings do not, unless --strict is given; --ignore hides
warnings by their codes. Errors cannot be ignored. Templates in themes/ are code: in a folder
that was not created here, they run only if you trust it.

Examples:
  quoin build ./site --out ./dist --url https://example.com
  quoin build ./site --strict --ignore QN-DEADLINK,QN-DEAD-ANCHOR
  quoin build ./site --format github
  quoin build ./cloned-site --trust
`,
    )
    .action(async (folder: string, flags: BuildFlags, command: Command) => {
      const startedAt = performance.now()
      const { theme, themeFolder } = themeArguments(flags)
      const ignored = readIgnored(flags.ignore)
      const request = {
        folder: folderArgument(folder),
        out: outArgument(folder, flags.out),
        theme,
        origin: flags.url === undefined ? null : urlArgument(flags.url),
        drafts: flags.drafts,
        future: flags.future,
        avif: flags.avif ?? null,
        contentKey: flags.dataMode ? contentKey(flags.keyFile) : null,
      }
      assertNotProgram(request.out, folder)
      await assertTrusted(request.folder, themeFolder, flags)
      const { build } = await import('../app/build.ts')
      const result = await build(request, themeFolder, progressLine())
      if ('errors' in result)
        return failWithErrors(command, result.errors, request.folder, 'nothing was built.')
      const { report } = result
      const warnings = report.warnings.filter(({ code }) => !ignored.has(code))
      const ms = Math.round(performance.now() - startedAt)
      printOutcome(
        command,
        flags.strict ? strictFailure(warnings, flags) : null,
        { ...presentReport(report, warnings), ms },
        [
          ...(flags.verbose ? await ignoredLines(request.folder, request.out) : []),
          ...(flags.verbose ? report.unused.map((path) => `not named  ${path}`) : []),
          ...diagnosticLines(warnings, request.folder, flags),
          ...undecodedLines(report.undecoded),
          ...(flags.quiet ? [] : summary(report, flags, ms)),
        ],
      )
    })
}

/** The failure of a build with `--strict`. Null without warnings. */
function strictFailure(warnings: readonly Diagnostic[], { out }: BuildFlags): ServiceError | null {
  if (warnings.length === 0) return null
  const message = `${count(warnings.length, 'warning')} with --strict. The site was written to ${out} nevertheless.`
  return new ServiceError('validation_error', message)
}

/** @throws {ConfigError} */
function outArgument(folder: string, path: string): string {
  const out = resolve(path)
  if (out === resolve(folder)) throw new ConfigError('--out: must not be the content folder itself.')
  return out
}

/** In a checkout, the default folder is that of the compiled program. @throws {ConfigError} */
function assertNotProgram(out: string, folder: string): void {
  if (resolve(folder) === resolve(PACKAGE_ROOT))
    throw new ConfigError(
      'This folder is the program itself. Name the folder of a site, e.g. quoin build data/my-site, or create one with quoin init.',
    )
  if (out === join(PACKAGE_ROOT, 'dist'))
    throw new ConfigError(
      `--out: ${out} holds the program itself. Name another folder, e.g. --out ${join(folder, 'dist')}.`,
    )
}

/** Error messages never contain the key. @throws {ConfigError} unless it is 32 bytes in base64. */
function contentKey(file: string | undefined): Uint8Array {
  const key = readSecret(file, KEY)
  if (key === '')
    throw new ConfigError(
      `${KEY}: set it to the content key, or name a file with --key-file. Create a key with openssl rand -base64 32.`,
    )
  if (!/^[A-Za-z0-9+/]{43}=$/.test(key))
    throw new ConfigError(`${KEY}: must be 32 bytes in base64 (44 characters).`)
  return Buffer.from(key, 'base64')
}

/** @throws {ConfigError} */
function urlArgument(text: string): string {
  const url = readSiteUrl(text)
  if (url === null) throw new ConfigError('--url: must be an http or https URL, e.g. https://example.com.')
  return url
}

function presentReport(
  { pages, files, slowest, held, undecoded, lostState, hasAddress }: BuildReport,
  diagnostics: readonly Diagnostic[],
) {
  return {
    pages,
    files,
    slowest: slowest.map(({ file, ms }) => ({ file, ms: Math.round(ms) })),
    held_back: held.length,
    undecoded_pictures: undecoded,
    diagnostics,
    has_url: hasAddress,
    lost_state: lostState === null ? null : { file: lostState.file, unknown_files: lostState.unknown },
  }
}

function summary(
  { pages, files, slowest, held, unused, lostState, hasAddress }: BuildReport,
  { out, dataMode }: Pick<BuildFlags, 'out' | 'dataMode'>,
  ms: number,
): readonly string[] {
  const [first] = slowest
  return [
    ...(lostState === null ? [] : [lostLine(lostState)]),
    ...(hasAddress
      ? []
      : [
          'site.yaml has no url: canonical links, sitemap and feeds use a placeholder. Add one, or give --url.',
        ]),
    ...(dataMode && unused.length > 0
      ? [`Not published, because no page names them: ${count(unused.length, 'file')}. --verbose lists them.`]
      : []),
    `${out}: ${count(pages.total, 'page')}, ${pages.rendered} rendered, ${pages.removed} removed${heldBack(held.length)}; ${count(files.written, 'file')} written (${size(files.bytes)}), ${files.removed} removed; ${seconds(ms)}.`,
    ...(first === undefined || first.ms < 100
      ? []
      : [`Slowest: ${slowest.map(({ file, ms }) => `${file} ${Math.round(ms)} ms`).join(', ')}.`]),
  ]
}

function lostLine({ file, unknown }: NonNullable<BuildReport['lostState']>): string {
  const left =
    unknown === 0
      ? ''
      : ` ${count(unknown, 'file')} of the folder stayed, because no build is known to have written ${unknown === 1 ? 'it' : 'them'}.`
  return `${file} could not be read, as after a power cut or with another version: everything was built again.${left}`
}

function heldBack(held: number): string {
  return held === 0 ? '' : `, ${held} held back until ${held === 1 ? 'its date' : 'their dates'}`
}

/** On a terminal, one line that shows how many pages are rendered. */
function progressLine(): (rendered: number) => void {
  if (!process.stderr.isTTY) return () => {}
  return (rendered) => {
    if (rendered % 20 === 0) process.stderr.write(`\r${rendered} pages rendered\r`)
  }
}
