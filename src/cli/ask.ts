import { createInterface, type Interface } from 'node:readline/promises'
import { Writable } from 'node:stream'

/** Reports whether a user can be asked: both ends are a terminal. */
export function canAsk(): boolean {
  return Boolean(process.stdin.isTTY && process.stderr.isTTY)
}

/** Asks on standard error. Empty when the input ends. */
export function ask(question: string): Promise<string> {
  process.stderr.write(question)
  return lineOf(createInterface({ input: process.stdin, terminal: false }))
}

/** Asks without showing the input. Empty when it is interrupted. */
export async function askHidden(question: string): Promise<string> {
  process.stderr.write(question)
  // In terminal mode the system does not show it either.
  const output = new Writable({ write: (_chunk, _encoding, done) => done() })
  const answer = await lineOf(createInterface({ input: process.stdin, output, terminal: true }))
  process.stderr.write('\n')
  return answer
}

async function lineOf(lines: Interface): Promise<string> {
  const ended = new Promise<string>((resolve) => lines.once('close', () => resolve('')))
  try {
    return await Promise.race([lines.question(''), ended])
  } finally {
    lines.close()
  }
}
