import { basename, join, relative, resolve } from 'node:path'
import { Command, Option } from 'commander'
import { ConfigError } from '../app/config.ts'
import type { Comparison } from '../convert/comparison/compare.ts'
import type { DiagnosticGroup } from '../convert/comparison/report.ts'
import { GENERATORS, type GeneratorName } from '../convert/conversion.ts'
import type { Diagnostic } from '../domain/diagnostic.ts'
import { ServiceError } from '../domain/errors.ts'
import { printOutcome } from './administration.ts'
import {
  type DiagnosticFlags,
  diagnosticLines,
  readIgnored,
  withDiagnosticFlags,
} from './diagnostic-format.ts'
import { diagnosticLine } from './diagnostic-line.ts'
import { folderArgument } from './folder-argument.ts'
import { count } from './format-numbers.ts'

interface ConvertFlags extends DiagnosticFlags {
  readonly out: string
  readonly from?: GeneratorName
  readonly check: boolean
}

/** Examples of each kind of warning on the terminal. The report has all. */
const EXAMPLES = 3

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
Reads sites of Docusaurus, Starlight, VitePress, Nextra, MkDocs, mdBook, Hugo, Jekyll and Eleventy.
Prints losses by kind, with three examples of each, and writes all of them, with file and line, to
.quoin/convert-report.md in the new folder. Warnings do not change the exit code.
With --check the exit code is 1 when a page, word, link, picture or code block is missing.

Examples:
  quoin convert ./old-docs --out ./docs-site
  quoin convert ./old-docs --out ./docs-site --check
`,
    )
    .action(async (path: string, flags: ConvertFlags, command: Command) => {
      const hidden = readIgnored(flags.ignore)
      const folder = folderArgument(path)
      const out = resolve(flags.out)
      const [source, site, generators, writing, comparing, reporting] = await Promise.all([
        import('../convert/source-files.ts'),
        import('../convert/convert-site.ts'),
        import('../convert/generators.ts'),
        import('../convert/write-conversion.ts'),
        import('../convert/comparison/compare.ts'),
        import('../convert/comparison/report.ts'),
      ])
      const files = source.listSourceFiles(folder)
      const generator = generators.detectGenerator(files, flags.from ?? null)
      if (generator === null)
        throw new ConfigError(
          `No known generator made the site in ${path}. Name its generator with --from: ${GENERATORS.join(', ')}.`,
        )
      const conversion = site.convertSite(files, generator, basename(folder), new Date())
      if (!flags.check) await writing.writeConversion(folder, out, conversion)
      const converted = writing.convertedFolder(out)
      const comparison = comparing.compareConversion(files, conversion, converted.textOf, converted.hasFile)
      const title = `${generator.title} → ${flags.out}`
      const report = reporting.conversionReport(title, conversion.diagnostics, comparison)
      const reportFile = flags.check ? null : await writing.writeReport(out, report)
      const { texts, copies } = conversion
      const diagnostics = conversion.diagnostics.filter(({ code }) => !hidden.has(code))
      const pages = texts.size - 1
      const isWhole = comparing.isWhole(comparison)
      const failure =
        flags.check && !isWhole
          ? new ServiceError('validation_error', `${flags.out} lacks content of ${path}.`)
          : null
      printOutcome(
        command,
        failure,
        {
          from: generator.name,
          out,
          pages,
          files: copies.size,
          losses: diagnostics.map(presentLoss),
          report: reportFile,
          comparison: presentComparison(comparison),
        },
        [
          ...(flags.format === 'github' ? diagnosticLines(diagnostics, folder, flags) : []),
          ...(flags.check ? missingLines(comparison) : []),
          ...(flags.check || flags.format === 'github'
            ? []
            : groupLines(reporting.groupDiagnostics(diagnostics))),
          ...reporting.comparisonLines(comparison),
          ...(flags.check
            ? []
            : [
                '',
                `${title}: ${count(pages, 'page')}, ${count(copies.size, 'other file')}, ${count(diagnostics.length, 'warning')}.`,
                `The whole report: ${join(flags.out, relative(out, reportFile ?? out))}`,
                `Preview the site with quoin dev ${flags.out}, or build it with quoin build ${flags.out}.`,
              ]),
        ],
      )
    })
}

function groupLines(groups: readonly DiagnosticGroup[]): readonly string[] {
  return groups.flatMap(({ code, kind, diagnostics }) => {
    if (diagnostics.length === 1) return [...diagnostics.map(diagnosticLine), '']
    const more = diagnostics.length - EXAMPLES
    return [
      `${diagnostics.length} × ${code} ${kind}`,
      ...diagnostics.slice(0, EXAMPLES).map((each) => `  ${diagnosticLine(each)}`),
      ...(more > 0 ? [`  … and ${more} more`] : []),
      '',
    ]
  })
}

/** One line for each page with losses. */
function missingLines({ losses, unaccounted, missingPages }: Comparison): readonly string[] {
  const lines = [
    ...unaccounted.map((path) => `${path}: the file is not converted.`),
    ...missingPages.map((path) => `${path}: the new folder has no page for it.`),
    ...losses.map(({ source, words, links, pictures, codeBlocks }) => {
      const parts = [
        ...(words.length === 0
          ? []
          : [
              `${count(words.length, 'word')} (${words.slice(0, 8).join(', ')}${words.length > 8 ? ', …' : ''})`,
            ]),
        ...(links.length === 0
          ? []
          : [
              `${count(links.length, 'link')} (${links.slice(0, 3).join(', ')}${links.length > 3 ? ', …' : ''})`,
            ]),
        ...(pictures.length === 0
          ? []
          : [`${count(pictures.length, 'picture')} (${pictures.slice(0, 3).join(', ')})`]),
        ...(codeBlocks === 0 ? [] : [count(codeBlocks, 'code block')]),
      ]
      return `${source}: ${parts.join(', ')} missing.`
    }),
  ]
  return lines.length === 0 ? [] : [...lines, '']
}

function presentLoss({ code, file, line, message }: Diagnostic) {
  return { code, file, line, what: message }
}

function presentComparison({
  pages,
  words,
  links,
  pictures,
  codeBlocks,
  hidden,
  losses,
  missingPages,
  unaccounted,
}: Comparison) {
  return {
    pages,
    words,
    links,
    pictures,
    code_blocks: codeBlocks,
    hidden,
    missing_pages: [...missingPages, ...unaccounted],
    losses: losses.map(({ source, file, words: w, links: l, pictures: p, codeBlocks: c }) => ({
      source,
      file,
      words: w.slice(0, 100),
      links: l,
      pictures: p,
      code_blocks: c,
    })),
  }
}
