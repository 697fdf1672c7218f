import { resolve } from 'node:path'
import { performance } from 'node:perf_hooks'
import { Command } from 'commander'
import { ConfigError } from '../app/config.ts'
import { ServiceError } from '../domain/errors.ts'
import { readSiteUrl } from '../domain/site-url.ts'
import type { BuildReport } from '../site-build/build-site.ts'
import { printOutcome } from './administration.ts'
import { failWithErrors } from './failures.ts'
import { folderArgument } from './folder-argument.ts'
import { count, seconds, size } from './format-numbers.ts'
import { complaintLine } from './page-warnings.ts'
import { readSecret } from './secret.ts'
import { type ThemeFlags, themeArguments, withThemeFlags } from './theme-flags.ts'
import { quietOption, type Verbosity } from './verbosity.ts'

interface BuildFlags extends Pick<Verbosity, 'quiet'>, ThemeFlags {
  readonly out: string
  readonly url?: string
  readonly drafts: boolean
  readonly strict: boolean
  readonly dataMode: boolean
  readonly keyFile?: string
}

const KEY = 'QUOIN_CONTENT_KEY'

export function buildCommand(): Command {
  const command = new Command('build')
    .description('a content folder into a finished site, without a server')
    .argument('<folder>', 'content folder, with a site.yaml')
    .option('--out <folder>', 'where the site is written; only files of earlier builds are replaced', 'dist')
  return withThemeFlags(command)
    .option('--url <url>', 'where the site will be read, instead of what site.yaml says')
    .option('--drafts', 'build drafts too', false)
    .option('--strict', 'fail when a page has a warning, once all is written', false)
    .option('--data-mode', 'encrypt what is written, as a project in Data Mode does', false)
    .option(
      '--key-file <file>',
      `file that holds the content key of --data-mode; else it is read from ${KEY}`,
    )
    .addOption(quietOption())
    .option('--json', 'print one JSON object', false)
    .addHelpText('after', '\nExample:\n  quoin build ./site --out ./dist --url https://example.com\n')
    .action(async (folder: string, flags: BuildFlags, command: Command) => {
      const began = performance.now()
      const { theme, themeFolder } = themeArguments(flags)
      const request = {
        folder: folderArgument(folder),
        out: outArgument(folder, flags.out),
        theme,
        origin: flags.url === undefined ? null : urlArgument(flags.url),
        drafts: flags.drafts,
        contentKey: flags.dataMode ? contentKey(flags.keyFile) : null,
      }
      const { build } = await import('../app/build.ts')
      const result = await build(request, themeFolder, progressLine())
      if ('errors' in result) return failWithErrors(command, result.errors, 'nothing was built.')
      const { report } = result
      const ms = Math.round(performance.now() - began)
      const failure = flags.strict && report.warnings.length > 0 ? strictFailure(report, flags) : null
      printOutcome(command, failure, { ...presentReport(report), ms }, lines(report, flags, ms))
    })
}

function strictFailure({ warnings: complaints }: BuildReport, { out }: BuildFlags): ServiceError {
  const message = `${count(complaints.length, 'warning')} with --strict; ${out} was written all the same.`
  return new ServiceError('validation_error', message)
}

/** @throws {ConfigError} */
function outArgument(folder: string, path: string): string {
  const out = resolve(path)
  if (out === resolve(folder)) throw new ConfigError('--out: must not be the content folder itself.')
  return out
}

/** Never told again, not even in an error. @throws {ConfigError} unless it is 32 bytes in base64. */
function contentKey(file: string | undefined): Uint8Array {
  const key = readSecret(file, KEY)
  if (key === '')
    throw new ConfigError(
      `${KEY}: give the content key there, or in a file named by --key-file. openssl rand -base64 32 makes one.`,
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

function presentReport({ pages, files, slowest, warnings: complaints, hasAddress }: BuildReport) {
  return {
    pages,
    files,
    slowest: slowest.map(({ file, ms }) => ({ file, ms: Math.round(ms) })),
    warnings: complaints,
    has_url: hasAddress,
  }
}

function lines(report: BuildReport, { out, quiet }: BuildFlags, ms: number): readonly string[] {
  const told = report.warnings.map(complaintLine)
  return quiet ? told : [...told, ...summary(report, out, ms)]
}

function summary({ pages, files, slowest, hasAddress }: BuildReport, out: string, ms: number) {
  const [first] = slowest
  return [
    ...(hasAddress
      ? []
      : [
          'site.yaml: no url, so canonical links, sitemap and feeds name no real address. Write one, or give --url.',
        ]),
    `${out}: ${count(pages.total, 'page')}, ${pages.rendered} rendered, ${pages.removed} removed; ${count(files.written, 'file')} written (${size(files.bytes)}), ${files.removed} removed; ${seconds(ms)}.`,
    ...(first === undefined || first.ms < 100
      ? []
      : [`Slowest: ${slowest.map(({ file, ms }) => `${file} ${Math.round(ms)} ms`).join(', ')}.`]),
  ]
}

/** On a terminal, one line that counts up. */
function progressLine(): (rendered: number) => void {
  if (!process.stderr.isTTY) return () => {}
  return (rendered) => {
    if (rendered % 20 === 0) process.stderr.write(`\r${rendered} pages rendered\r`)
  }
}
