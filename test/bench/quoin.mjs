// Shared by all benchmarks: starts a real server with a temporary data folder, and calculates medians.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../..', import.meta.url))
export const folder = mkdtempSync(join(tmpdir(), 'quoin-bench-'))
const cli = `${root}dist/cli.js`
const children = []
const MS_PER_TICK = 10
const BYTES_PER_PAGE = 4096

/**
 * Starts a service, with a client of its first user. `newAccount` creates another user and a client for it, `newKey`
 * another client of the first user, with a key of the plan.
 *
 * @param settings more environment variables, and `QUOIN_DATA` for another folder than that of all benchmarks.
 */
export async function startQuoin(flags = [], settings = {}) {
  const env = { QUOIN_DATA: folder, ...settings }
  const { url, pid, stop } = await startService(env, flags)
  const client = await clientOf(url, [], env)
  const newKey = (plan) => clientOf(url, [], env, plan)
  const newAccount = async (email) => {
    await run([cli, 'users', 'create', '--email', email, '--can-create-projects', '--json'], env)
    return clientOf(url, ['--user', email], env)
  }
  return { url, ...client, newAccount, newKey, pid: () => pid, stop }
}

/** Starts a service. Resolves, once it is ready, with its address, its process and a function that stops it. */
export async function startService(settings, flags = []) {
  const args = [cli, 'serve', '--port', '0', '--allow-http', 'true', ...flags]
  const { address: url, child } = await startChild(args, { env: settings })
  return { url, pid: child.pid, stop: () => stopped(child) }
}

/** Starts a worker of an installation. Resolves, once it works, with its process and a function that stops it. */
export async function startWorker(settings, options) {
  const { child } = await startChild([cli, 'worker', '--port', '0'], { env: settings, ...options })
  return { pid: child.pid, stop: () => stopped(child) }
}

async function stopped(child) {
  child.kill('SIGTERM')
  await once(child, 'exit')
}

/** A client of the service with a new key. `call` resolves with the `data` of the response. */
async function clientOf(url, keyFlags, env, plan = 'enterprise') {
  const createKey = ['keys', 'create', '--name', 'bench', '--plan', plan, '--json']
  const { key } = await run([cli, ...createKey, ...keyFlags], env)
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const call = async (method, path, body) => {
    const response = await fetch(url + path, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const answer = await response.json()
    if (!response.ok)
      throw Object.assign(new Error(`${method} ${path} returned ${JSON.stringify(answer)}`), {
        status: response.status,
      })
    return answer.data
  }
  return { headers, call }
}

/** Starts a server. Resolves with its address when it is ready. */
export async function start(args) {
  return (await startChild(args)).address
}

/** @param options.core runs it, and what it starts, on one core. */
async function startChild(args, { env = {}, core = null } = {}) {
  const command = core === null ? [process.execPath] : ['taskset', '-c', String(core), process.execPath]
  const child = spawn(command[0], [...command.slice(1), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  })
  children.push(child)
  const address = await new Promise((resolve, reject) => {
    child.on('exit', (code) => reject(new Error(`${args[0]} ended with ${code}`)))
    child.stdout.on('data', (text) => {
      const [, address] = /ready at (\S+)/.exec(String(text)) ?? []
      if (address !== undefined) resolve(address)
    })
  })
  return { address, child }
}

export function cleanUp() {
  for (const child of children) child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
}

/** Processor time that a process and those that it started have used, in ms. */
export function processorMs(pid) {
  return processesOf(pid).reduce((sum, { ticks }) => sum + ticks * MS_PER_TICK, 0)
}

/** Resident memory of a process, and together with that of those that it started, in MB. */
export function memoryMb(pid) {
  const sum = (processes) => processes.reduce((all, { pages }) => all + (pages * BYTES_PER_PAGE) / 2 ** 20, 0)
  const processes = processesOf(pid)
  return { own: sum(processes.filter((one) => one.pid === pid)), all: sum(processes) }
}

function processesOf(pid) {
  const stats = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap(statOf)
  return stats.filter((one) => one.pid === pid || one.parent === pid)
}

/** Of a process that has not ended, with the time of those that it started and that have. */
function statOf(name) {
  try {
    const stat = readFileSync(`/proc/${name}/stat`, 'latin1')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const ticks = fields.slice(11, 15).reduce((sum, one) => sum + Number(one), 0)
    return [{ pid: Number(name), parent: Number(fields[1]), ticks, pages: Number(fields[21]) }]
  } catch {
    return []
  }
}

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)]
}

async function run(args, env) {
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  })
  let text = ''
  for await (const chunk of child.stdout) text += chunk
  return JSON.parse(text)
}
