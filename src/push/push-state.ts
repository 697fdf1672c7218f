import { readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { ServiceError } from '../domain/errors.ts'
import { makeFolder } from '../platform/mkdirp.ts'

/** What pushes of a folder left in one project, as far as the next one has to know. Plain JSON. */
export interface Pushed {
  /** By the name of the field in `site.yaml`. */
  readonly settings: Readonly<Record<string, PushedSetting>>
  /** By the file a page was written in. */
  readonly pages: Readonly<Record<string, PushedPage>>
  /** Addresses where a push that may have been broken off was about to make pages. */
  readonly making: readonly string[]
}

export interface PushedSetting {
  /** Digest of what was sent. */
  readonly sent: string
  /** Digest of what the server showed then. */
  readonly shown: string
}

export interface PushedPage {
  readonly id: string
  /** Of what was sent. */
  readonly digest: string
  /** Of what of it stays as it is wherever the page lies. */
  readonly content: string
  /** As the server said then; another one means that somebody has edited the page since. */
  readonly updatedAt: string
  readonly etag: string
  /** Whether a push made the page, which may then remove it again. */
  readonly made: boolean
}

/** Where that is kept between two pushes. */
export interface PushMemory {
  read(): Promise<Pushed>
  write(pushed: Pushed): Promise<void>
}

const NOTHING_PUSHED: Pushed = { settings: {}, pages: {}, making: [] }

/** Beneath the content folder; nothing a site is made of starts with a dot. */
const FILE = '.quoin/push.json'
const FORMAT = 1

/** One file for all projects that a folder is pushed to; it holds no secret. */
export function createFolderMemory(folder: string, target: string): PushMemory {
  const file = join(folder, FILE)
  return {
    read: async () => (await readTargets(file))[target] ?? NOTHING_PUSHED,

    async write(pushed) {
      const targets = { ...(await readTargets(file)), [target]: pushed }
      await makeFolder(dirname(file))
      await writeFile(`${file}.new`, `${JSON.stringify({ format: FORMAT, targets }, null, 2)}\n`)
      await rename(`${file}.new`, file)
    },
  }
}

/** For a push that nothing is known of, and that leaves nothing. */
export function createNoMemory(): PushMemory {
  return { read: async () => NOTHING_PUSHED, write: async () => {} }
}

/** @throws {ServiceError} `validation_error` when the file cannot be read. */
async function readTargets(file: string): Promise<Readonly<Record<string, Pushed>>> {
  try {
    const json: unknown = JSON.parse(await readFile(file, 'utf8'))
    if (isObject(json) && json['format'] === FORMAT && isObject(json['targets'])) {
      const targets = json['targets']
      if (Object.values(targets).every(isPushed)) return targets as Record<string, Pushed>
    }
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {}
    if (!(error instanceof SyntaxError)) throw error
  }
  throw new ServiceError(
    'validation_error',
    `${file} cannot be read: no push of this version wrote it. Remove it, and push again.`,
  )
}

function isPushed(json: unknown): json is Pushed {
  return (
    isObject(json) && isObject(json['settings']) && isObject(json['pages']) && Array.isArray(json['making'])
  )
}

function isObject(json: unknown): json is Readonly<Record<string, unknown>> {
  return typeof json === 'object' && json !== null && !Array.isArray(json)
}
