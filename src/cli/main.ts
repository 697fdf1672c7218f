import { Command, CommanderError } from 'commander'
import { ApiError } from '../client/api-error.ts'
import { ConfigError, SETTINGS } from '../config.ts'
import { messageOf, ServiceError } from '../domain/errors.ts'
import { version } from '../package.ts'
import { buildCommand } from './build.ts'
import { completionCommand } from './completion.ts'
import { convertCommand } from './convert.ts'
import { decryptCommand } from './decrypt.ts'
import { demoCommand } from './demo.ts'
import { deployCommand } from './deploy.ts'
import { devCommand } from './dev.ts'
import { exportCommand } from './export.ts'
import { importCommand } from './import.ts'
import { initCommand } from './init.ts'
import { keysCommand } from './keys.ts'
import { projectsCommand } from './projects.ts'
import { pushCommand } from './push.ts'
import { schemaCommand } from './schema.ts'
import { serveCommand } from './serve.ts'
import { themeCommand } from './theme.ts'
import { usersCommand } from './users.ts'
import { verifyCommand } from './verify.ts'

const DONE = 0
const FAILED = 1
const WRONG_USAGE = 2

/** Run one command line. Returns the exit code: 0 done, 1 failed, 2 wrong usage. */
export async function main(args: readonly string[]): Promise<number> {
  const program = new Command('quoin')
    .description('Static-site generator and CDN publishing service.')
    .version(version(), '-V, --version')
    .addHelpText(
      'after',
      '\nExit codes: 0 done, 1 failed, 2 wrong usage.\n\nExample:\n  quoin init my-site\n',
    )
    .showSuggestionAfterError()
  for (const command of [
    serveCommand(),
    initCommand(),
    convertCommand(),
    buildCommand(),
    schemaCommand(),
    deployCommand(),
    pushCommand(),
    exportCommand(),
    importCommand(),
    devCommand(),
    themeCommand(),
    usersCommand(),
    keysCommand(),
    projectsCommand(),
    verifyCommand(),
    decryptCommand(),
    demoCommand(),
    completionCommand(program),
  ]) {
    program.addCommand(command)
  }
  for (const command of withSubcommands(program)) command.exitOverride()

  try {
    await program.parseAsync(args, { from: 'user' })
    return DONE
  } catch (error) {
    return report(error, args)
  }
}

function withSubcommands(command: Command): readonly Command[] {
  return [command, ...command.commands.flatMap(withSubcommands)]
}

/** What a person can act on is one line; a bug shows where it is. */
function report(error: unknown, args: readonly string[]): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? DONE : WRONG_USAGE
  if (error instanceof ConfigError) {
    console.error(`quoin: ${namingFlags(error.message, args)}`)
    return WRONG_USAGE
  }
  if (error instanceof ServiceError || error instanceof ApiError) {
    console.error(`quoin: ${messageOf(error)}`)
    return FAILED
  }
  console.error(error)
  return FAILED
}

/** Whoever gave a setting as a flag is told of the flag first. */
function namingFlags(message: string, args: readonly string[]): string {
  return SETTINGS.reduce((told, { name, flag }) => {
    const [long = ''] = flag.split(' ')
    const isGiven = args.some((arg) => arg === long || arg.startsWith(`${long}=`))
    return isGiven ? told.replace(new RegExp(`\\b${name}\\b`), `${long} (${name})`) : told
  }, message)
}
