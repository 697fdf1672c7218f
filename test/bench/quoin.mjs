// Shared by all benchmarks: starts a real server with a temporary data folder, and calculates medians.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../..', import.meta.url))
export const folder = mkdtempSync(join(tmpdir(), 'quoin-bench-'))
const cli = `${root}dist/cli.js`
const children = []

/** Starts a service, with a client of its first user. `newAccount` creates another user and a client for it. */
export async function startQuoin(flags = []) {
  const url = await start([cli, 'serve', '--data', folder, '--port', '0', '--allow-http', 'true', ...flags])
  const client = await clientOf(url, [])
  const newAccount = async (email) => {
    await run([cli, 'users', 'create', '--data', folder, '--email', email, '--can-create-projects', '--json'])
    return clientOf(url, ['--user', email])
  }
  return { url, ...client, newAccount, pid: () => children[0].pid }
}

/** A client of the service with a new key. `call` resolves with the `data` of the response. */
async function clientOf(url, keyFlags) {
  const createKey = ['keys', 'create', '--data', folder, '--name', 'bench', '--plan', 'enterprise', '--json']
  const { key } = await run([cli, ...createKey, ...keyFlags])
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const call = async (method, path, body) => {
    const response = await fetch(url + path, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const answer = await response.json()
    if (!response.ok) throw new Error(`${method} ${path} returned ${JSON.stringify(answer)}`)
    return answer.data
  }
  return { headers, call }
}

/** Starts a server. Resolves with its address when it is ready. */
export function start(args) {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  children.push(child)
  return new Promise((resolve, reject) => {
    child.on('exit', (code) => reject(new Error(`${args[0]} ended with ${code}`)))
    child.stdout.on('data', (text) => {
      const [, address] = /ready at (\S+)/.exec(String(text)) ?? []
      if (address !== undefined) resolve(address)
    })
  })
}

export function cleanUp() {
  for (const child of children) child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
}

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)]
}

async function run(args) {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  let text = ''
  for await (const chunk of child.stdout) text += chunk
  return JSON.parse(text)
}
