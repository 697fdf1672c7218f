import { type ChildProcess, fork } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { databaseSettings } from '../support/test-database.ts'

const program = fileURLToPath(new URL('victim.mjs', import.meta.url))

/** The point at which the service kills itself, and the upload that fails once before that. */
export interface Order {
  readonly point: string | null
  /** Prefixed id; only operations on this project count. */
  readonly project: string
  /** The next put of this kind of object fails. */
  readonly failPut: string | null
  /** How long the store takes for each chunk of a published picture or file; 0 if absent. */
  readonly slowMs?: number
  /**
   * What happens at the point: the service kills itself, stops until `resume`, holds the call until `proceed`, or
   * reports it. `kill` if absent.
   */
  readonly act?: 'kill' | 'stop' | 'hold' | 'report'
}

/** A real service in its own process, which kills, stops or holds itself at a point, or is killed. */
export interface Victim {
  readonly url: string
  readonly key: string
  arm(order: Order): Promise<void>
  /** Resolves when the service has stopped itself. */
  stopped(): Promise<void>
  /** Continues the stopped service with another order. Resolves when it reports its point. */
  resume(order: Order): Promise<void>
  /** Resolves when the service holds the call. */
  held(): Promise<void>
  /** Continues the held call. */
  proceed(): void
  /** Runs the hourly housekeeping. */
  tidy(): Promise<void>
  kill(): void
  readonly ended: Promise<void>
}

/**
 * @param how `lean` renders in the service's own process, which starts sooner.
 * @param aheadMs how far its clock is ahead of the real one.
 */
export async function startVictim(data: string, how: 'lean' | 'whole', aheadMs = 0): Promise<Victim> {
  const settings = await databaseSettings(data)
  const child = fork(program, [how, data], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: { ...process.env, QUOIN_FAULTS_AHEAD: String(aheadMs), ...settings },
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const { url, key } = await message<{ readonly url: string; readonly key: string }>(child, ended)
  return {
    url,
    key,
    async arm(order) {
      child.send(order)
      await message(child, ended)
    },
    async stopped() {
      while (!(await isStopped(child.pid))) await sleep(20)
    },
    async resume(order) {
      const answers = message(child, ended).then(() => message(child, ended))
      child.send(order)
      child.kill('SIGCONT')
      await answers
    },
    held: () => message(child, ended),
    proceed: () => void child.send('continue'),
    async tidy() {
      const answer = message(child, ended)
      child.send('tidy')
      await answer
    },
    kill: () => void child.kill('SIGKILL'),
    ended,
  }
}

/**
 * Runs the migrations alone; they are killed at the point, if they come there.
 *
 * @param url of a PostgreSQL database; empty for a file in the data folder.
 * @returns how many statements ran.
 */
export async function migrateUntil(data: string, point: string | null, url = ''): Promise<number> {
  const child = fork(program, ['migrate', data], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    env: { ...process.env, QUOIN_DATABASE_URL: url, ...(point !== null && { KILL_POINT: point }) },
  })
  let out = ''
  child.stdout?.on('data', (text) => (out += text))
  await new Promise<void>((resolve) => child.once('close', () => resolve()))
  return Number(out)
}

/** The state of a process follows its name in parentheses. */
async function isStopped(pid: number | undefined): Promise<boolean> {
  return /\) T /.test(await readFile(`/proc/${pid}/stat`, 'utf8'))
}

function message<T>(child: ChildProcess, ended: Promise<void>): Promise<T> {
  return Promise.race([
    new Promise<T>((resolve) => child.once('message', (value) => resolve(value as T))),
    ended.then(() => Promise.reject(new Error('The service ended before it answered.'))),
  ])
}
