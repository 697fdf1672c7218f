import { join } from 'node:path'
import { Command } from 'commander'
import { ConfigError } from '../app/config.ts'
import type { Client } from '../client/client.ts'
import { SITE_FILE } from '../content-folder/file-kind.ts'
import { byPosition, type Diagnostic, diagnostic } from '../domain/diagnostic.ts'
import { ServiceError } from '../domain/errors.ts'
import { prefixed } from '../domain/ids.ts'
import type { JsonValue } from '../domain/json.ts'
import type { ForeignLink, LinkSource } from '../link-check/foreign-links.ts'
import { configFolder } from '../platform/config-folder.ts'
import { idArgument, printOutcome } from './administration.ts'
import { openApi, readKey, serverArgument } from './api-access.ts'
import {
  type DiagnosticFlags,
  diagnosticLines,
  readIgnored,
  withDiagnosticFlags,
} from './diagnostic-format.ts'
import { failWithErrors } from './failures.ts'
import { folderArgument } from './folder-argument.ts'
import { count } from './format-numbers.ts'
import { progressOf } from './progress.ts'

interface CheckLinksFlags extends DiagnosticFlags {
  readonly foreign: boolean
  readonly fresh: boolean
  readonly allowPrivate: boolean
  readonly timeout: string
  readonly project?: string
  readonly server?: string
  readonly keyFile?: string
}

/** Limit of addresses per run. */
const MAX_URLS = 10_000
const LINK_CODES: ReadonlySet<string> = new Set(['QN-DEADLINK', 'QN-DEAD-ANCHOR', 'QN-DEAD-REDIRECT'])

export function checkLinksCommand(): Command {
  const command = new Command('check-links')
    .description('check the links of a content folder or of a project, within the site and to other sites')
    .argument('[folder]', 'content folder, with a site.yaml', '.')
    .option('--no-foreign', 'check links within the site only, without the network')
    .option(
      '--fresh',
      'ask all other sites again; otherwise addresses that existed are asked once a week',
      false,
    )
    .option('--allow-private', 'ask addresses of private networks too', false)
    .option('--timeout <seconds>', 'time for each request', '15')
    .option('--project <id>', 'check the published pages of a project on a server instead of a folder')
    .option('--server <url>', 'address of the API [QUOIN_URL]')
    .option('--key-file <file>', 'file with the API key, instead of the variable QUOIN_KEY')
  return withDiagnosticFlags(command)
    .addHelpText(
      'after',
      `
Other sites are asked politely: one request at a time to each, HEAD before GET, with the pauses that
they ask for. Addresses in skip_links of site.yaml are left out, and so is code. What only some visitors get
(401, 403), and problems that may pass (429, 5xx), are listed but do not fail. The exit code is 1 when a
link is dead.

Examples:
  quoin check-links ./site
  quoin check-links ./site --no-foreign
  quoin check-links ./site --fresh --format github
  QUOIN_KEY=qn_live_… quoin check-links --project proj_k3v9q2m7x4tz8wpa --server https://quoin.example.com
`,
    )
    .action(async (path: string, flags: CheckLinksFlags, command: Command) => {
      const timeoutMs = timeoutArgument(flags.timeout)
      const ignored = readIgnored(flags.ignore)
      const checked =
        flags.project === undefined ? await ofFolder(path, flags, command) : await ofProject(flags)
      if (checked === null) return
      const { links, internal, folder, lineOf } = checked
      if (links.length > MAX_URLS)
        throw new ConfigError(
          `There are links to ${links.length} addresses, and ${MAX_URLS} can be checked at once. Leave some out with skip_links in site.yaml.`,
        )
      const { checkLinks } = await import('../app/link-check.ts')
      const { outcomes, skipped, cached, cacheFailure } = await checkLinks({
        urls: links.map(({ url }) => url),
        skip: checked.skip,
        cacheFile: join(configFolder(), 'checked-links.json'),
        fresh: flags.fresh,
        allowPrivate: flags.allowPrivate,
        timeoutMs,
        onChecked: progressOf('Asking other sites'),
      })
      if (cacheFailure !== null)
        process.stderr.write(`The list of checked links could not be stored: ${cacheFailure}\n`)
      const dead: Diagnostic[] = []
      const moved: { url: string; to: string; files: readonly string[] }[] = []
      const unclear: { url: string; reason: string; files: readonly string[] }[] = []
      for (const { url, places } of links) {
        const outcome = outcomes.get(url)
        const files = places.map(({ file }) => file)
        if (outcome?.kind === 'moved') moved.push({ url, to: outcome.to, files })
        if (outcome?.kind === 'unclear') unclear.push({ url, reason: outcome.reason, files })
        if (outcome?.kind !== 'dead') continue
        for (const { file, written } of places)
          dead.push(
            diagnostic('QN-DEAD-URL', file, `${written} leads nowhere. ${outcome.reason}`, {
              line: lineOf(file, written),
            }),
          )
      }
      const found = [...internal, ...dead].filter(({ code }) => !ignored.has(code)).toSorted(byPosition)
      const failure =
        found.length === 0
          ? null
          : new ServiceError('validation_error', `${count(found.length, 'dead link')}.`)
      printOutcome(
        command,
        failure,
        { dead: found, moved, unclear, addresses: links.length, skipped, cached },
        [
          ...diagnosticLines(found, folder, flags),
          ...moved.map(({ url, to, files }) => `moved    ${url} → ${to} (${files.join(', ')})`),
          ...unclear.map(({ url, reason, files }) => `unclear  ${url}: ${reason} (${files.join(', ')})`),
          `Addresses of other sites: ${links.length}. ${cached} checked earlier, ${skipped} skipped, ${unclear.length} unclear, ${moved.length} moved.`,
        ],
      )
    })
}

