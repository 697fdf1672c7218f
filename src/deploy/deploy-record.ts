import { STAGES, type Stage } from '../domain/artifact.ts'
import { ServiceError } from '../domain/errors.ts'
import { isJsonObject, parsedJson } from '../domain/json.ts'
import type { Storage } from '../storage/storage.ts'

/** The files that deploys uploaded to a target. Stored in the target as `.quoin/deploy.json`. */
export interface DeployRecord {
  /** Id of the deploy that wrote the record last. */
  readonly run: string
  /** By key. A deploy removes no other files, and replaces others only on request. */
  readonly files: Readonly<Record<string, DeployedFile>>
}

export interface DeployedFile {
  /** SHA-256 over bytes and headers. Null before a deploy confirms that the upload succeeded. */
  readonly digest: string | null
  readonly stage: Stage
  /** ISO 8601 UTC: when the file was removed from the site. */
  readonly goneSince?: string
}

/** A name that no site has. */
export const RECORD_KEY = '.quoin/deploy.json'

const FORMAT = 1

const EMPTY_RECORD: DeployRecord = { run: '', files: {} }

/**
 * Returns an empty record for a target without one.
 *
 * @throws {ServiceError} `validation_error` if the record cannot be read.
 */
export async function readDeployRecord(storage: Pick<Storage, 'get'>): Promise<DeployRecord> {
  const bytes = await storage.get(RECORD_KEY)
  if (bytes === null) return EMPTY_RECORD
  const deployed = parse(Buffer.from(bytes).toString('utf8'))
  if (deployed !== null) return deployed
  throw new ServiceError(
    'validation_error',
    `${RECORD_KEY} in the target cannot be read: it is damaged or from another version. Deploy to an empty target.`,
  )
}

export async function writeDeployRecord(
  storage: Pick<Storage, 'put'>,
  { run, files }: DeployRecord,
): Promise<void> {
  const body = Buffer.from(`${JSON.stringify({ format: FORMAT, run, files })}\n`)
  await storage.put({ key: RECORD_KEY, body })
}

/** Parses a record; null if the text is not a record of this format. */
function parse(text: string): DeployRecord | null {
  const json = parsedJson(text)
  if (!isJsonObject(json) || json['format'] !== FORMAT) return null
  const { run, files } = json
  if (typeof run !== 'string' || !isJsonObject(files) || !Object.values(files).every(isFile)) return null
  return { run, files: files as unknown as Record<string, DeployedFile> }
}

function isFile(json: unknown): json is DeployedFile {
  if (!isJsonObject(json)) return false
  const { digest, stage } = json
  return (digest === null || typeof digest === 'string') && STAGES.some((name) => name === stage)
}
