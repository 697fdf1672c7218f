import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Expression, parse } from '@swc/core'
import { expect, test } from 'vitest'
import { readConfig, type SettingName } from '../../../src/app/config.ts'
import { examine } from '../../../src/app/doctor/doctor.ts'
import type { Check, Finding } from '../../../src/app/doctor/finding.ts'
import { openSqlite } from '../../../src/db/sqlite.ts'
import { PACKAGE_ROOT } from '../../../src/platform/package-paths.ts'
import { putNewDatabase } from '../../support/new-database.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

export const DAY_MS = 24 * 60 * 60 * 1000
export const HOUR_MS = 60 * 60 * 1000

export type Env = Readonly<Partial<Record<SettingName, string>>>

export interface Examination {
  /** Whether other machines are asked. */
  readonly network?: boolean
  readonly now?: number
}

/** What `quoin doctor` found with these settings. */
export async function findings(env: Env, options: Examination = {}): Promise<readonly Finding[]> {
  const found: Finding[] = []
  const config = readConfig({ QUOIN_ALLOW_HTTP: 'true', ...env })
  const { network = false, now = null } = options
  const clock = now === null ? Date.now : () => now
  for await (const finding of examine(config, { network, now: clock })) found.push(finding)
  recorded.push(...found)
  return found
}

/** The findings of one check, as `level message remedy`. */
export async function found(check: Check, ...args: Parameters<typeof findings>): Promise<readonly string[]> {
  return linesOf(check, await findings(...args))
}

/** Those of one check, as `level message remedy`. Counts them as found by the tests of their file. */
export function linesOf(check: Check, all: readonly Finding[]): readonly string[] {
  recorded.push(...all)
  return all
    .filter((finding) => finding.check === check)
    .map(({ level, message, remedy }) => [level, message, remedy].filter((text) => text !== null).join(' '))
}

/** The data folder of an installation with a database. */
export async function installation(): Promise<string> {
  const data = await temporaryFolder()
  await putNewDatabase(join(data, 'quoin.db'))
  return data
}

/** Changes the SQLite database of a data folder. */
export async function change(data: string, statement: string): Promise<void> {
  const { writer, close } = openSqlite(join(data, 'quoin.db'))
  await writer.raw(statement)
  await close()
}

const recorded: Finding[] = []

/**
 * Declares the test that each message of a file of `src/app/doctor/` was found by a test. Call it at the end of the tests
 * of that file, which have to run with it.
 *
 * @param elsewhere beginnings of messages that other suites find.
 */
export function testEveryFinding(file: string, elsewhere: readonly string[] = []): void {
  test(`every finding of ${file} was made by the tests above`, async () => {
    const messages = await messagesOf(file)
    expect(messages.length).toBeGreaterThan(0)
    const missing = messages.filter((pattern) => !recorded.some(({ message }) => pattern.test(message)))
    const isElsewhere = ({ source }: RegExp) => elsewhere.some((start) => source.startsWith(`^${start}`))
    expect(missing.filter((pattern) => !isElsewhere(pattern))).toEqual([])
  })
}

/** The messages that a file writes itself. Those of errors and warnings of other modules are theirs. */
async function messagesOf(file: string): Promise<readonly RegExp[]> {
  const source = await readFile(join(PACKAGE_ROOT, 'src/app/doctor', file), 'utf8')
  const messages: RegExp[] = []
  const visit = (node: unknown) => {
    if (typeof node !== 'object' || node === null) return
    if (isFindingCall(node)) {
      const text = patternOf(node.arguments[1]?.expression)
      if (text !== null) messages.push(new RegExp(`^${text}$`))
    }
    for (const child of Object.values(node)) visit(child)
  }
  visit(await parse(source, { syntax: 'typescript' }))
  return messages
}

interface Call {
  readonly arguments: readonly { readonly expression: Expression }[]
}

function isFindingCall(node: object): node is Call {
  const { type, callee } = node as { readonly type?: string; readonly callee?: { readonly value?: string } }
  return type === 'CallExpression' && ['ok', 'warning', 'failure', 'found'].includes(callee?.value ?? '')
}

/** A regular expression for the texts of a literal; null for another expression. */
function patternOf(message: Expression | undefined): string | null {
  const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  if (message?.type === 'StringLiteral') return escaped(message.value)
  if (message?.type === 'TemplateLiteral')
    return message.quasis.map(({ cooked }) => escaped(cooked ?? '')).join('.*')
  return null
}
