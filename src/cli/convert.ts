import { basename, join, relative, resolve } from 'node:path'
import { Command, Option } from 'commander'
import { ConfigError } from '../app/config.ts'
import { GENERATORS, type GeneratorName } from '../convert/conversion.ts'
import { ServiceError } from '../domain/errors.ts'
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

interface ConvertFlags extends DiagnosticFlags {
  readonly out: string
  readonly from?: GeneratorName
  readonly check: boolean
}

export function convertCommand(): Command {
  const command = new Command('convert')
    .description('convert a site of another generator, or a folder of Markdown, to a content folder')
    .argument('<folder>', 'the source site, which is not changed')
    .requiredOption('--out <folder>', 'the content folder to create; it must be new or empty')
    .addOption(
      new Option('--from <generator>', 'the generator, if it cannot be detected').choices(GENERATORS),
    )
    .option('--check', 'compare an existing --out with the source site, and write nothing', false)
  return withDiagnosticFlags(command)
    .addHelpText(
      'after',
      `
Reads sites of Docusaurus, Starlight, VitePress, Nextra, MkDocs, mdBook, Hugo, Hexo, Jekyll and
Eleventy. Counts what the source site publishes, and what of it was kept, changed and lost. Prints
three examples of each kind, and writes all, with file and line, to .quoin/convert-report.md in the
new folder. Warnings do not change the exit code.
With --check the exit code is 1 when a page, word, link, picture or code block is missing.

Examples:
  quoin convert ./old-docs --out ./docs-site
  quoin convert ./old-docs --out ./docs-site --check
`,
    )
    .action(async (path: string, flags: ConvertFlags, command: Command) => {
      const hidden = readIgnored(flags.ignore)
      const folder = folderArgument(path, 'name the folder of the site to convert')
      const done = await convert(folder, path, flags)
      const diagnostics = done.conversion.diagnostics.filter(({ code }) => !hidden.has(code))
      const { from, out, comparison, report, isWhole } = done
      const { pages: converted, copies } = done.conversion
      const pages = converted.size
      const failure =
        flags.check && !isWhole
          ? new ServiceError('validation_error', `${flags.out} lacks content of ${path}.`)
          : null
      printOutcome(
        command,
        failure,
        {
          from: from.name,
          out,
          pages,
          files: copies.size,
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
                `${done.title}: ${count(pages, 'page')}, ${count(copies.size, 'other file')}, ${count(diagnostics.length, 'warning')}.`,
                `The whole report: ${join(flags.out, relative(out, report ?? out))}`,
                `Preview the site with quoin dev ${flags.out}, or build it with quoin build ${flags.out}.`,
              ]),
        ],
      )
    })
}

/** Converts the folder and compares the result with it, or with `--check` only compares. @param path as it was given. */
async function convert(folder: string, path: string, flags: ConvertFlags) {
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
  const from = generators.detectGenerator(files, flags.from ?? null)
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
  const title = `${from.title} → ${flags.out}`
  const text = reporting.conversionReport(title, conversion.diagnostics, comparison)
  return {
    from,
    out,
    title,
    conversion,
    comparison,
    isWhole: comparing.isWhole(comparison),
    comparisonLines: reporting.comparisonLines(comparison),
    groups: reporting.groupDiagnostics,
    /** The file of the report; null with `--check`. */
    report: flags.check ? null : await writing.writeReport(out, text),
  }
}
