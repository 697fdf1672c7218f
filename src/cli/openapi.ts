import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { Command } from 'commander'
import { ConfigError } from '../app/config.ts'
import { messageOf, ServiceError } from '../domain/errors.ts'
import { parseUrl } from '../domain/parse-url.ts'
import { mkdirp } from '../platform/mkdirp.ts'
import { version } from '../platform/package-paths.ts'
import { printOutcome } from './administration.ts'
import { diagnosticLine } from './diagnostic-line.ts'
import { count } from './format-numbers.ts'

interface OpenapiFlags {
  readonly out: string
  readonly force: boolean
}

export function openapiCommand(): Command {
  return new Command('openapi')
    .description('write an API reference, a page for each operation, from an OpenAPI description')
    .argument('<file>', 'the description, OpenAPI 3.0 or 3.1 as JSON or YAML: a file or an http(s) address')
    .option('--out <folder>', 'the folder of the pages, in a content folder', 'docs/api')
    .option('--force', 'replace pages that the command did not write, or that were edited since', false)
    .option('--json', 'print one JSON object', false)
    .addHelpText(
      'after',
      `
Writes index.md, a folder for each tag and a Markdown page for each operation, with parameters, schemas,
responses, and examples in curl, JavaScript and Python. Run it again when the description has changed:
pages that it wrote and that were not edited are replaced, and those of removed operations deleted.

To generate the pages at each build instead, write ::openapi{file="api.yaml"} in the index.md of a folder.

Examples:
  quoin openapi api.yaml --out docs/api
  quoin openapi https://example.com/openapi.json --out docs/api
`,
    )
    .action(async (source: string, flags: OpenapiFlags, command: Command) => {
      const text = await descriptionText(source)
      const { readReference } = await import('../content-folder/api-reference.ts')
      const reading = readReference(source, text)
      if ('errors' in reading) {
        const failure = new ServiceError('validation_error', `${source} cannot be made into pages.`)
        printOutcome(
          command,
          failure,
          { errors: reading.errors },
          reading.errors.map((error) => diagnosticLine(error)),
        )
        throw failure
      }
      const out = resolve(flags.out)
      const pages = new Map([['index.md', reading.indexPage], ...reading.pages])
      const previous = await generatedPages(out)
      await assertOwn(out, pages, previous, flags)
      const removed = [...previous].filter((path) => !pages.has(path))
      for (const [path, page] of pages) await writePage(out, path, page)
      for (const path of removed) await rm(join(out, path))
      printOutcome(
        command,
        null,
        { out, title: reading.title, operations: reading.operations, pages: pages.size, removed },
        [
          `${reading.title}: ${count(reading.operations, 'operation')}, ${count(pages.size, 'page')} in ${flags.out}.`,
          ...(removed.length > 0 ? [`${count(removed.length, 'page')} of removed operations deleted.`] : []),
        ],
      )
    })
}

/**
 * The start of each page: its path in the reference, and a digest of the rest. So an edited page, and one of another
 * reference in a folder below, are not taken for the command's own.
 */
const MARK = /^---\n# Written by quoin openapi: (\S+) (\w+)\. .*\n/

async function writePage(out: string, path: string, page: string): Promise<void> {
  const file = join(out, path)
  const mark = `# Written by quoin openapi: ${path} ${digestOf(page)}. Replaced when it runs again, unless edited.`
  await mkdirp(dirname(file))
  await writeFile(file, page.replace('---\n', `---\n${mark}\n`))
}

function isAsWritten(path: string, text: string): boolean {
  const [mark, writtenAs, digest] = MARK.exec(text) ?? []
  return mark !== undefined && writtenAs === path && digest === digestOf(`---\n${text.slice(mark.length)}`)
}

function digestOf(page: string): string {
  return createHash('sha256').update(page).digest('hex').slice(0, 32)
}

/** Pages in a folder that the command has written, unchanged since, by path in it. */
async function generatedPages(out: string): Promise<ReadonlySet<string>> {
  if (!existsSync(out)) return new Set()
  const entries = await readdir(out, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile() && entry.name.endsWith('.md'))
  const found = new Set<string>()
  for (const { parentPath, name } of files) {
    const file = join(parentPath, name)
    const path = file.slice(out.length + 1).replaceAll('\\', '/')
    if (isAsWritten(path, await readFile(file, 'utf8'))) found.add(path)
  }
  return found
}

/** @throws {ConfigError} when a page would replace another file, or a page that was edited since. */
async function assertOwn(
  out: string,
  pages: ReadonlyMap<string, string>,
  previous: ReadonlySet<string>,
  { out: path, force }: OpenapiFlags,
): Promise<void> {
  const foreign = [...pages.keys()].filter((page) => !previous.has(page) && existsSync(join(out, page)))
  const [first] = foreign
  if (force || first === undefined) return
  throw new ConfigError(
    `${join(path, first)} exists, and quoin openapi did not write it, or it was edited since. Choose another --out, or replace ${count(foreign.length, 'file')} with --force.`,
  )
}

const TIMEOUT_MS = 60_000

/** @throws {ServiceError} when an address does not answer with a description. */
async function descriptionText(source: string): Promise<string> {
  const { MAX_DESCRIPTION_BYTES } = await import('../openapi/read-description.ts')
  if (!/^https?:\/\//i.test(source)) return readFile(resolve(source), 'utf8')
  if (parseUrl(source) === null) throw new ConfigError(`${source} is not an address.`)
  try {
    const response = await fetch(source, {
      signal: AbortSignal.timeout(TIMEOUT_MS),
      headers: {
        'user-agent': `quoin/${version()}`,
        accept: 'application/json, application/yaml, text/yaml, */*',
      },
    })
    if (!response.ok) throw new Error(`it answered ${response.status}`)
    const chunks: Uint8Array[] = []
    let bytes = 0
    for await (const chunk of response.body ?? []) {
      bytes += chunk.byteLength
      if (bytes > MAX_DESCRIPTION_BYTES)
        throw new Error(`its answer is larger than ${MAX_DESCRIPTION_BYTES / 1024 / 1024} MiB`)
      chunks.push(chunk)
    }
    return Buffer.concat(chunks).toString('utf8')
  } catch (error) {
    throw new ServiceError('validation_error', `${source} cannot be read: ${messageOf(error)}.`)
  }
}
