import { Command } from 'commander'
import { toPathList } from '../domain/redirect-path.ts'
import { publicPath } from '../domain/route.ts'
import { print } from './administration.ts'
import { failWithErrors } from './failures.ts'
import { folderArgument } from './folder-argument.ts'
import { count } from './format-numbers.ts'

export function redirectsCommand(): Command {
  return new Command('redirects')
    .description('list the redirects of a content folder: old paths and the pages that they lead to')
    .argument('[folder]', 'content folder, with a site.yaml', '.')
    .option('--json', 'print one JSON object', false)
    .addHelpText('after', '\nExample:\n  quoin redirects ./site\n')
    .action(async (path: string, _, command: Command) => {
      const folder = folderArgument(path)
      const { readSite } = await import('../content-folder/read-site.ts')
      const { site, errors } = await readSite(folder)
      if (errors.length > 0) return failWithErrors(command, errors, folder, 'the redirects are not complete.')
      const routes = site.settings.siteRoutes ?? {}
      const redirects = site.pages
        .flatMap((page) =>
          toPathList(page.config['redirect_from']).map((from) => ({
            from,
            to: publicPath(page, routes),
            file: page.source,
            draft: page.draft,
          })),
        )
        .toSorted((a, b) => (a.from < b.from ? -1 : 1))
      const width = Math.max(0, ...redirects.map(({ from }) => from.length))
      print(command, { ok: true, redirects }, [
        ...redirects.map(
          ({ from, to, file, draft }) => `${from.padEnd(width)} → ${to}  ${file}${draft ? '  draft' : ''}`,
        ),
        `${count(redirects.length, 'redirect')}.`,
      ])
    })
}
