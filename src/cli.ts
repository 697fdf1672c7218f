#!/usr/bin/env node
import { version } from './package.ts'

const args = process.argv.slice(2)

// Answered before anything else is read: scripts ask for it.
if (args.length === 1 && /^(--version|-V)$/.test(args[0] ?? '')) {
  console.log(version())
} else {
  const { main } = await import('./cli/main.ts')
  process.exitCode = await main(args)
}
