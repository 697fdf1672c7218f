// Runs a command of Quoin from a checkout: `npm run quoin -- build my-site`. Compiles only when the sources changed.
import { ensureBuilt } from './build.mjs'

await ensureBuilt()
await import('../dist/cli.js')
