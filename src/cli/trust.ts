import { relative } from 'node:path'
import { type Command, Option } from 'commander'
import { ConfigError } from '../app/config.ts'
import type { UntrustedCode } from '../app/trusted-folders.ts'
import { messageOf } from '../domain/errors.ts'
import { ask, canAsk } from './ask.ts'
import { count } from './format-numbers.ts'

const VARIABLE = 'QUOIN_TRUST'
/** Files that a question or message names. */
const NAMED = 5

/** Adds the flag that lets the code in a folder run. */
export function withTrustFlag(command: Command): Command {
  return command.addOption(
    new Option(
      '--trust',
      `run the templates of the folder's own themes, from now on; ${VARIABLE}=true for once`,
    ).default(false),
  )
}

/**
 * Makes sure that the user trusts the code of a command: templates of a folder may come from elsewhere. Asks on a
 * terminal, once for each folder.
 *
 * @param site absolute path of a content folder; null for a theme alone.
 * @param theme absolute path of a theme elsewhere; null for none.
 * @returns whether later code of the folder may run too; false when the list of trusted folders has to be asked.
 * @throws {ConfigError} naming the files, unless the folder is trusted.
 */
export async function assertTrusted(
  site: string | null,
  theme: string | null,
  { trust: isGiven }: { readonly trust: boolean },
): Promise<boolean> {
  if (isTrustedByEnvironment()) return true
  const { trust, untrustedCode } = await import('../app/trusted-folders.ts')
  const code = await untrustedCode(site, theme)
  if (code === null && !isGiven) return false
  if (code !== null && !isGiven && !(canAsk() && (await isAgreed(code)))) throw refusal(code)
  // A folder without templates is trusted too: some are written while quoin dev runs.
  const folders = code?.folders ?? [site, theme].filter((folder) => folder !== null)
  await trust(folders).catch((error) =>
    console.error(
      `quoin: warning: the trust in ${folders.join(', ')} is not remembered: ${messageOf(error)}`,
    ),
  )
  return true
}

/** Trusts a folder that a command has just created. */
export async function trustCreated(folder: string): Promise<void> {
  const { trust } = await import('../app/trusted-folders.ts')
  await trust([folder]).catch((error) =>
    console.error(
      `quoin: warning: ${folder} could not be remembered as trusted: ${messageOf(error)} Commands will ask for --trust.`,
    ),
  )
}

/** @throws {ConfigError} */
function isTrustedByEnvironment(): boolean {
  const value = process.env[VARIABLE] ?? ''
  if (value === '' || value === 'false' || value === '0') return false
  if (value === 'true' || value === '1') return true
  throw new ConfigError(`${VARIABLE}: must be true or false, not ${JSON.stringify(value)}.`)
}

async function isAgreed(code: UntrustedCode): Promise<boolean> {
  const question = [
    `${code.folders.join(' and ')}: the templates of its themes are code that would run on this machine with your rights:`,
    ...named(code).map((file) => `  ${file}`),
    'Do you trust this folder, and what will be in it later? [y/N] ',
  ]
  return /^\s*y(es)?\s*$/i.test(await ask(question.join('\n')))
}

function refusal(code: UntrustedCode): ConfigError {
  return new ConfigError(
    `${code.folders.join(' and ')}: the templates of its themes are code that would run on this machine: ${named(code).join(', ')}. Read them. If you trust the folder, run the command again with --trust.`,
  )
}

function named({ files }: UntrustedCode): readonly string[] {
  const shown = files.slice(0, NAMED).map(shortest)
  const more = files.length - shown.length
  return more === 0 ? shown : [...shown, `and ${count(more, 'other file')}`]
}

function shortest(file: string): string {
  const near = relative('', file)
  return near.length < file.length ? near : file
}
