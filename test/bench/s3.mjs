// Uploads many small objects to a real S3 server (Ceph's radosgw), through the adapter and with rclone,
// interleaved. Needs root and: apt-get install radosgw ceph-mon ceph-osd ceph-common rclone
// node test/bench/s3.mjs [--rounds 7] [--objects 1000]
import { execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { parseArgs, promisify } from 'node:util'
import { note, writeTable } from './table.mjs'

const BYTES = 8 * 1024
const TRANSFERS = 32
const GOAL = 1.3

process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED = 'true'
const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '7' }, objects: { type: 'string', default: '1000' } },
})
const rounds = Number(values.rounds)
const objects = Number(values.objects)

const run = promisify(execFile)
const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'quoin-bench-s3-'))
const server = spawn(process.execPath, [`${root}test/support/radosgw.mjs`], {
  stdio: ['pipe', 'pipe', 'inherit'],
})

try {
  const { endpoint, accessKeyId, secretAccessKey } = await firstLine(server)
  Object.assign(process.env, { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey })
  await makeBucket(endpoint)
  writeFiles()

  const times = { quoin: [], rclone: [] }
  for (let round = 0; round <= rounds; round += 1) {
    const order = round % 2 === 0 ? ['quoin', 'rclone'] : ['rclone', 'quoin']
    for (const who of order) {
      const ms = await (who === 'quoin' ? byQuoin : byRclone)(endpoint, `${who}-${round}`)
      // The first round warms up the server.
      if (round > 0) times[who].push(ms)
    }
  }
  report(times)
} finally {
  server.stdin.end()
  rmSync(folder, { recursive: true, force: true })
}

/** From the first file read to the last acknowledged object, on new connections. */
async function byQuoin(endpoint, prefix) {
  const { createS3Storage } = await import(`${root}dist/storage/s3.js`)
  const { createRetryingStorage } = await import(`${root}dist/storage/retrying-storage.js`)
  const { parseStorageUrl } = await import(`${root}dist/storage/storage-url.js`)
  const { systemTimers } = await import(`${root}dist/platform/clock.js`)
  const target = parseStorageUrl(`s3://bench/${prefix}?endpoint=${encodeURIComponent(endpoint)}`)
  const storage = createRetryingStorage(createS3Storage(target), {
    timers: systemTimers,
    random: Math.random,
  })
  const began = performance.now()
  await Promise.all(
    readdirSync(join(folder, 'site')).map((name) =>
      storage.put({ key: name, body: readFileSync(join(folder, 'site', name)) }),
    ),
  )
  const ms = performance.now() - began
  const { length } = await storage.list('')
  if (length !== objects) throw new Error(`${length} objects were stored, not ${objects}.`)
  return ms
}

/** The whole command, without checks of existing objects before or after. */
async function byRclone(endpoint, prefix) {
  const began = performance.now()
  await run(
    'rclone',
    [
      'copy',
      join(folder, 'site'),
      `:s3:bench/${prefix}`,
      '--s3-provider=Ceph',
      `--s3-endpoint=${endpoint}`,
      '--s3-env-auth',
      '--s3-no-check-bucket',
      '--s3-no-head',
      '--no-check-dest',
      `--transfers=${TRANSFERS}`,
    ],
    { env: { ...rcloneEnvironment(), RCLONE_CONFIG: join(folder, 'rclone.conf') } },
  )
  return performance.now() - began
}

/** Only the credentials, because some settings of the AWS tools make rclone fail at start. */
function rcloneEnvironment() {
  const { PATH, HOME, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY } = process.env
  return { PATH, HOME, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY }
}

function report(times) {
  const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1]
  const of = (who) => `${who} ${Math.round(median(times[who]))} ms (${times[who].map(Math.round).join(', ')})`
  const ratio = median(times.quoin) / median(times.rclone)
  note(
    `uploading ${objects} objects to a real S3 server, against rclone`,
    ratio.toFixed(2),
    `at most ${GOAL}`,
  )
  writeTable()
  console.log(`${objects} objects of ${BYTES} bytes, ${TRANSFERS} in parallel, medians of ${rounds} rounds:`)
  console.log(`${of('quoin')}\n${of('rclone')}`)
  console.log(`quoin takes ${ratio.toFixed(2)} of rclone's time; the goal is at most ${GOAL}.`)
}

function writeFiles() {
  mkdirSync(join(folder, 'site'))
  writeFileSync(join(folder, 'rclone.conf'), '')
  for (let n = 0; n < objects; n += 1) writeFileSync(join(folder, 'site', `${n}.html`), randomBytes(BYTES))
}

async function makeBucket(endpoint) {
  const { CreateBucketCommand, S3Client } = await import('@aws-sdk/client-s3')
  const client = new S3Client({ endpoint, region: 'us-east-1', forcePathStyle: true })
  await client.send(new CreateBucketCommand({ Bucket: 'bench' }))
  client.destroy()
}

async function firstLine(child) {
  for await (const line of createInterface(child.stdout)) return JSON.parse(line)
  throw new Error('The S3 server did not start.')
}
