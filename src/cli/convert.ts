import { statSync } from 'node:fs'
import { basename, join, relative, resolve, sep } from 'node:path'
import { Command, Option } from 'commander'
import { ConfigError } from '../app/config.ts'
import type { Comparison } from '../convert/comparison/compare.ts'
import type { DiagnosticGroup } from '../convert/comparison/report.ts'
import { GENERATORS, type GeneratorName } from '../convert/conversion.ts'
import { EXPORTS, type ExportName } from '../convert/exports/exported-site.ts'
import type { Diagnostic } from '../domain/diagnostic.ts'
import { withoutEndSlashes } from '../domain/end-slashes.ts'
import { ServiceError } from '../domain/errors.ts'
import { parseUrl } from '../domain/parse-url.ts'
import { printOutcome } from './administration.ts'
import { groupLines, missingLines, presentComparison, presentLoss } from './convert-lines.ts'
import {
  type DiagnosticFlags,
  diagnosticLines,
  readIgnored,
  withDiagnosticFlags,
} from './diagnostic-format.ts'
import { folderArgument } from './folder-argument.ts'
import { count } from './format-numbers.ts'
import { progressOf } from './progress.ts'

interface ConvertFlags extends DiagnosticFlags {
  readonly out: string
  readonly from?: GeneratorName | ExportName
  readonly check: boolean
  readonly fetch?: string
  readonly site?: string
  readonly allowPrivate: boolean
}

export function convertCommand(): Command {
  const command = new Command('convert')
    .description(
      'convert a site of another generator, an export of WordPress, Ghost, Substack, Medium or Notion, or a folder of Markdown',
    )
    .argument(
      '<source>',
      'the folder of the source site, or the file or folder of an export; it is not changed',
    )
    .requiredOption('--out <folder>', 'the content folder to create; it must be new or empty')
    .addOption(
      new Option('--from <generator>', 'the generator, if it cannot be detected').choices([
        ...GENERATORS,
        ...EXPORTS,
      ]),
    )
    .option('--check', 'compare an existing --out with the source site, and write nothing', false)
    .option(
      '--fetch <folder>',
      'for an export: load files of the site that are not next to it into this folder, outside of --out; a repeated run goes on',
    )
    .option('--site <url>', 'for an export that does not say it: the address of the site')
    .option('--allow-private', 'load files also from addresses of private networks', false)
  return withDiagnosticFlags(command)
    .addHelpText(
      'after',
      `
Reads sites of Docusaurus, Starlight, VitePress, Nextra, MkDocs, mdBook, Hugo, Hexo, Jekyll and
Eleventy, and exports of WordPress (XML), Ghost (JSON), Substack, Medium and Notion (unpacked
folders).
Counts what the source site publishes, and what of it was kept, changed and lost. Prints three
examples of each kind, and writes all, with file and line, to .quoin/convert-report.md in the new
folder. Warnings do not change the exit code.
With --check the exit code is 1 when a page, word, link, picture or code block is missing.

Examples:
  quoin convert ./old-docs --out ./docs-site
  quoin convert ./old-docs --out ./docs-site --check
  quoin convert wordpress.xml --out ./blog
  quoin convert ghost.json --out ./blog
  quoin convert ghost.json --out ./blog --site https://blog.example.com --fetch ./blog-files
  quoin convert ./substack-export --out ./newsletter
  quoin convert ./notion-export --out ./handbook
`,
    )
    .action(async (path: string, flags: ConvertFlags, command: Command) => {
      const hidden = readIgnored(flags.ignore)
      const isFile = statSync(resolve(path), { throwIfNoEntry: false })?.isFile() === true
      const folder = isFile ? resolve(path) : folderArgument(path, 'name the folder of the site to convert')
      const kind = await exportOf(folder, path, flags)
      if (kind === null && (flags.fetch ?? flags.site) !== undefined)
        throw new ConfigError('--fetch and --site are for exports. A folder has its files.')
      const done = await (kind === null ? convert(folder, path, flags) : convertExported(folder, kind, flags))
      const diagnostics = done.diagnostics.filter(({ code }) => !hidden.has(code))
      const { from, out, comparison, report, isWhole, pages, files } = done
      const failure =
        flags.check && !isWhole
          ? new ServiceError('validation_error', `${flags.out} lacks content of ${path}.`)
          : null
      printOutcome(
        command,
        failure,
        {
          from,
          out,
          pages,
          files,
          losses: diagnostics.map(presentLoss),
          report,
          comparison: presentComparison(comparison),
        },
        [
          ...(flags.format === 'github' ? diagnosticLines(diagnostics, folder, flags) : []),
          ...(flags.check ? missingLines(comparison) : []),
          ...(flags.check || flags.format === 'github' ? [] : groupLines(done.groups(diagnostics))),
          ...done.comparisonLines,
          ...(flags.check
            ? []
            : [
                '',
                `${done.title}: ${count(pages, 'page')}, ${count(files, 'other file')}, ${count(diagnostics.length, 'warning')}.`,
                `The whole report: ${join(flags.out, relative(out, report ?? out))}`,
                `Preview the site with quoin dev ${flags.out}, or build it with quoin build ${flags.out}.`,
              ]),
        ],
      )
    })
}

interface Converted {
  readonly from: string
  readonly out: string
  readonly title: string
  readonly pages: number
  readonly files: number
  readonly diagnostics: readonly Diagnostic[]
  readonly comparison: Comparison
  readonly isWhole: boolean
  readonly comparisonLines: readonly string[]
  readonly groups: (diagnostics: readonly Diagnostic[]) => readonly DiagnosticGroup[]
  /** The file of the report; null with `--check`. */
  readonly report: string | null
}

