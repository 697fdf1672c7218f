import type { Command } from 'commander'
import { type Config, readConfig, SETTINGS, type SettingName } from '../app/config.ts'
import { readConfigFile } from '../app/config-file.ts'

/** Adds the flags of these settings to a command, and that of a file of all settings. Without names, adds all. */
export function withSettings(
  command: Command,
  names: readonly SettingName[] = SETTINGS.map(({ name }) => name),
): Command {
  for (const { name, flag, help } of SETTINGS) {
    if (names.includes(name)) command.option(flag, `${help} [${name}]`)
  }
  return command.option('--config <file>', 'YAML file of settings, e.g. base_url: https://… [QUOIN_CONFIG]')
}

/**
 * The configuration from flags, environment, the file that `--config` or `QUOIN_CONFIG` names, and defaults, in this order.
 *
 * @param fixed settings that the command itself decides.
 * @throws {ConfigError}
 */
export function configOf(
  command: Command,
  defaults: Readonly<Partial<Record<SettingName, string>>> = {},
  fixed: Readonly<Partial<Record<SettingName, string>>> = {},
): Config {
  const flags = command.opts<Record<string, string | undefined>>()
  const file = flags['config'] ?? process.env['QUOIN_CONFIG']
  const inFile = file ? readConfigFile(file) : {}
  const values = SETTINGS.map(({ name, flag }) => [
    name,
    fixed[name] ?? flags[attribute(flag)] ?? process.env[name] ?? inFile[name] ?? defaults[name],
  ])
  return readConfig(Object.fromEntries(values.filter(([, value]) => value !== undefined)))
}

/** Settings that locate the database, for commands other than serve. */
export const DATA_SETTINGS: readonly SettingName[] = ['QUOIN_DATA', 'QUOIN_DATABASE_URL']

/** Settings that locate the database, the published files and the themes. */
export const STORE_SETTINGS: readonly SettingName[] = [...DATA_SETTINGS, 'QUOIN_STORAGE_URL', 'QUOIN_THEMES']

/** The name under which Commander stores a flag: `--database-url <url>` becomes `databaseUrl`. */
function attribute(flag: string): string {
  const [long = ''] = flag.split(' ')
  return long.slice(2).replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())
}
