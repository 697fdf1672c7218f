import { performance } from 'node:perf_hooks'
import { Command } from 'commander'
import { ConfigError } from '../app/config.ts'
import type { OpenDevRequest, RunningDev } from '../app/dev.ts'
import { folderArgument } from './folder-argument.ts'
import { count } from './format-numbers.ts'
import { type ThemeFlags, themeArguments, withThemeFlags } from './theme-flags.ts'

interface DevFlags extends ThemeFlags {
  readonly port?: string
}

const USUAL_PORT = 4000

export function devCommand(): Command {
  const command = new Command('dev')
    .description('a content folder as a site in the browser, that follows every change')
    .argument('<folder>', 'content folder, with a site.yaml')
    .option('--port <number>', `where to listen on this machine; without it ${USUAL_PORT}, or a free one`)
  return withThemeFlags(command)
    .addHelpText(
      'after',
      `
Drafts are shown. Nothing is written: quoin build makes the files.

Examples:
  quoin dev ./site --port 4000
  quoin dev ./site --theme-folder ./themes/mine
`,
    )
    .action(async (path: string, { port, ...flags }: DevFlags) => {
      const began = performance.now()
      const folder = folderArgument(path)
      const asked = port === undefined ? null : portArgument(port)
      const request = {
        folder,
        ...themeArguments(flags),
        print: (text: string) => console.error(text),
      }
      const { openDev } = await import('../app/dev.ts')
      const dev = await openOn(asked, request, openDev)
      const ms = Math.round(performance.now() - began)
      console.log(`${count(dev.pages, 'page')}, after ${ms} ms ready at ${dev.origin}/`)
      console.log(`Other themes, widths and all sections: ${dev.origin}/__quoin/`)
      console.log('Press Ctrl+C to stop.')
      await stopped()
      await dev.stop()
    })
}

/** The port that was asked for; else the usual one, or any free one where that is taken. @throws {ConfigError} */
async function openOn(
  asked: number | null,
  request: Omit<OpenDevRequest, 'port'>,
  openDev: (request: OpenDevRequest) => Promise<RunningDev>,
): Promise<RunningDev> {
  const port = asked ?? USUAL_PORT
  try {
    return await openDev({ ...request, port })
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null
    if (code === 'EADDRINUSE' && asked === null) return openDev({ ...request, port: 0 })
    if (code === 'EADDRINUSE')
      throw new ConfigError(`--port: port ${port} is taken; choose another, or 0 for any free one.`)
    if (code === 'EACCES') throw new ConfigError(`--port: port ${port} needs more rights than this user has.`)
    throw error
  }
}

async function stopped(): Promise<void> {
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve())
  })
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => process.exit(1))
}

/** @throws {ConfigError} */
function portArgument(text: string): number {
  const port = Number(text)
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port
  throw new ConfigError('--port: must be a whole number from 0 to 65535.')
}