/** Converts the folder and compares the result with it, or with `--check` only compares. @param path as it was given. */
async function convert(folder: string, path: string, flags: ConvertFlags): Promise<Converted> {
  const [source, site, generators, unread, writing, comparing, reporting] = await Promise.all([
    import('../convert/files/source-files.ts'),
    import('../convert/convert-site.ts'),
    import('../convert/generators.ts'),
    import('../convert/unsupported-generators.ts'),
    import('../convert/write-conversion.ts'),
    import('../convert/comparison/compare.ts'),
    import('../convert/comparison/report.ts'),
  ])
  const out = resolve(flags.out)
  const files = source.listSourceFiles(folder)
  const named = GENERATORS.find((name) => name === flags.from) ?? null
  const from = generators.detectGenerator(files, named)
  const unknown = from === null ? unread.unsupportedGenerator(files) : null
  if (unknown !== null)
    throw new ConfigError(`${unknown.title} made the site in ${path}, and is not read. ${unknown.advice}`)
  if (from === null)
    throw new ConfigError(
      `No known generator made the site in ${path}. Name its generator with --from: ${GENERATORS.join(', ')}.`,
    )
  const conversion = site.convertSite(files, from, basename(folder), new Date())
  if (!flags.check) await writing.writeConversion(folder, out, conversion)
  const converted = writing.convertedFolder(out)
  const comparison = comparing.compareConversion(files, conversion, converted.textOf, converted.hasFile)
  return reported(
    {
      from: from.name,
      out,
      title: `${from.title} → ${flags.out}`,
      pages: conversion.pages.size,
      files: conversion.copies.size,
    },
    { diagnostics: conversion.diagnostics, comparison },
    { comparing, reporting, writing, isChecked: flags.check },
  )
}

/** The kind of an export. Null for the folder of a site. @param path as it was given. */
async function exportOf(source: string, path: string, { from }: ConvertFlags): Promise<ExportName | null> {
  const named = EXPORTS.find((each) => each === from)
  const { exportKind, isFolder, isFolderExport } = await import('../convert/exports/export-kind.ts')
  if (named !== undefined && isFolderExport(named) !== isFolder(source))
    throw new ConfigError(
      `An export of ${named} is a ${isFolderExport(named) ? 'folder: unpack its archive' : 'file'}.`,
    )
  if (named !== undefined || (from !== undefined && isFolder(source))) return named ?? null
  const kind = exportKind(source)
  if (kind !== null || isFolder(source)) return kind
  throw new ConfigError(
    path.endsWith('.zip')
      ? `${path} is an archive. Unpack it, and name the folder or the file in it.`
      : `${path} is no export of WordPress (XML) or Ghost (JSON). Name a folder, or one of them.`,
  )
}

/** @throws {ConfigError} when it is no address of a site. */
function siteAddress(text: string): string {
  const url = parseUrl(text)
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== '' || url.username !== '')
    throw new ConfigError('--site is the address of the site, such as https://blog.example.com.')
  return withoutEndSlashes(`${url.origin}${url.pathname}`)
}

/** @throws {ConfigError} for files in the new folder, which would not be empty when the command is repeated. */
function refuseInside(out: string, { out: given, fetch = '' }: ConvertFlags): void {
  if (`${resolve(fetch)}${sep}`.startsWith(`${out}${sep}`))
    throw new ConfigError(
      `--fetch ${fetch} is in the new folder ${given}, and a repeated run needs both: files that are loaded, and a new folder. Name a folder outside of --out. The pictures that pages show are copied from there.`,
    )
}

/** Converts an export. */
async function convertExported(path: string, kind: ExportName, flags: ConvertFlags): Promise<Converted> {
  const [app, comparing, reporting, writing] = await Promise.all([
    import('../app/convert-export.ts'),
    import('../convert/comparison/compare.ts'),
    import('../convert/comparison/report.ts'),
    import('../convert/write-conversion.ts'),
  ])
  const out = resolve(flags.out)
  if (flags.fetch !== undefined && !flags.check) refuseInside(out, flags)
  const { site, conversion } = await app.convertExportFile(path, kind, {
    out,
    isChecked: flags.check,
    url: flags.site === undefined ? null : siteAddress(flags.site),
    files:
      flags.fetch === undefined
        ? null
        : {
            folder: resolve(flags.fetch),
            allowPrivate: flags.allowPrivate,
            onFetched: progressOf('Loading files'),
          },
  })
  return reported(
    {
      from: kind,
      out,
      title: `${site.title} → ${flags.out}`,
      pages: conversion.pages,
      files: conversion.files,
    },
    conversion,
    { comparing, reporting, writing, isChecked: flags.check },
  )
}

interface Reporting {
  readonly comparing: typeof import('../convert/comparison/compare.ts')
  readonly reporting: typeof import('../convert/comparison/report.ts')
  readonly writing: typeof import('../convert/write-conversion.ts')
  readonly isChecked: boolean
}

async function reported(
  done: Pick<Converted, 'from' | 'out' | 'title' | 'pages' | 'files'>,
  { diagnostics, comparison }: Pick<Converted, 'diagnostics' | 'comparison'>,
  { comparing, reporting, writing, isChecked }: Reporting,
): Promise<Converted> {
  const text = reporting.conversionReport(done.title, diagnostics, comparison)
  return {
    ...done,
    diagnostics,
    comparison,
    isWhole: comparing.isWhole(comparison),
    comparisonLines: reporting.comparisonLines(comparison),
    groups: reporting.groupDiagnostics,
    report: isChecked ? null : await writing.writeReport(done.out, text),
  }
}
