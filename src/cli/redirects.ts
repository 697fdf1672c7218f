import { Command } from 'commander'
import type { ItemOf } from '../client/routes.ts'
import { prefixed } from '../domain/ids.ts'
import { toPathList } from '../domain/redirect-path.ts'
import { publicPath } from '../domain/route.ts'
import { idArgument, print } from './administration.ts'
import { openApi, readKey, serverArgument } from './api-access.ts'
import { failWithErrors } from './failures.ts'
import { folderArgument } from './folder-argument.ts'
import { count } from './format-numbers.ts'

interface RedirectsFlags {
  readonly project?: string
  readonly server?: string
  readonly keyFile?: string
}

export function redirectsCommand(): Command {
  return new Command('redirects')
    .description(
      'list the redirects of a content folder or of a project: old paths and the pages that they lead to',
    )
    .argument('[folder]', 'content folder, with a site.yaml', '.')
    .option('--project <id>', 'list those of a project on a server instead of a folder')
    .option('--server <url>', 'address of the API [QUOIN_URL]')
    .option('--key-file <file>', 'file with the API key, instead of the variable QUOIN_KEY')
    .option('--json', 'print one JSON object', false)
    .addHelpText(
      'after',
      `
Examples:
  quoin redirects ./site
  QUOIN_KEY=qn_live_… quoin redirects --project proj_k3v9q2m7x4tz8wpa --server https://quoin.example.com
`,
    )
    .action(async (path: string, flags: RedirectsFlags, command: Command) => {
      if (flags.project !== undefined) return printOfProject(flags.project, flags, command)
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
      const lines = aligned(redirects, ({ file, draft }) => `${file}${draft ? '  draft' : ''}`)
      print(command, { ok: true, redirects }, lines)
    })
}

async function printOfProject(project: string, flags: RedirectsFlags, command: Command): Promise<void> {
  const id = prefixed('proj', idArgument('proj', project))
  const api = openApi(serverArgument(flags.server), readKey(flags.keyFile))
  const redirects: ItemOf<'GET /projects/{id}/redirects'>[] = []
  for await (const redirect of api.redirects.list(id)) redirects.push(redirect)
  const lines = aligned(redirects, ({ page_id: page, stated, live }) =>
    [page, ...(stated ? [] : ['moved']), ...(live ? [] : ['unpublished'])].join('  '),
  )
  print(command, { ok: true, redirects }, lines)
}

function aligned<One extends { readonly from: string; readonly to: string }>(
  redirects: readonly One[],
  rest: (redirect: One) => string,
): readonly string[] {
  const width = Math.max(0, ...redirects.map(({ from }) => from.length))
  return [
    ...redirects.map((one) => `${one.from.padEnd(width)} → ${one.to}  ${rest(one)}`),
    `${count(redirects.length, 'redirect')}.`,
  ]
}
