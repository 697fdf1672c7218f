// Runs a command of Quoin while its sources change: `npm run dev` runs `quoin serve` on data/dev,
// `npm run dev -- dev my-site` runs another command. The compiler recompiles only the modules that changed,
// then the bundle is written and the command restarts. Templates and themes restart it without a build.
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { watch } from 'chokidar'

const root = fileURLToPath(new URL('..', import.meta.url))
const SERVE_DEFAULTS = { QUOIN_DATA: 'data/dev', QUOIN_ALLOW_HTTP: 'true' }
/** Several files of one save or one `git checkout` lead to one restart. */
const SETTLE_MS = 150
/** `quoin serve` finishes requests for up to 20 s; a restart does not wait that long. */
const STOP_MS = 5_000
const SAME_SIGNAL_MS = 500

const args = process.argv.slice(2)
const isServe = args.length === 0 || args[0].startsWith('-')
const command = isServe ? ['serve', ...args] : args
/** `quoin dev` follows themes and templates itself. */
const watched = command[0] === 'dev' ? ['src'] : ['src', 'themes', 'templates']
const env = isServe ? { ...SERVE_DEFAULTS, ...process.env } : process.env

const running = new Set()
let service = null
let stopping = false
let stoppedAt = 0
/** Restarts run one after the other. */
let queue = Promise.resolve()

for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, stop)
process.on('exit', () => {
  for (const child of running) signalGroup(child, 'SIGKILL')
})

say(`quoin ${command.join(' ')} restarts when files change in: ${watched.join(', ')}. Ctrl+C ends it.`)
await writeClient()
const compiler = start('node_modules/typescript/bin/tsc', [
  '-p',
  'tsconfig.build.json',
  '--watch',
  '--preserveWatchOutput',
])
compiler.stdout.setEncoding('utf8').on('data', onCompilerOutput)
compiler.on('exit', (code) => {
  if (!stopping) fail(`The compiler ended with code ${code}.`)
})

let settled
watch(watched.slice(1), { cwd: root, ignoreInitial: true }).on('all', (_, path) => {
  clearTimeout(settled)
  settled = setTimeout(() => enqueue(() => restart(`${path} changed`)), SETTLE_MS)
})

function onCompilerOutput(text) {
  for (const line of text.split('\n')) {
    const found = /Found (\d+) errors?/.exec(line)
    if (found === null) {
      if (/error TS|^\s+/.test(line) && line.trim() !== '') console.log(line)
      continue
    }
    enqueue(writeClient)
    if (found[1] === '0') {
      enqueue(rebuild)
    } else {
      say(`${found[0]}: fix them to restart. The previous build keeps running.`)
    }
  }
}

/** Writes the types of the client. The compiler follows when they change, also after errors that they caused. */
function writeClient() {
  return ended(start('scripts/client.mjs', [], { stdio: 'inherit' }))
}

async function rebuild() {
  const started = performance.now()
  const code = await ended(start('scripts/bundle.mjs', [], { stdio: 'inherit' }))
  if (stopping) return
  if (code !== 0) return say('The bundle could not be written: see above. The previous build keeps running.')
  await restart(`Built, bundle written in ${((performance.now() - started) / 1000).toFixed(1)} s`)
}

async function restart(reason) {
  if (stopping) return
  say(`${reason}; ${service === null ? 'starting' : 'restarting'} quoin ${command[0]}.`)
  await stopService()
  if (stopping) return
  const child = start('dist/cli.js', command, { stdio: ['ignore', 'inherit', 'inherit'], env })
  service = child
  child.on('exit', (code) => {
    if (service !== child) return
    service = null
    if (!stopping) say(`quoin ${command[0]} ended with code ${code}. It starts again after the next change.`)
  })
}

async function stopService() {
  const child = service
  if (child === null) return
  service = null
  child.kill('SIGTERM')
  const impatient = setTimeout(() => child.kill('SIGKILL'), STOP_MS)
  await ended(child)
  clearTimeout(impatient)
}

async function stop() {
  if (stopping) {
    // A second Ctrl+C does not wait. npm passes the first one on, so it arrives twice.
    if (performance.now() - stoppedAt > SAME_SIGNAL_MS) process.exit(1)
    return
  }
  stopping = true
  stoppedAt = performance.now()
  signalGroup(compiler, 'SIGTERM')
  await Promise.all([stopService(), ended(compiler)])
  process.exit(0)
}

function fail(message) {
  say(message)
  process.exit(1)
}

function enqueue(task) {
  queue = queue.then(task).catch((error) => fail(error.stack))
}

/** Children have a process group of their own, so that Ctrl+C reaches this process alone and ends them in order. */
function start(file, args, options = {}) {
  const child = spawn(process.execPath, [file, ...args], {
    cwd: root,
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
    ...options,
  })
  running.add(child)
  child.on('exit', () => running.delete(child))
  return child
}

/** Reaches what the child started too: `tsc` is a wrapper around a native program. */
function signalGroup(child, signal) {
  try {
    process.kill(-child.pid, signal)
  } catch (error) {
    if (error.code !== 'ESRCH') throw error
  }
}

function ended(child) {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(child.exitCode)
  return new Promise((resolve) => child.on('exit', resolve))
}

function say(message) {
  console.log(`[dev] ${message}`)
}
