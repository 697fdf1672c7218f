import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { Command } from 'commander'
import { ConfigError } from '../app/config.ts'
import { decryptPage, type OpenedPage, type SealedPage } from '../client/decrypt-page.ts'
import { messageOf, ServiceError } from '../domain/errors.ts'
import { readSecret } from './secret.ts'

const KEY = 'QUOIN_CONTENT_KEY'

interface KeyFlags {
  readonly key?: string
  readonly keyFile?: string
}

export function decryptCommand(): Command {
  return new Command('decrypt')
    .description('decrypt the published pages of a project in Data Mode')
    .argument('<source>', 'file or URL of one page, or a folder with an _index.json')
    .option('--key-file <file>', `file with the content key, instead of the variable ${KEY}`)
    .option('--key <base64>', 'the content key itself, for tests; - reads it from standard input')
    .addHelpText(
      'after',
      `
Prints one page as JSON. For a folder, prints one line of JSON for each page.

Example:
  quoin decrypt https://cdn.example.com/proj_k3v9q2m7x4tz8wpa/hours.json --key-file ./content-key
`,
    )
    .action(async (source: string, flags: KeyFlags) => {
      const contentKey = await readKey(flags)
      for (const line of await opened(source, contentKey)) console.log(line)
    })
}

/** The content key. Messages never contain it. @throws {ConfigError} unless it is 32 bytes in base64. */
async function readKey({ key: given, keyFile }: KeyFlags): Promise<string> {
  if (given !== undefined && keyFile !== undefined)
    throw new ConfigError('--key, --key-file: use only one of them.')
  const key = given === '-' ? (await text(process.stdin)).trim() : (given ?? readSecret(keyFile, KEY))
  const source = given !== undefined ? '--key' : keyFile !== undefined ? '--key-file' : KEY
  if (key === '' && source === KEY)
    throw new ConfigError(`--key-file: name a file with the content key, or set ${KEY}.`)
  if (!/^[A-Za-z0-9+/]{43}=$/.test(key))
    throw new ConfigError(`${source}: must be 32 bytes in base64 (44 characters).`)
  return key
}

async function opened(source: string, key: string): Promise<readonly string[]> {
  if (/^https?:\/\//.test(source)) return [pretty(await openPage(source, await fetchText(source), key))]
  if (!(await isFolder(source))) return [pretty(await openPage(source, await readText(source), key))]
  const pages: string[] = []
  for (const { id, file } of await sealedPages(source)) {
    const path = join(source, file)
    pages.push(JSON.stringify(await openPage(path, await readText(path), key, id)))
  }
  return pages
}

function pretty(page: OpenedPage): string {
  return JSON.stringify(page, null, 2)
}

/** The encrypted pages in the index of a folder. */
async function sealedPages(
  folder: string,
): Promise<readonly { readonly id: string; readonly file: string }[]> {
  const index = join(folder, '_index.json')
  const { pages } = parsed(index, await readText(index)) as {
    readonly pages?: readonly { readonly id: string; readonly file: string; readonly key_id: string | null }[]
  }
  if (!Array.isArray(pages)) throw failure(index, 'is not the index of a site')
  return pages.filter(({ key_id: keyId }) => keyId !== null)
}

async function openPage(source: string, content: string, key: string, id?: string): Promise<OpenedPage> {
  const sealed = parsed(source, content) as Partial<SealedPage> | null
  if (
    typeof sealed?.iv !== 'string' ||
    typeof sealed.ciphertext !== 'string' ||
    typeof sealed.tag !== 'string'
  )
    throw failure(source, 'is not an encrypted page: it has no iv, ciphertext and tag')
  try {
    const { iv, ciphertext, tag } = sealed
    return await decryptPage(key, { iv, ciphertext, tag }, id === undefined ? {} : { id })
  } catch (error) {
    throw failure(source, 'cannot be decrypted: the key is wrong, or the file was changed', error)
  }
}

async function fetchText(url: string): Promise<string> {
  try {
    const response = await fetch(url)
    if (response.ok) return await response.text()
    throw failure(url, `returned the status ${response.status}`)
  } catch (error) {
    throw error instanceof ServiceError
      ? error
      : failure(url, `cannot be fetched (${messageOf(error)})`, error)
  }
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory()
  } catch (error) {
    throw failure(path, `cannot be read (${messageOf(error)})`, error)
  }
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    throw failure(path, `cannot be read (${messageOf(error)})`, error)
  }
}

function parsed(source: string, content: string): unknown {
  try {
    return JSON.parse(content)
  } catch (error) {
    throw failure(source, 'is not valid JSON', error)
  }
}

function failure(source: string, message: string, cause?: unknown): ServiceError {
  return new ServiceError('invalid_request', `${source} ${message}.`, { cause })
}
