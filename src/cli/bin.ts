#!/usr/bin/env node
import { version } from '../platform/package-paths.ts'

const args = process.argv.slice(2)

// Answered before anything else is read: scripts ask for it.
if (args.length === 1 && /^(--version|-V)$/.test(args[0] ?? '')) {
  console.log(version())
} else {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', ignoreClosedPipe)
  const { main } = await import('./main.ts')
  process.exitCode = await main(args)
}

/** Whoever reads no further has enough, as `head` does; what was asked for is still done. */
function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error
}
