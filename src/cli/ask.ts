import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'

/** Whether a person can be asked: both ends are a terminal. */
export function canAsk(): boolean {
  return Boolean(process.stdin.isTTY && process.stderr.isTTY)
}

/** Asks a question on standard error. Empty when the input ends. */
export async function ask(question: string): Promise<string> {
  return answerTo(question, process.stderr)
}

/** Asks without showing what is typed. */
export async function askHidden(question: string): Promise<string> {
  process.stderr.write(question)
  const answer = await answerTo('', new Writable({ write: (_chunk, _encoding, done) => done() }))
  process.stderr.write('\n')
  return answer
}

async function answerTo(question: string, output: NodeJS.WritableStream): Promise<string> {
  const lines = createInterface({ input: process.stdin, output, terminal: true })
  const ended = new Promise<string>((resolve) => lines.once('close', () => resolve('')))
  try {
    return await Promise.race([lines.question(question), ended])
  } finally {
    lines.close()
  }
}