/** The links to check: of a folder, or of the published pages of a project. */
interface CheckedLinks {
  readonly links: readonly ForeignLink[]
  /** Dead links within the site. */
  readonly internal: readonly Diagnostic[]
  readonly skip: readonly string[]
  /** The folder of the files in diagnostics; empty for pages of a project. */
  readonly folder: string
  readonly lineOf: (file: string, written: string) => number | null
}

/** @returns null when the folder has errors, which are printed. */
async function ofFolder(
  path: string,
  flags: CheckLinksFlags,
  command: Command,
): Promise<CheckedLinks | null> {
  const folder = folderArgument(path)
  const { checkFolder } = await import('./check-folder.ts')
  const { site, errors, warnings } = await checkFolder(folder, true)
  if (errors.length > 0) {
    failWithErrors(command, errors, folder, 'no link was checked.')
    return null
  }
  const { foreignLinks } = await import('../link-check/foreign-links.ts')
  const { REDIRECTS_FILE } = await import('../content-folder/redirects.ts')
  const { textIfReadable } = await import('../content-folder/file-text.ts')
  const { skippedLinks } = await import('../content-folder/site-file.ts')
  return {
    links: flags.foreign ? foreignLinks(site, SITE_FILE, REDIRECTS_FILE) : [],
    internal: warnings.filter(({ code }) => LINK_CODES.has(code)),
    skip: skippedLinks(textIfReadable(join(folder, SITE_FILE)) ?? ''),
    folder,
    lineOf: await lineFinderIn(folder),
  }
}

/** The links of published pages, in their current text, and of the settings. */
async function ofProject({ project = '', server, keyFile, foreign }: CheckLinksFlags): Promise<CheckedLinks> {
  if (!foreign)
    throw new ConfigError(
      '--no-foreign: links within a project are checked when its pages are published. Leave the flag out.',
    )
  const id = prefixed('proj', idArgument('proj', project))
  const { splitFrontMatter } = await import('../page-text/front-matter.ts')
  const api = openApi(serverArgument(server), readKey(keyFile))
  const sources: LinkSource[] = []
  let front: string | null = null
  const query = {
    project_id: id,
    status: 'published',
    include_content: true,
    limit: 100,
    sort: 'created_at',
  } as const
  for await (const page of api.pages.list(query)) {
    const { frontMatter, body } = splitFrontMatter(page.markdown_content ?? '')
    if (sources.length === 0) front = await frontUrl(api, page)
    sources.push({
      name: page.url,
      markdown: body,
      values: [(page.config ?? {}) as JsonValue, frontMatter, page.meta.image],
    })
  }
  const deadRedirects: Diagnostic[] = []
  for await (const { from, to, dead, target } of api.redirects.list(id, { kind: 'project', limit: 100 })) {
    const message = `${from} leads to ${to}, which the site does not have.`
    if (dead) deadRedirects.push(diagnostic('QN-DEAD-REDIRECT', 'redirects', message, { field: from }))
    if (target === 'url') sources.push({ name: from, markdown: '', values: [to] })
  }
  const settings = await api.settings.get(id)
  const { linksIn } = await import('../link-check/foreign-links.ts')
  const all = [...sources, { name: 'settings', markdown: '', values: [settings as unknown as JsonValue] }]
  return { links: linksIn(all, front), internal: deadRedirects, skip: [], folder: '', lineOf: () => null }
}

/** The URL of the front page of a project, which the address of a page begins with; null if it cannot be told from it. */
async function frontUrl(
  api: Client,
  { id, url }: { readonly id: string; readonly url: string },
): Promise<string | null> {
  const { headers } = await api.send('GET /pages/{id}', { path: { id } })
  const address = /^<([^>]*)>; rel="alternate"/.exec(headers.get('link') ?? '')?.[1]
  return address?.endsWith(url) ? address.slice(0, -url.length) : null
}

/** @throws {ConfigError} */
function timeoutArgument(text: string): number {
  const seconds = Number(text)
  if (!(seconds >= 1 && seconds <= 120)) throw new ConfigError('--timeout: must be 1 to 120 seconds.')
  return seconds * 1_000
}

/** Finds the line of a text in a file of the folder. */
async function lineFinderIn(folder: string): Promise<(file: string, written: string) => number | null> {
  const { textIfReadable } = await import('../content-folder/file-text.ts')
  return (file, written) => {
    const text = textIfReadable(join(folder, file)) ?? ''
    const at = text.indexOf(written)
    return at === -1 ? null : text.slice(0, at).split('\n').length
  }
}
