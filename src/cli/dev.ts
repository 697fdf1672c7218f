import { performance } from 'node:perf_hooks'
import { Command } from 'commander'
import { ConfigError } from '../app/config.ts'
import type { OpenDevRequest, RunningDev } from '../app/dev.ts'
import { folderArgument } from './folder-argument.ts'
import { count } from './format-numbers.ts'
import { ignoredLines } from './ignored-lines.ts'
import { stopSignal } from './stop-signal.ts'
import { type ThemeFlags, themeArguments, withThemeFlags } from './theme-flags.ts'
import { assertTrusted, withTrustFlag } from './trust.ts'
import { undecodedLines } from './undecoded-pictures.ts'
import { type Verbosity, verboseOption } from './verbosity.ts'

interface DevFlags extends ThemeFlags, Pick<Verbosity, 'verbose'> {
  readonly trust: boolean
  readonly port?: string
}

const DEFAULT_PORT = 4000

export function devCommand(): Command {
  const command = new Command('dev')
    .description('preview a content folder in the browser, updated on every change')
    .argument('[folder]', 'content folder, with a site.yaml', '.')
    .option(
      '--port <number>',
      `port on this machine; default ${DEFAULT_PORT}, or a free port if that is in use`,
    )
  return withTrustFlag(withThemeFlags(command))
    .addOption(verboseOption())
    .addHelpText(
      'after',
      `
Drafts are shown. No files are written: quoin build writes them.

Examples:
  quoin dev ./site --port 4000
  quoin dev ./site --theme-folder ./themes/mine
`,
    )
    .action(async (path: string, { port, ...flags }: DevFlags) => {
      const startedAt = performance.now()
      const folder = folderArgument(path)
      const requested = port === undefined ? null : portArgument(port)
      const request = {
        folder,
        ...themeArguments(flags),
        print: (text: string) => console.error(text),
      }
      const isTrusted = await assertTrusted(folder, request.themeFolder, flags)
      const { openDev } = await import('../app/dev.ts')
      const dev = await openOnPort(requested, { ...request, isTrusted }, openDev)
      const ms = Math.round(performance.now() - startedAt)
      if (flags.verbose) for (const line of await ignoredLines(folder, null)) console.log(line)
      console.log(`${count(dev.pages, 'page')} in ${ms} ms, ready at ${dev.origin}/`)
      for (const line of undecodedLines(dev.undecoded)) console.log(line)
      console.log(`All themes, widths and sections: ${dev.origin}/__quoin/`)
      console.log('Press Ctrl+C to stop.')
      await stopSignal()
      await dev.stop()
    })
}

/** Opens the requested port, otherwise the default one, or a free one if that is in use. @throws {ConfigError} */
async function openOnPort(
  requested: number | null,
  request: Omit<OpenDevRequest, 'port'>,
  openDev: (request: OpenDevRequest) => Promise<RunningDev>,
): Promise<RunningDev> {
  const port = requested ?? DEFAULT_PORT
  try {
    return await openDev({ ...request, port })
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null
    if (code === 'EADDRINUSE' && requested === null) return openDev({ ...request, port: 0 })
    if (code === 'EADDRINUSE')
      throw new ConfigError(`--port: port ${port} is in use. Choose another one, or 0 for any free port.`)
    if (code === 'EACCES')
      throw new ConfigError(`--port: this user is not allowed to listen on port ${port}.`)
    throw error
  }
}

/** @throws {ConfigError} */
function portArgument(text: string): number {
  const port = Number(text)
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port
  throw new ConfigError('--port: must be a whole number from 0 to 65535.')
}
