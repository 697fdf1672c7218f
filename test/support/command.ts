import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

const entry = fileURLToPath(new URL('../../dist/cli.js', import.meta.url))

/** How a command ended; `code` is null when a signal ended it. */
export interface Ended {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

/** The real command, compiled, in a process of its own that has no setting but these; it ends with the test. */
export function startCommand(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const child = spawn(process.execPath, [entry, ...args], {
    env: { PATH: process.env['PATH'] ?? '', ...env },
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let out = ''
  let err = ''
  child.stdout.on('data', (text) => (out += text))
  child.stderr.on('data', (text) => (err += text))
  const ended = new Promise<Ended>((resolve) => child.on('close', (code) => resolve({ code, out, err })))

  return {
    ended,
    kill: (signal: NodeJS.Signals) => child.kill(signal),
    /** What it has written to standard error by now. */
    err: () => err,
    /** Resolves with what matched once standard output holds it. */
    async line(pattern: RegExp): Promise<RegExpExecArray> {
      const failed = ended.then(({ err }) => Promise.reject(new Error(err)))
      // Nobody waits for it when the line is there already.
      failed.catch(() => {})
      for (;;) {
        const found = pattern.exec(out)
        if (found !== null) return found
        await Promise.race([new Promise((resolve) => child.stdout.once('data', resolve)), failed])
      }
    },
  }
}
