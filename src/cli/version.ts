import { constants, copyFile, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Command } from 'commander'
import { ConfigError } from '../app/config.ts'
import { SITE_FILE } from '../content-folder/file-kind.ts'
import { isMarkdownFile } from '../content-folder/page-name.ts'
import { ServiceError } from '../domain/errors.ts'
import { mkdirp } from '../platform/mkdirp.ts'
import { print } from './administration.ts'
import { failWithErrors } from './failures.ts'
import { folderArgument } from './folder-argument.ts'
import { count } from './format-numbers.ts'

interface CutFlags {
  readonly folder?: string
  readonly current?: string
  readonly docs: string
  readonly dryRun: boolean
}

export function versionCommand(): Command {
  return new Command('version')
    .description('manage the versions of what a content folder documents')
    .addCommand(cutCommand())
    .addHelpText('after', '\nExample:\n  quoin version cut 2.0 --current 1.0\n')
}

function cutCommand(): Command {
  return new Command('cut')
    .description('start a new latest version, and keep the present one in a folder of its own')
    .argument('<name>', 'name of the new version, e.g. 2.0')
    .argument('[folder]', 'content folder, the current one by default')
    .option('--folder <folder>', 'content folder, as the second argument')
    .option('--current <name>', 'name of the present version, on a site without versions')
    .option('--docs <folder>', 'folder of the present version, on a site without versions', 'docs')
    .option('--dry-run', 'print the plan and change nothing', false)
    .option('--json', 'print one JSON object', false)
    .addHelpText(
      'after',
      `
The files of the latest version are copied, e.g. from docs to docs/1.0, in each
language, and site.yaml names both versions. In Markdown, links that start with /
stay in the copied version. No file is overwritten: if one exists, nothing is changed.

Examples:
  quoin version cut 2.0 --current 1.0
  quoin version cut 3.0 my-site --dry-run
`,
    )
    .action(async (name: string, site: string | undefined, flags: CutFlags, command: Command) => {
      if (site !== undefined && flags.folder !== undefined && flags.folder !== site)
        throw new ConfigError(`The content folder is given twice: ${site} and --folder ${flags.folder}.`)
      const folder = folderArgument(site ?? flags.folder ?? '.')
      const { readSite } = await import('../content-folder/read-site.ts')
      const { listFiles } = await import('../content-folder/list-files.ts')
      const { planVersionCut, inMovedVersion, withVersions } = await import(
        '../content-folder/cut-version.ts'
      )
      const { site: read, errors } = await readSite(folder)
      if (errors.length > 0) failWithErrors(command, errors, folder, 'no version was cut.')
      const { locales = [], versions = [] } = read.settings
      const { files } = listFiles(folder, null)
      const current = flags.current === undefined ? null : { name: flags.current, folder: flags.docs }
      const plan = planVersionCut(files, { locales, versions }, name, current)
      if (typeof plan === 'string') throw new ServiceError('conflict', plan)
      const { copies, previous, moved } = plan
      const siteFile = join(folder, SITE_FILE)
      const text = withVersions(await readFile(siteFile, 'utf8'), plan.versions)
      const report = { ok: true, version: name, previous: previous.name, copies, dry_run: flags.dryRun }
      const lines = [
        `${name} is the latest version, in ${plan.versions[0]?.subroute}.`,
        `${previous.name} moves to ${previous.subroute}: ${count(copies.length, 'file')} copied.`,
        ...copies.map(({ from, to }) => `  ${from} → ${to}`),
        flags.dryRun ? 'Nothing was changed.' : 'site.yaml names both versions.',
      ]
      if (flags.dryRun) return print(command, report, lines)
      for (const { from, to } of copies) {
        const target = join(folder, to)
        await mkdirp(dirname(target))
        if (!isMarkdownFile(from)) await copyFile(join(folder, from), target, constants.COPYFILE_EXCL)
        else
          await writeFile(target, inMovedVersion(await readFile(join(folder, from), 'utf8'), moved), {
            flag: 'wx',
          })
      }
      await writeFile(siteFile, text)
      print(command, report, lines)
    })
}
