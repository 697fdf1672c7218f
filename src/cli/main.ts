import { Command, CommanderError } from 'commander'
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

/** In the order in which they are listed. */
const COMMANDS: Readonly<Record<string, Load>> = {
  serve: async () => (await import('./serve.ts')).serveCommand(),
  init: async () => (await import('./init.ts')).initCommand(),
  convert: async () => (await import('./convert.ts')).convertCommand(),
  build: async () => (await import('./build.ts')).buildCommand(),
  schema: async () => (await import('./schema.ts')).schemaCommand(),
  deploy: async () => (await import('./deploy.ts')).deployCommand(),
  push: async () => (await import('./push.ts')).pushCommand(),
  export: async () => (await import('./export.ts')).exportCommand(),
  import: async () => (await import('./import.ts')).importCommand(),
  dev: async () => (await import('./dev.ts')).devCommand(),
  theme: async () => (await import('./theme.ts')).themeCommand(),
  users: async () => (await import('./users.ts')).usersCommand(),
  keys: async () => (await import('./keys.ts')).keysCommand(),
  projects: async () => (await import('./projects.ts')).projectsCommand(),
  status: async () => (await import('./status.ts')).statusCommand(),
  jobs: async () => (await import('./jobs.ts')).jobsCommand(),
  webhooks: async () => (await import('./webhooks.ts')).webhooksCommand(),
  verify: async () => (await import('./verify.ts')).verifyCommand(),
  decrypt: async () => (await import('./decrypt.ts')).decryptCommand(),
  demo: async () => (await import('./demo.ts')).demoCommand(),
  completion: async (program) => (await import('./completion.ts')).completionCommand(program),
}

/** To load one command takes a fraction of the time of all; whoever asks what there is waits for all. */
function loadersFor([name = '']: readonly string[]): readonly Load[] {
  const isAlone = Object.hasOwn(COMMANDS, name) && name !== 'completion'
  return Object.entries(COMMANDS).flatMap(([known, load]) => (isAlone && known !== name ? [] : [load]))
}

/** Run one command line. Returns the exit code: 0 done, 1 failed, 2 wrong usage. */
export async function main(args: readonly string[]): Promise<number> {
  const program = new Command('quoin')
    .description('Static-site generator and CDN publishing service.')
    .version(version(), '-V, --version')
    .addHelpText(
      'after',
      `
Exit codes: 0 done, 1 failed, 2 wrong usage.

The documentation is a site of its own: quoin demo publishes and serves it, and its
source is the folder templates/docs-site beside this program. Of a running service,
/reference describes the API.

Example:
  quoin init my-site
`,
    )
    .showSuggestionAfterError()
  for (const load of loadersFor(args)) program.addCommand(await load(program))
  let asked = program
  program.hook('preAction', (_, command) => {
    asked = command
  })
  for (const command of withSubcommands(program)) command.exitOverride().configureOutput(OUTPUT)

  try {
    await program.parseAsync(args, { from: 'user' })
    return SUCCESS
  } catch (error) {
    const { code, message } = outcomeOf(error, args)
    if (code !== SUCCESS && args.includes('--json') && !hasPrinted(asked))
      console.log(JSON.stringify({ ok: false, error: message }))
    return code
  }
}

/** What Commander finds wrong is told as all else is. */
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

/** What a person can act on is one line; a bug shows where it is. Told on standard error. */
function outcomeOf(error: unknown, args: readonly string[]): CommandOutcome {
  if (error instanceof CommanderError) {
    // Told by Commander already.
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

/** Whoever gave a setting as a flag is told of the flag first. */
function namingFlags(message: string, args: readonly string[]): string {
  return SETTINGS.reduce((told, { name, flag }) => {
    const [long = ''] = flag.split(' ')
    const isGiven = args.some((arg) => arg === long || arg.startsWith(`${long}=`))
    return isGiven ? told.replace(new RegExp(`\\b${name}\\b`), `${long} (${name})`) : told
  }, message)
}
