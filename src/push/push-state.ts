import { readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { ServiceError } from '../domain/errors.ts'
import { makeFolder } from '../platform/mkdirp.ts'

/** What pushes of a folder left in one project, as far as the next one has to know. Plain JSON. */
export interface PushState {
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
export interface PushStateStore {
  read(): Promise<PushState>
  write(pushed: PushState): Promise<void>
}

const EMPTY_STATE: PushState = { settings: {}, pages: {}, making: [] }

/** Beneath the content folder; nothing a site is made of starts with a dot. */
const FILE = '.quoin/push.json'
const FORMAT = 1

/** One file for all projects that a folder is pushed to; it holds no secret. */
export function createFolderStateStore(folder: string, target: string): PushStateStore {
  const file = join(folder, FILE)
  return {
    read: async () => (await readTargets(file))[target] ?? EMPTY_STATE,

    async write(pushed) {
      const targets = { ...(await readTargets(file)), [target]: pushed }
      await makeFolder(dirname(file))
      await writeFile(`${file}.new`, `${JSON.stringify({ format: FORMAT, targets }, null, 2)}\n`)
      await rename(`${file}.new`, file)
    },
  }
}

/** For a push that nothing is known of, and that leaves nothing. */
export function createNullStateStore(): PushStateStore {
  return { read: async () => EMPTY_STATE, write: async () => {} }
}

/** @throws {ServiceError} `validation_error` when the file cannot be read. */
async function readTargets(file: string): Promise<Readonly<Record<string, PushState>>> {
  try {
    const json: unknown = JSON.parse(await readFile(file, 'utf8'))
    if (isObject(json) && json['format'] === FORMAT && isObject(json['targets'])) {
      const targets = json['targets']
      if (Object.values(targets).every(isPushState)) return targets as Record<string, PushState>
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

function isPushState(json: unknown): json is PushState {
  return (
    isObject(json) && isObject(json['settings']) && isObject(json['pages']) && Array.isArray(json['making'])
  )
}

function isObject(json: unknown): json is Readonly<Record<string, unknown>> {
  return typeof json === 'object' && json !== null && !Array.isArray(json)
}
