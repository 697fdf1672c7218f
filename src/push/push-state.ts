import { readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { ServiceError } from '../domain/errors.ts'
import { isJsonObject } from '../domain/json.ts'
import { hasCode } from '../platform/fs-errors.ts'
import { mkdirp } from '../platform/mkdirp.ts'

/**
 * The state that a push of a folder to one project leaves for the next push. Stored as it is in `.quoin/push.json`, so the
 * names of its fields are part of a file format.
 */
export interface PushState {
  /** By the name of the setting in `site.yaml`. */
  readonly settings: Readonly<Record<string, PushedSetting>>
  /** By the file of the page. */
  readonly pages: Readonly<Record<string, PushedPage>>
  /** Digests of the files that were sent, SHA-256 in hex, by the name of the asset. */
  readonly assets: Readonly<Record<string, string>>
  /** Addresses of pages that an interrupted push may have created. */
  readonly making: readonly string[]
}

export interface PushedSetting {
  /** Digest of the value that was sent. */
  readonly sent: string
  /** Digest of the value that the server returned. */
  readonly shown: string
}

export interface PushedPage {
  readonly id: string
  /** Digest of the request body. */
  readonly digest: string
  /** Digest of the content without the address, to recognize a renamed file. */
  readonly content: string
  /** As the server returned it. Another value means that the page was edited on the server. */
  readonly updatedAt: string
  readonly etag: string
  /** Whether a push created the page. Only then may a push remove it. */
  readonly made: boolean
}

/** Stores the state between two pushes. */
export interface PushStateStore {
  read(): Promise<PushState>
  write(state: PushState): Promise<void>
}

const EMPTY_STATE: PushState = { settings: {}, pages: {}, assets: {}, making: [] }

/** In the content folder. Files of a site never start with a dot. */
const FILE = '.quoin/push.json'
const FORMAT = 1

/** Stores the states of all projects of a folder in one file, which holds no secret. */
export function createFolderStateStore(folder: string, server: string, project: string): PushStateStore {
  const file = join(folder, FILE)
  const target = `${server} ${project}`
  return {
    // Files of earlier versions have no assets.
    read: async () => ({ ...EMPTY_STATE, ...(await readTargets(file))[target] }),

    async write(state) {
      const targets = { ...(await readTargets(file)), [target]: state }
      await mkdirp(dirname(file))
      await writeFile(`${file}.new`, `${JSON.stringify({ format: FORMAT, targets }, null, 2)}\n`)
      await rename(`${file}.new`, file)
    },
  }
}

/** Ids of the projects on a server that the folder was pushed to. @throws {ServiceError} when the file cannot be read. */
export async function pushedProjects(folder: string, server: string): Promise<readonly string[]> {
  const targets = Object.keys(await readTargets(join(folder, FILE)))
  const prefix = `${server} `
  return targets.filter((target) => target.startsWith(prefix)).map((target) => target.slice(prefix.length))
}

/** Starts with an empty state and saves nothing. */
export function createNullStateStore(): PushStateStore {
  return { read: async () => EMPTY_STATE, write: async () => {} }
}

/** @throws {ServiceError} `validation_error` when the file cannot be read. */
async function readTargets(file: string): Promise<Readonly<Record<string, PushState>>> {
  try {
    const json: unknown = JSON.parse(await readFile(file, 'utf8'))
    if (isJsonObject(json) && json['format'] === FORMAT && isJsonObject(json['targets'])) {
      const targets = json['targets']
      if (Object.values(targets).every(isPushState)) return targets as unknown as Record<string, PushState>
    }
  } catch (error) {
    if (hasCode(error, ['ENOENT'])) return {}
    if (!(error instanceof SyntaxError)) throw error
  }
  throw new ServiceError(
    'validation_error',
    `${file} cannot be read: it is damaged or of another version. Remove it and push again.`,
  )
}

function isPushState(json: unknown): json is PushState {
  return (
    isJsonObject(json) &&
    isJsonObject(json['settings']) &&
    isJsonObject(json['pages']) &&
    Array.isArray(json['making'])
  )
}
