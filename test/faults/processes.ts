import { setTimeout as sleep } from 'node:timers/promises'
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3'
import { onTestFinished } from 'vitest'
import { openPostgres } from '../../src/db/postgres.ts'
import { startCommand } from '../support/command.ts'
import { freePort } from '../support/free-port.ts'
import { PGBOUNCER_MISSING, startPgbouncer } from '../support/pgbouncer.ts'
import { startPostgres } from '../support/postgres.ts'
import { RADOSGW_MISSING, startRadosgw } from '../support/radosgw.ts'
import { startS3Server } from '../support/s3-server.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/* Processes of one installation, with what they share: a database behind a pooler, and a bucket. */

/** Times that a process is started again when its start is refused. */
const STARTS = 5
/** Fewer than the processes ask for. */
const POOLED = 20

export interface SharedDatabase {
  readonly url: string
  /** Past the pooler. */
  readonly directUrl: string
}

/** A database on a server of its own, behind PgBouncer where that is installed. */
export async function startDatabase(programs: string): Promise<SharedDatabase> {
  const postgres = await startPostgres(programs)
  onTestFinished(() => postgres.stop())
  const admin = openPostgres(postgres.url)
  await admin.writer.raw('CREATE DATABASE several')
  await admin.close()
  const directUrl = postgres.url.replace(/postgres$/, 'several')
  if (PGBOUNCER_MISSING !== null) {
    console.info(`Without a pooler. ${PGBOUNCER_MISSING}.`)
    return { url: directUrl, directUrl }
  }
  const pooler = await startPgbouncer(postgres.url, POOLED)
  onTestFinished(() => pooler.stop())
  return { url: pooler.through(directUrl), directUrl }
}

/** A bucket: of a real S3 server where it can run and is asked for, else of one in this process. */
export async function startStore(isReal: boolean): Promise<Record<string, string>> {
  if (isReal && RADOSGW_MISSING === null) {
    const server = await startRadosgw()
    onTestFinished(() => server.stop())
    const credentials = { accessKeyId: server.accessKeyId, secretAccessKey: server.secretAccessKey }
    const client = new S3Client({
      ...{ endpoint: server.endpoint, region: 'us-east-1', forcePathStyle: true, credentials },
    })
    await client.send(new CreateBucketCommand({ Bucket: 'quoin' }))
    client.destroy()
    return storeSettings(server.endpoint, server.accessKeyId, server.secretAccessKey)
  }
  const server = await startS3Server()
  onTestFinished(() => server.close())
  return storeSettings(server.endpoint, 'S3RVER', 'S3RVER')
}

function storeSettings(endpoint: string, id: string, secret: string): Record<string, string> {
  const url = (place: string) =>
    `s3://quoin/${place}?region=us-east-1&force_path_style=true&endpoint=${encodeURIComponent(endpoint)}`
  return {
    QUOIN_STORAGE_URL: url('sites'),
    QUOIN_MEDIA_URL: url('media'),
    AWS_ACCESS_KEY_ID: id,
    AWS_SECRET_ACCESS_KEY: secret,
    AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
  }
}

export interface Process {
  readonly url: string
  /** Whether it answers, as far as this test has not broken it. */
  isRunning(): boolean
  /** Kills it and starts another one. */
  replace(): Promise<void>
  freeze(ms: number): Promise<void>
  /** Its errors so far. */
  err(): string
  stop(): Promise<void>
}

/** @param program another version's command. */
export async function startProcess(
  command: 'serve' | 'worker',
  role: string,
  settings: Readonly<Record<string, string>>,
  program?: string,
): Promise<Process> {
  const port = await freePort()
  const env = {
    ...settings,
    QUOIN_DATA: await temporaryFolder(),
    QUOIN_PORT: String(port),
    ...(command === 'serve' && { QUOIN_ROLE: role }),
  }
  let isRunning = false
  let child = startCommand([command], env, program)
  const ready = async () => {
    await child.line(/ready at/)
    isRunning = true
  }
  await ready()
  return {
    url: `http://127.0.0.1:${port}`,
    isRunning: () => isRunning,
    err: () => child.err(),
    async replace() {
      isRunning = false
      child.kill('SIGKILL')
      await child.ended
      // As a supervisor does: a store that is too busy to answer refuses a start.
      for (let tries = 0; !isRunning; tries++) {
        child = startCommand([command], env, program)
        await ready().catch((error) => {
          if (tries === STARTS) throw error
        })
      }
    },
    async freeze(ms) {
      isRunning = false
      child.kill('SIGSTOP')
      await sleep(ms)
      child.kill('SIGCONT')
      isRunning = true
    },
    async stop() {
      child.kill('SIGTERM')
      await child.ended
    },
  }
}
