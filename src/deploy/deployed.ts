import { STAGES, type Stage } from '../domain/artifact.ts'
import { ServiceError } from '../domain/errors.ts'
import { isJsonObject } from '../domain/json.ts'
import type { Storage } from '../storage/storage.ts'

/** The record, stored in the target, of what deploys have uploaded to it. */
export interface Deployed {
  /** Id of the deploy that wrote the record. */
  readonly run: string
  /** By key. No other file in the target is replaced or removed. */
  readonly files: Readonly<Record<string, DeployedFile>>
}

export interface DeployedFile {
  /** SHA-256 over its bytes and headers; null while it is not known whether the upload succeeded. */
  readonly digest: string | null
  readonly stage: Stage
  /** Since when the site no longer has it. ISO 8601 UTC. */
  readonly goneSince?: string
}

/** Nothing a site is made of starts with a dot. */
export const RECORD = '.quoin/deploy.json'

const FORMAT = 1

const NOTHING_DEPLOYED: Deployed = { run: '', files: {} }

/** @throws {ServiceError} `validation_error` if another file has its key. */
export async function readDeployed(storage: Pick<Storage, 'get'>): Promise<Deployed> {
  const bytes = await storage.get(RECORD)
  if (bytes === null) return NOTHING_DEPLOYED
  const deployed = parse(Buffer.from(bytes).toString('utf8'))
  if (deployed !== null) return deployed
  throw new ServiceError(
    'validation_error',
    `${RECORD} in the target cannot be read: no deploy of this version wrote it. Deploy to an empty place.`,
  )
}

export async function writeDeployed(storage: Pick<Storage, 'put'>, { run, files }: Deployed): Promise<void> {
  const body = Buffer.from(`${JSON.stringify({ format: FORMAT, run, files })}\n`)
  await storage.put({ key: RECORD, body })
}

/** Null if no deploy wrote it. */
function parse(text: string): Deployed | null {
  try {
    const json: unknown = JSON.parse(text)
    if (!isJsonObject(json) || json['format'] !== FORMAT) return null
    const { run, files } = json
    if (typeof run !== 'string' || !isJsonObject(files) || !Object.values(files).every(isFile)) return null
    return { run, files: files as unknown as Record<string, DeployedFile> }
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

function isFile(json: unknown): json is DeployedFile {
  if (!isJsonObject(json)) return false
  const { digest, stage } = json
  return (digest === null || typeof digest === 'string') && STAGES.some((known) => known === stage)
}
