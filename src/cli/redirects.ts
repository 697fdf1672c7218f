import { Command } from 'commander'
import { ConfigError } from '../app/config.ts'
import type { Client } from '../client/client.ts'
import type { ItemOf } from '../client/routes.ts'
import { prefixed } from '../domain/ids.ts'
import { readRedirectPath, toPathList } from '../domain/redirect-path.ts'
import { publicPath } from '../domain/route.ts'
import { writtenTarget } from '../domain/site-redirect.ts'
import { idArgument, print } from './administration.ts'
import { openApi, readKey, serverArgument } from './api-access.ts'
import { failWithErrors } from './failures.ts'
import { folderArgument } from './folder-argument.ts'
import { count } from './format-numbers.ts'

interface RedirectsFlags {
  readonly project?: string
  readonly add: readonly string[]
  readonly remove: readonly string[]
  readonly server?: string
  readonly keyFile?: string
}

export function redirectsCommand(): Command {
  return new Command('redirects')
    .description('list the redirects of a content folder or of a project: old paths and where they lead')
    .argument('[folder]', 'content folder, with a site.yaml', '.')
    .option('--project <id>', 'list or change those of a project on a server instead of a folder')
    .option(
      '--add <from=to>',
      'give the project a redirect, or a redirect another target; repeatable',
      all,
      [],
    )
    .option('--remove <from>', 'delete a redirect of the project, by its path or id; repeatable', all, [])
    .option('--server <url>', 'address of the API [QUOIN_URL]')
    .option('--key-file <file>', 'file with the API key, instead of the variable QUOIN_KEY')
    .option('--json', 'print one JSON object', false)
    .addHelpText(
      'after',
      `
Examples:
  quoin redirects ./site
  QUOIN_KEY=qn_live_… quoin redirects --project proj_k3v9q2m7x4tz8wpa --server https://quoin.example.com
  quoin redirects --project proj_k3v9q2m7x4tz8wpa --add /index.xml=/feed.xml --add /gh=https://github.com/example
  quoin redirects --project proj_k3v9q2m7x4tz8wpa --remove /gh
`,
    )
    .action(async (path: string, flags: RedirectsFlags, command: Command) => {
      if (flags.project !== undefined) return ofProject(flags.project, flags, command)
      if (flags.add.length + flags.remove.length > 0)
        throw new ConfigError(
          '--add and --remove change a project: name it with --project. A folder has redirects.yaml.',
        )
      const folder = folderArgument(path)
      const { readSite } = await import('../content-folder/read-site.ts')
      const { REDIRECTS_FILE } = await import('../content-folder/redirects.ts')
      const { site, errors } = await readSite(folder)
      if (errors.length > 0) return failWithErrors(command, errors, folder, 'the redirects are not complete.')
      const routes = site.settings.siteRoutes ?? {}
      const ofPages = site.pages.flatMap((page) =>
        toPathList(page.config['redirect_from']).map((from) => ({
          from,
          to: publicPath(page, routes),
          file: page.source,
          draft: page.draft,
        })),
      )
      const ofSite = (site.redirects ?? []).map(({ from, to }) => ({
        from,
        to: writtenTarget(to),
        file: REDIRECTS_FILE,
        draft: false,
      }))
      const redirects = [...ofPages, ...ofSite].toSorted((a, b) => (a.from < b.from ? -1 : 1))
      const lines = aligned(redirects, ({ file, draft }) => `${file}${draft ? '  draft' : ''}`)
      print(command, { ok: true, redirects }, lines)
    })
}

async function ofProject(project: string, flags: RedirectsFlags, command: Command): Promise<void> {
  const id = prefixed('proj', idArgument('proj', project))
  const added = flags.add.map(readPair)
  const api = openApi(serverArgument(flags.server), readKey(flags.keyFile))
  if (added.length + flags.remove.length === 0) return printOfProject(api, id, command)
  const removed = await idsOf(api, id, flags.remove)
  for (const redirect of removed) await api.redirects.delete(id, redirect)
  const failures: string[] = []
  const counts = { created: 0, updated: 0, unchanged: 0 }
  for (let start = 0; start < added.length; start += PER_REQUEST) {
    const items = added.slice(start, start + PER_REQUEST)
    const answer = await api.redirects.putAll(id, { items })
    for (const name of ['created', 'updated', 'unchanged'] as const) counts[name] += answer[name]
    for (const { index, error } of answer.items)
      if (error !== null) failures.push(`${items[index]?.from}: ${error.message}`)
  }
  if (failures.length > 0) throw new Error(failures.join('\n'))
  const { created, updated, unchanged } = counts
  const line = `${created} created, ${updated} changed, ${unchanged} unchanged, ${removed.length} deleted.`
  print(command, { ok: true, ...counts, removed: removed.length }, [line])
}

/** Redirects of one request. */
const PER_REQUEST = 500

/** @throws {ConfigError} for a text that is no pair. */
function readPair(text: string): { readonly from: string; readonly to: string } {
  const at = text.indexOf('=')
  if (at <= 0 || at === text.length - 1)
    throw new ConfigError(`--add ${text} is no redirect. Write it as --add /old=/new.`)
  return { from: text.slice(0, at), to: text.slice(at + 1) }
}

/**
 * Finds redirects of a project by path or id, and returns their ids.
 *
 * @throws {Error} for a path or id that the project does not have.
 */
async function idsOf(api: Client, project: string, named: readonly string[]): Promise<readonly string[]> {
  if (named.length === 0) return []
  const known = new Map<string, string>()
  for await (const { id, from } of api.redirects.list(project, { limit: 100 }))
    if (id !== null && !known.has(from)) known.set(from, id)
  const ids = new Set(known.values())
  return named.map((name) => {
    const id = ids.has(name) ? name : known.get(readRedirectPath(name) ?? name)
    if (id === undefined) throw new Error(`The project has no redirect from ${name} that can be deleted.`)
    return id
  })
}

async function printOfProject(api: Client, project: string, command: Command): Promise<void> {
  const redirects: ItemOf<'GET /projects/{id}/redirects'>[] = []
  for await (const redirect of api.redirects.list(project, { limit: 100 })) redirects.push(redirect)
  const lines = aligned(redirects, ({ id, page_id: page, kind, live, dead }) =>
    [
      id ?? page ?? '',
      ...(kind === 'former' ? ['moved'] : []),
      ...(dead ? ['dead'] : live ? [] : ['unpublished']),
    ].join('  '),
  )
  print(command, { ok: true, redirects }, lines)
}

function all(value: string, values: readonly string[]): readonly string[] {
  return [...values, value]
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
