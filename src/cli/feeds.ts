import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Command } from 'commander'
import { type Diagnostic, diagnostic } from '../domain/diagnostic.ts'
import { isJsonObject } from '../domain/json.ts'
import { replaceDurably } from '../platform/durable-file.ts'
import { print } from './administration.ts'
import { failWithErrors } from './failures.ts'
import { folderArgument } from './folder-argument.ts'
import { count } from './format-numbers.ts'

export function feedsCommand(): Command {
  return new Command('feeds')
    .description('manage the ids by which readers of feeds know the articles of a content folder')
    .addCommand(pinCommand())
    .addHelpText('after', '\nExample:\n  quoin feeds pin ./site\n')
}

function pinCommand(): Command {
  return new Command('pin')
    .description('write the id of each article into its file, so that it stays when the article moves')
    .argument('[folder]', 'content folder, with a site.yaml', '.')
    .option('--dry-run', 'print the ids and change nothing', false)
    .option('--json', 'print one JSON object', false)
    .addHelpText(
      'after',
      `
Articles that have a guid keep it. The others get the id that builds show in
feeds now, which follows from url in site.yaml, their date and their address.
Run it before you move articles or change url.

Examples:
  quoin feeds pin
  quoin feeds pin ./site --dry-run
`,
    )
    .action(async (path: string, { dryRun }: { readonly dryRun: boolean }, command: Command) => {
      const folder = folderArgument(path)
      const { readSite } = await import('../content-folder/read-site.ts')
      const { readParts } = await import('../content-folder/page-parts.ts')
      const { isParseIssue } = await import('../content-folder/yaml-source.ts')
      const { unstatedFeedGuid } = await import('../content-folder/feed-guid.ts')
      const { withGuid } = await import('../content-folder/with-guid.ts')
      const { site, errors } = await readSite(folder)
      if (errors.length > 0) failWithErrors(command, errors, folder, 'no id was written.')
      const written: { readonly file: string; readonly guid: string; readonly text: string }[] = []
      const refused: Diagnostic[] = []
      for (const page of site.pages) {
        const guid = page.ownFields.feedGuid == null ? unstatedFeedGuid(page, site) : null
        if (guid === null) continue
        const file = page.source
        const text = withGuid(await readFile(join(folder, file), 'utf8'), guid)
        const { fields } = readParts(file, text)
        const read = isParseIssue(fields) || !isJsonObject(fields.value) ? null : fields.value['guid']
        if (read === guid) written.push({ file, guid, text })
        else refused.push(diagnostic('QN-BAD-YAML', file, `Add this line yourself: guid: ${guid}`))
      }
      if (refused.length > 0) failWithErrors(command, refused, folder, 'no id was written.')
      if (!dryRun) for (const { file, text } of written) await replaceDurably(join(folder, file), text)
      const pages = written.map(({ file, guid }) => ({ file, guid }))
      const summary = `${count(pages.length, 'article')} ${dryRun ? 'would get an id. Nothing was changed.' : 'got an id.'}`
      print(command, { ok: true, pinned: pages, dry_run: dryRun }, [
        ...pages.map(({ file, guid }) => `${file}  ${guid}`),
        summary,
      ])
    })
}
