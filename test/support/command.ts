import { spawn } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

const entry = fileURLToPath(new URL('../../dist/cli.js', import.meta.url))

/** The user's settings of Quoin, e.g. the folders that the commands of this process trust. */
const settings = mkdtempSync(join(tmpdir(), 'quoin-settings-'))

/** The result of a command. `code` is null when a signal ended it. */
export interface Ended {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

/**
 * Starts the compiled command in a process with only these environment variables. It ends with the test.
 *
 * @param program another installation's command.
 * @param cwd the folder it runs in, instead of that of the tests.
 */
export function startCommand(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  program = entry,
  cwd?: string,
) {
  const child = spawn(process.execPath, [program, ...args], {
    cwd,
    env: { PATH: process.env['PATH'] ?? '', XDG_CONFIG_HOME: settings, ...env },
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let out = ''
  let err = ''
  child.stdout.on('data', (text) => (out += text))
  child.stderr.on('data', (text) => (err += text))
  const ended = new Promise<Ended>((resolve) => child.on('close', (code) => resolve({ code, out, err })))

  return {
    pid: child.pid ?? 0,
    ended,
    kill: (signal: NodeJS.Signals) => child.kill(signal),
    /** The standard error output so far. */
    err: () => err,
    /** Resolves with the match as soon as standard output contains it. */
    async line(pattern: RegExp): Promise<RegExpExecArray> {
      const failed = ended.then(({ err }) => Promise.reject(new Error(err)))
      // Avoids an unhandled rejection when the line is found first.
      failed.catch(() => {})
      for (;;) {
        const found = pattern.exec(out)
        if (found !== null) return found
        await Promise.race([new Promise((resolve) => child.stdout.once('data', resolve)), failed])
      }
    },
  }
}
