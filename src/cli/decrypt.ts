import { readFile, realpath, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { text } from 'node:stream/consumers'
import { Command } from 'commander'
import { ConfigError } from '../app/config.ts'
import { writePageFiles } from '../app/decrypt-files.ts'
import { decryptPage, type OpenedPage, type SealedPage } from '../client/decrypt-page.ts'
import { messageOf, ServiceError } from '../domain/errors.ts'
import { isSafeKey } from '../domain/storage-key.ts'
import { count } from './format-numbers.ts'
import { readSecret } from './secret.ts'

const KEY = 'QUOIN_CONTENT_KEY'

interface DecryptFlags {
  readonly key?: string
  readonly keyFile?: string
  readonly files?: string
}

export function decryptCommand(): Command {
  return new Command('decrypt')
    .description('decrypt the published pages of a project in Data Mode')
    .argument('<source>', 'file or URL of one page, or a folder with an _index.json')
    .option('--key-file <file>', `file with the content key, instead of the variable ${KEY}`)
    .option('--key <base64>', 'the content key itself, for tests; - reads it from standard input')
    .option('--files <folder>', 'write the pictures and files of the pages too, at their addresses')
    .addHelpText(
      'after',
      `
Prints one page as JSON. For a folder, prints one line of JSON for each page; with --files it
writes /media/team/ada.jpg, say, to media/team/ada.jpg in the folder that you name.

Examples:
  quoin decrypt https://cdn.example.com/proj_k3v9q2m7x4tz8wpa/hours.json --key-file ./content-key
  quoin decrypt ./dist --key-file ./content-key --files ./opened >pages.jsonl
`,
    )
    .action(async (source: string, flags: DecryptFlags) => {
      const contentKey = await readKey(flags)
      if (flags.files === undefined) {
        for (const page of await opened(source, contentKey)) console.log(page)
        return
      }
      if (/^https?:\/\//.test(source) || !(await isFolder(source)))
        throw new ConfigError('--files: needs a folder with an _index.json, not one page.')
      const pages = await openFolder(source, contentKey)
      for (const page of pages) console.log(JSON.stringify(page))
      const written = await writePageFiles(pages, Buffer.from(contentKey, 'base64'), flags.files, (file) =>
        sealedPath(source, file),
      )
      console.error(`${flags.files}: ${count(written, 'file')} written.`)
    })
}

/** The path of a sealed file that a page names. @throws {ServiceError} when it is not a file of the folder. */
async function sealedPath(folder: string, file: string): Promise<string> {
  const path = join(folder, file)
  if (!isSafeKey(file)) throw failure(path, 'is not in the folder; refused')
  await assertInside(folder, path)
  return path
}

/** The content key. Messages never contain it. @throws {ConfigError} unless it is 32 bytes in base64. */
async function readKey({ key: given, keyFile }: DecryptFlags): Promise<string> {
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
  return (await openFolder(source, key)).map((page) => JSON.stringify(page))
}

async function openFolder(folder: string, key: string): Promise<readonly OpenedPage[]> {
  const pages: OpenedPage[] = []
  for (const { id, file } of await sealedPages(folder)) {
    const path = await sealedPath(folder, file)
    pages.push(await openPage(path, await readText(path), key, id))
  }
  return pages
}

function pretty(page: OpenedPage): string {
  return JSON.stringify(page, null, 2)
}

/** A link in the folder may lead out of it. @throws {ServiceError} */
async function assertInside(folder: string, path: string): Promise<void> {
  const [outer, inner] = await Promise.all(
    [folder, path].map((one) =>
      realpath(one).catch((error) => {
        throw failure(one, `cannot be read (${messageOf(error)})`, error)
      }),
    ),
  )
  if (!`${inner}`.startsWith(`${outer}${sep}`)) throw failure(path, 'is a link out of the folder; refused')
}

interface Entry {
  readonly id: string
  readonly file: string
  readonly key_id: string | null
}

/** The encrypted pages in the index of a folder. */
async function sealedPages(folder: string): Promise<readonly Entry[]> {
  const index = join(folder, '_index.json')
  const { pages } = (parsed(index, await readText(index)) ?? {}) as { readonly pages?: readonly Entry[] }
  if (!Array.isArray(pages) || !pages.every(isEntry)) throw failure(index, 'is not the index of a site')
  const sealed = pages.filter(({ key_id: keyId }) => keyId !== null)
  // An index may come from elsewhere: without this, it could name any file of this machine.
  const unsafe = sealed.find(({ file }) => !isSafeKey(file))
  if (unsafe !== undefined)
    throw failure(index, `names the file ${JSON.stringify(unsafe.file)}, which is not in the folder; refused`)
  return sealed
}

function isEntry(value: unknown): value is Entry {
  const { id, file } = (value ?? {}) as Partial<Entry>
  return typeof id === 'string' && typeof file === 'string'
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
