import { basename, resolve } from 'node:path'
import { Command, Option } from 'commander'
import { ConfigError } from '../app/config.ts'
import { GENERATORS, type GeneratorName } from '../convert/conversion.ts'
import type { Diagnostic } from '../domain/diagnostic.ts'
import { print } from './administration.ts'
import { diagnosticLines } from './diagnostic-format.ts'
import { folderArgument } from './folder-argument.ts'
import { count } from './format-numbers.ts'

interface ConvertFlags {
  readonly out: string
  readonly from?: GeneratorName
}

export function convertCommand(): Command {
  return new Command('convert')
    .description('convert a VitePress, Hugo, Jekyll, Eleventy or Markdown site to a content folder')
    .argument('<folder>', 'the source site, which is not changed')
    .requiredOption('--out <folder>', 'the content folder to create; it must be new or empty')
    .addOption(
      new Option('--from <generator>', 'the generator, if it cannot be detected').choices(GENERATORS),
    )
    .option('--json', 'print one JSON object', false)
    .addHelpText(
      'after',
      `
Prints a warning with file and line for everything that is left out or converted in part.
Warnings do not change the exit code.

Example:
  quoin convert ./old-docs --out ./docs-site
`,
    )
    .action(async (path: string, { out, from }: ConvertFlags, command: Command) => {
      const folder = folderArgument(path)
      const [{ listSourceFiles }, { convertSite, detectGenerator }, { writeConversion }] = await Promise.all([
        import('../convert/source-files.ts'),
        import('../convert/convert-site.ts'),
        import('../convert/write-conversion.ts'),
      ])
      const files = listSourceFiles(folder)
      const generator = detectGenerator(files, from ?? null)
      if (generator === null)
        throw new ConfigError(
          `No known generator made the site in ${path}. Name its generator with --from: ${GENERATORS.join(', ')}.`,
        )
      const conversion = convertSite(files, generator, basename(folder))
      await writeConversion(folder, resolve(out), conversion)
      const { texts, copies, diagnostics } = conversion
      const pages = texts.size - 1
      const losses = diagnostics.map(presentLoss)
      print(
        command,
        { ok: true, from: generator.name, out: resolve(out), pages, files: copies.size, losses },
        [
          ...diagnosticLines(diagnostics, folder),
          ...(diagnostics.length === 0 ? [] : ['']),
          `${generator.title} → ${out}: ${count(pages, 'page')}, ${count(copies.size, 'other file')}, ${count(diagnostics.length, 'warning')}.`,
          `Preview the site with quoin dev ${out}, or build it with quoin build ${out}.`,
        ],
      )
    })
}

function presentLoss({ code, file, line, message }: Diagnostic) {
  return { code, file, line, what: message }
}
