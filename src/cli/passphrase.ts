import { ConfigError } from '../app/config.ts'
import { askHidden, canAsk } from './ask.ts'
import { readSecretFile } from './secret.ts'

const VARIABLE = 'QUOIN_BACKUP_PASSPHRASE'
/** Fewer characters can be guessed in spite of scrypt. */
const MIN_CHARACTERS = 12

export const PASSPHRASE_FLAG = '--passphrase-file <file>'
export const PASSPHRASE_HELP = `file with the passphrase, instead of the variable ${VARIABLE} or the question on a terminal`

/** The passphrase of a new backup, asked for twice. @throws {ConfigError} */
export async function newPassphrase(file: string | undefined): Promise<string> {
  const passphrase = givenPassphrase(file) ?? (await askTwice())
  if ([...passphrase].length < MIN_CHARACTERS)
    throw new ConfigError(`The passphrase must have at least ${MIN_CHARACTERS} characters.`)
  return passphrase
}

/** The passphrase of an existing backup. @throws {ConfigError} */
export async function existingPassphrase(file: string | undefined): Promise<string> {
  return givenPassphrase(file) ?? (await askOnTerminal('Passphrase of the backup: '))
}

/** The passphrase of the file or the environment. Null when it has to be asked for. */
function givenPassphrase(file: string | undefined): string | null {
  const text = file === undefined ? process.env[VARIABLE] : readSecretFile('--passphrase-file', file)
  return text === undefined || text.trim() === '' ? null : text.trim()
}

async function askTwice(): Promise<string> {
  const passphrase = await askOnTerminal('Passphrase for the master key in the backup: ')
  if (passphrase === '') throw new ConfigError('No passphrase was given.')
  if ((await askOnTerminal('The same again: ')) === passphrase) return passphrase
  throw new ConfigError('The two passphrases differ.')
}

async function askOnTerminal(question: string): Promise<string> {
  if (canAsk()) return (await askHidden(question)).trim()
  throw new ConfigError(
    `${VARIABLE}: set it to the passphrase that seals the master key, or name a file with --passphrase-file.`,
  )
}
