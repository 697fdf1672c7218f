import { STAGES, type Stage } from '../domain/artifact.ts'
import { ServiceError } from '../domain/errors.ts'
import { isJsonObject } from '../domain/json.ts'
import type { Storage } from '../storage/storage.ts'

/** What deploys have put into a target, as they left it there themselves. */
export interface Deployed {
  /** Of the deploy that wrote it last. */
  readonly run: string
  /** By key. Nothing else in the target is ever replaced or removed. */
  readonly files: Readonly<Record<string, DeployedFile>>
}

export interface DeployedFile {
  /** Of its bytes and headers; null as long as it is not known whether it was written. */
  readonly digest: string | null
  readonly stage: Stage
  /** ISO 8601 UTC: since when the site no longer has it. */
  readonly goneSince?: string
}

/** Nothing a site is made of starts with a dot. */
export const RECORD = '.quoin/deploy.json'

const FORMAT = 1

const NOTHING_DEPLOYED: Deployed = { run: '', files: {} }

/** @throws {ServiceError} `validation_error` when something else lies in its place. */
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

/** Null for what no deploy wrote. */
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
