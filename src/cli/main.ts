import { Command, CommanderError, Help, type Option } from 'commander'
import { ConfigError, SETTINGS } from '../app/config.ts'
import { ApiError } from '../client/api-error.ts'
import { messageOf, ServiceError } from '../domain/errors.ts'
import { version } from '../platform/package-paths.ts'
import { hasPrinted } from './administration.ts'
import { systemErrorMessage } from './system-error-message.ts'

const SUCCESS = 0
const FAILURE = 1
const USAGE_ERROR = 2

type Load = (program: Command) => Promise<Command>

/** Loads each command, by the heading under which the help lists it. The help has this order. */
const COMMANDS: Readonly<Record<string, Readonly<Record<string, Load>>>> = {
  'Write and build a site:': {
    init: async () => (await import('./init.ts')).initCommand(),
    dev: async () => (await import('./dev.ts')).devCommand(),
    build: async () => (await import('./build.ts')).buildCommand(),
    'check-links': async () => (await import('./check-links.ts')).checkLinksCommand(),
    redirects: async () => (await import('./redirects.ts')).redirectsCommand(),
    feeds: async () => (await import('./feeds.ts')).feedsCommand(),
    translations: async () => (await import('./translations.ts')).translationsCommand(),
    version: async () => (await import('./version.ts')).versionCommand(),
    theme: async () => (await import('./theme.ts')).themeCommand(),
    convert: async () => (await import('./convert.ts')).convertCommand(),
    openapi: async () => (await import('./openapi.ts')).openapiCommand(),
    schema: async () => (await import('./schema.ts')).schemaCommand(),
    editor: async () => (await import('./editor.ts')).editorCommand(),
    decrypt: async () => (await import('./decrypt.ts')).decryptCommand(),
  },
  'Publish a site:': {
    deploy: async () => (await import('./deploy.ts')).deployCommand(),
    push: async () => (await import('./push.ts')).pushCommand(),
    'new-id': async () => (await import('./new-id.ts')).newIdCommand(),
    export: async () => (await import('./export.ts')).exportCommand(),
    import: async () => (await import('./import.ts')).importCommand(),
    changes: async () => (await import('./changes.ts')).changesCommand(),
  },
  'Run a service:': {
    setup: async () => (await import('./setup.ts')).setupCommand(),
    serve: async () => (await import('./serve.ts')).serveCommand(),
    worker: async () => (await import('./serve.ts')).workerCommand(),
    migrate: async () => (await import('./migrate.ts')).migrateCommand(),
    doctor: async () => (await import('./doctor.ts')).doctorCommand(),
    verify: async () => (await import('./verify.ts')).verifyCommand(),
    backup: async () => (await import('./backup.ts')).backupCommand(),
    restore: async () => (await import('./restore.ts')).restoreCommand(),
    transfer: async () => (await import('./transfer.ts')).transferCommand(),
  },
  'Manage a service:': {
    users: async () => (await import('./users.ts')).usersCommand(),
    keys: async () => (await import('./keys.ts')).keysCommand(),
    projects: async () => (await import('./projects.ts')).projectsCommand(),
    domains: async () => (await import('./domains.ts')).domainsCommand(),
    status: async () => (await import('./status.ts')).statusCommand(),
    audit: async () => (await import('./audit.ts')).auditCommand(),
    jobs: async () => (await import('./jobs.ts')).jobsCommand(),
    webhooks: async () => (await import('./webhooks.ts')).webhooksCommand(),
  },
  'More:': {
    demo: async () => (await import('./demo.ts')).demoCommand(),
    completion: async (program) => (await import('./completion.ts')).completionCommand(program),
  },
}

/** The command to load alone, because loading all takes much longer. Null for help and completion, which need all. */
function calledCommand([name = '']: readonly string[]): string | null {
  const isKnown = Object.values(COMMANDS).some((commands) => Object.hasOwn(commands, name))
  return isKnown && name !== 'completion' ? name : null
}

/** The program with the commands that this command line needs. Without arguments, with all of them. */
export async function createProgram(args: readonly string[] = []): Promise<Command> {
  const program = new Command('quoin')
    .description('static-site generator and publishing service')
    .version(version(), '-V, --version')
    .addHelpText(
      'after',
      `
Exit codes: 0 success, 1 failure, 2 wrong usage.

The documentation is in the folder templates/docs-site of this package. quoin demo publishes
and serves it. A running server describes its API at /reference.

Example:
  quoin init my-site
`,
    )
    .showSuggestionAfterError()
  const called = calledCommand(args)
  for (const [heading, commands] of Object.entries(COMMANDS)) {
    program.commandsGroup(heading)
    for (const [name, load] of Object.entries(commands))
      if (called === null || name === called) program.addCommand(await load(program))
  }
  program.helpCommand(true)
  for (const command of withSubcommands(program)) command.configureHelp({ optionDescription })
  return program
}

/** Leaves out `(default: false)`, which is true of every flag. */
function optionDescription(option: Option): string {
  return new Help().optionDescription(option).replace(' (default: false)', '')
}

/** Runs one command line. @returns the exit code: 0 success, 1 failure, 2 wrong usage. */
export async function main(args: readonly string[]): Promise<number> {
  const program = await createProgram(args)
  let called = program
  program.hook('preAction', (_, command) => {
    called = command
  })
  for (const command of withSubcommands(program)) command.exitOverride().configureOutput(OUTPUT)

  try {
    await program.parseAsync(args, { from: 'user' })
    return SUCCESS
  } catch (error) {
    const { code, message } = outcomeOf(error, args)
    if (code !== SUCCESS && wantsJson(args) && !hasPrinted(called))
      console.log(JSON.stringify({ ok: false, error: message }))
    return code
  }
}

function wantsJson(args: readonly string[]): boolean {
  return args.includes('--json') || /(^| )--format[ =]json( |$)/.test(args.join(' '))
}

/** Prints Commander's own errors in the format of all other messages. */
const OUTPUT = {
  outputError: (text: string, write: (text: string) => void) => write(text.replace(/^error: /, 'quoin: ')),
}

function withSubcommands(command: Command): readonly Command[] {
  return [command, ...command.commands.flatMap(withSubcommands)]
}

interface CommandOutcome {
  readonly code: number
  readonly message: string
}

/** Prints an expected failure as one line on standard error, and a bug with its stack. */
function outcomeOf(error: unknown, args: readonly string[]): CommandOutcome {
  if (error instanceof CommanderError) {
    // Commander has printed it already.
    const message = error.message.replace(/^error: /, '')
    return { code: error.exitCode === 0 ? SUCCESS : USAGE_ERROR, message }
  }
  if (error instanceof ConfigError) return reported(namingFlags(error.message, args), USAGE_ERROR)
  if (error instanceof ServiceError || error instanceof ApiError) return reported(messageOf(error), FAILURE)
  const refusal = systemErrorMessage(error)
  if (refusal !== null) return reported(refusal, FAILURE)
  console.error(error)
  return { code: FAILURE, message: messageOf(error) }
}

function reported(message: string, code: number): CommandOutcome {
  console.error(`quoin: ${message}`)
  return { code, message }
}

/** Names the flag before the setting when the setting was given as a flag. */
function namingFlags(message: string, args: readonly string[]): string {
  return SETTINGS.reduce((named, { name, flag }) => {
    const [long = ''] = flag.split(' ')
    const isGiven = args.some((arg) => arg === long || arg.startsWith(`${long}=`))
    return isGiven ? named.replace(new RegExp(`\\b${name}\\b`), `${long} (${name})`) : named
  }, message)
}
