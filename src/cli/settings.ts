import type { Command } from 'commander'
import { type Config, readConfig, SETTINGS, type SettingName } from '../app/config.ts'

/** Add the flag of each setting named; without names, of every setting. */
export function withSettings(
  command: Command,
  names: readonly SettingName[] = SETTINGS.map(({ name }) => name),
): Command {
  for (const { name, flag, help } of SETTINGS) {
    if (names.includes(name)) command.option(flag, `${help} [${name}]`)
  }
  return command
}

/** Settings of the environment with a command's flags laid over them. @throws {ConfigError} */
export function configOf(
  command: Command,
  defaults: Readonly<Partial<Record<SettingName, string>>> = {},
): Config {
  const flags = command.opts<Record<string, string | undefined>>()
  const values = SETTINGS.map(({ name, flag }) => [
    name,
    flags[attribute(flag)] ?? process.env[name] ?? defaults[name],
  ])
  return readConfig(Object.fromEntries(values.filter(([, value]) => value !== undefined)))
}

/** Settings that say where the data is, for commands that do not serve. */
export const DATA_SETTINGS: readonly SettingName[] = ['QUOIN_DATA', 'QUOIN_DATABASE_URL']

/** Those that say where the published files are as well, and what they are made with. */
export const STORE_SETTINGS: readonly SettingName[] = [...DATA_SETTINGS, 'QUOIN_STORAGE_URL', 'QUOIN_THEMES']

/** `--database-url <url>` is kept by commander as `databaseUrl`. */
function attribute(flag: string): string {
  const [long = ''] = flag.split(' ')
  return long.slice(2).replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())
}
