import { basename, resolve } from 'node:path'
import { Command, Option } from 'commander'
import { ConfigError } from '../app/config.ts'
import { GENERATORS, type GeneratorName, type Loss } from '../convert/conversion.ts'
import { print } from './administration.ts'
import { folderArgument } from './folder-argument.ts'
import { count } from './format-numbers.ts'

interface ConvertFlags {
  readonly out: string
  readonly from?: GeneratorName
}

export function convertCommand(): Command {
  return new Command('convert')
    .description('a site of VitePress, Hugo, Jekyll or Eleventy, or plain Markdown, into a content folder')
    .argument('<folder>', 'of the former site, or of Markdown; it is only read')
    .requiredOption('--out <folder>', 'the content folder that is made: a new or an empty one')
    .addOption(new Option('--from <generator>', 'if the folder does not show it').choices(GENERATORS))
    .option('--json', 'print one JSON object', false)
    .addHelpText(
      'after',
      '\nWhat could not be carried over is told by file and line.\n\nExample:\n  quoin convert ./old-docs --out ./docs-site\n',
    )
    .action(async (path: string, { out, from }: ConvertFlags, command: Command) => {
      const folder = folderArgument(path)
      const [
        { listSourceFiles: formerFiles },
        { convertSite, detectGenerator: generatorOf },
        { writeConversion },
      ] = await Promise.all([
        import('../convert/source-files.ts'),
        import('../convert/convert-site.ts'),
        import('../convert/write-conversion.ts'),
      ])
      const files = formerFiles(folder)
      const generator = generatorOf(files, from ?? null)
      if (generator === null)
        throw new ConfigError(`${path} is no site that is known here; say which with --from.`)
      const conversion = convertSite(files, generator, basename(folder))
      await writeConversion(folder, resolve(out), conversion)
      const { texts, copies, losses } = conversion
      const pages = texts.size - 1
      print(
        command,
        { ok: true, from: generator.name, out: resolve(out), pages, files: copies.size, losses },
        [
          ...losses.map(lossLine),
          ...(losses.length === 0 ? [] : ['']),
          `${generator.title} → ${out}: ${count(pages, 'page')}, ${count(copies.size, 'other file')}, ${losses.length === 0 ? 'nothing was lost' : `lost: ${losses.length}, told above`}.`,
          `Look at it with quoin dev ${out}, or make it with quoin build ${out}.`,
        ],
      )
    })
}

function lossLine({ file, line, what }: Loss): string {
  return `${file}${line === null ? '' : `:${line}`}: ${what}`
}
