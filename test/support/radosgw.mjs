// Runs a real S3 server, Ceph's radosgw with one in-memory object store, until its standard input ends
// or it is stopped. Prints one line of JSON with its endpoint and credentials when it is ready.
// Needs root and Debian's packages: apt-get install radosgw ceph-mon ceph-osd ceph-common
import { execFile, spawn } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'

const START_MS = 90_000

const run = promisify(execFile)
const folder = mkdtempSync(join(tmpdir(), 'quoin-radosgw-'))
const at = (name) => join(folder, name)
const env = { ...process.env, CEPH_CONF: at('ceph.conf') }
const credentials = {
  accessKeyId: randomBytes(10).toString('hex'),
  secretAccessKey: randomBytes(20).toString('hex'),
}
const daemons = []
let stopping = false

process.stdin.on('end', stop).resume()
process.on('SIGTERM', stop)
process.on('SIGINT', stop)

try {
  const endpoint = await start()
  console.log(JSON.stringify({ endpoint, ...credentials }))
} catch (error) {
  if (!stopping) console.error(error.message)
  process.exitCode = 1
  stop()
}

async function start() {
  const [monitor, port] = await freePorts(2)
  for (const name of ['mon', 'osd', 'run']) mkdirSync(at(name))
  const fsid = randomUUID()
  writeFileSync(at('ceph.conf'), configuration({ fsid, monitor, port }))

  await run('monmaptool', [
    '--create',
    '--fsid',
    fsid,
    '--addv',
    'a',
    `[v2:127.0.0.1:${monitor}]`,
    at('monmap'),
  ])
  await run('ceph-mon', ['-i', 'a', '--mkfs', '--monmap', at('monmap')], { env })
  daemon('ceph-mon', ['-f', '-i', 'a'])

  const osd = randomUUID()
  await untilDone('ceph', ['osd', 'new', osd, '0'])
  await run('ceph-osd', ['-i', '0', '--mkfs', '--osd-uuid', osd], { env })
  daemon('ceph-osd', ['-f', '-i', '0'])

  await untilDone('radosgw-admin', [
    'user',
    'create',
    '--uid=quoin',
    '--display-name=quoin',
    `--access-key=${credentials.accessKeyId}`,
    `--secret-key=${credentials.secretAccessKey}`,
  ])
  daemon('radosgw', ['-f', '-n', 'client.rgw', '--setuser', 'root', '--setgroup', 'root'])
  const endpoint = `http://127.0.0.1:${port}`
  await until(async () => void (await fetch(endpoint)))
  return endpoint
}

function configuration({ fsid, monitor, port }) {
  return `[global]
fsid = ${fsid}
mon host = [v2:127.0.0.1:${monitor}]
auth cluster required = none
auth service required = none
auth client required = none
ms mon client mode = crc
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 4
osd crush chooseleaf type = 0
mon max pg per osd = 2000
mon allow pool size one = true
run dir = ${at('run')}
admin socket = ${at('run')}/$name.asok
pid file = ${at('run')}/$name.pid
log file = ${folder}/$name.log
mon cluster log file = ${at('cluster.log')}
public addr = 127.0.0.1
cluster addr = 127.0.0.1
[mon.a]
mon data = ${at('mon')}
mon addr = 127.0.0.1:${monitor}
[osd.0]
osd data = ${at('osd')}
osd objectstore = memstore
memstore device bytes = 1073741824
[client.rgw]
rgw frontends = beast endpoint=127.0.0.1:${port} tcp_nodelay=1
`
}

function daemon(command, args) {
  daemons.push(spawn(command, args, { env, stdio: 'ignore' }))
}

/** Repeats a command until it succeeds. A command that hangs is stopped and repeated. */
function untilDone(command, args) {
  return until(() => run(command, args, { env, timeout: 60_000, killSignal: 'SIGKILL' }))
}

async function until(act) {
  const deadline = Date.now() + START_MS
  for (;;) {
    try {
      return await act()
    } catch (error) {
      if (stopping || Date.now() > deadline) throw error
      await sleep(300)
    }
  }
}

async function freePorts(count) {
  const servers = await Promise.all(
    Array.from(
      { length: count },
      () =>
        new Promise((resolve) => {
          const server = createServer().listen(0, '127.0.0.1', () => resolve(server))
        }),
    ),
  )
  const ports = servers.map((server) => server.address().port)
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
  return ports
}

function stop() {
  if (stopping) return
  stopping = true
  for (const child of daemons) child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
  process.exit()
}
