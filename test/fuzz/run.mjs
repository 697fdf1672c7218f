// Runs the fuzzer for long: npm run fuzz -- [--requests 100000] [--seed 1] [--concurrency 16]
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const root = fileURLToPath(new URL('../..', import.meta.url))
const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '100000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    concurrency: { type: 'string', default: '16' },
  },
})
const invalid = Object.entries(values).find(([, value]) => !/^[1-9]\d{0,8}$/.test(value))
if (invalid !== undefined) {
  console.error(`--${invalid[0]}: must be a whole number from 1 to 999999999.`)
  process.exit(2)
}

console.log(`${values.requests} requests, seed ${values.seed}`)
const { status } = spawnSync(
  process.execPath,
  [`${root}node_modules/vitest/vitest.mjs`, 'run', 'test/fuzz'],
  {
    cwd: root,
    stdio: 'inherit',
    env: {
      ...process.env,
      QUOIN_FUZZ_REQUESTS: values.requests,
      QUOIN_FUZZ_SEED: values.seed,
      QUOIN_FUZZ_CONCURRENCY: values.concurrency,
    },
  },
)
process.exitCode = status ?? 1
