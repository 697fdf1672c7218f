import { Command } from 'commander'
import { print } from './administration.ts'
import { configOf, DATA_SETTINGS, withSettings } from './settings.ts'

export function migrateCommand(): Command {
  return withSettings(new Command('migrate'), [...DATA_SETTINGS, 'QUOIN_DATABASE_DIRECT_URL'])
    .description('bring the database to the schema of this version, and exit')
    .option('--json', 'print one JSON object', false)
    .addHelpText(
      'after',
      `
Servers of the version before go on meanwhile, unless the command says that they have to be stopped. Start those of this
version afterwards, with QUOIN_MIGRATE=off.

Example:
  quoin migrate --database-url postgres://quoin@db.internal/quoin
`,
    )
    .action(async (_: object, command: Command) => {
      const { migrateDatabase } = await import('../app/database.ts')
      const migrations = await migrateDatabase(configOf(command))
      const lines = migrations.map((name) => `Ran ${name}.`)
      print(
        command,
        { migrations },
        lines.length > 0 ? lines : ['The database has the schema of this version.'],
      )
    })
}
