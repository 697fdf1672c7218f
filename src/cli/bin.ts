#!/usr/bin/env node
import { version } from '../platform/package-paths.ts'

const args = process.argv.slice(2)

// Answered before any other module is loaded, because scripts call it often.
if (args.length === 1 && /^(--version|-V)$/.test(args[0] ?? '')) {
  console.log(version())
} else {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', ignoreClosedPipe)
  const { main } = await import('./main.ts')
  process.exitCode = await main(args)
}

/** A reader such as `head` may close the pipe early. The command still finishes. */
function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error
}
