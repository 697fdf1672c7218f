// The long forms of what a failing world does to the service:
// npm run faults -- [--runs 20] [--kills 300] [--seed 1] [--at-once 8] [--only kills]
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const root = fileURLToPath(new URL('../..', import.meta.url))
const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '20' },
    kills: { type: 'string', default: '300' },
    seed: { type: 'string', default: '1' },
    'at-once': { type: 'string', default: '8' },
    only: { type: 'string', default: '' },
  },
})
const { only, ...numbers } = values
const wrong = Object.entries(numbers).find(([, value]) => !/^[1-9]\d{0,8}$/.test(value))
if (wrong !== undefined || !/^[a-z]*$/.test(only)) {
  console.error(
    wrong === undefined
      ? '--only: must be a word such as kills.'
      : `--${wrong[0]}: must be a whole number from 1.`,
  )
  process.exit(2)
}

const { status } = spawnSync(
  process.execPath,
  [`${root}node_modules/vitest/vitest.mjs`, 'run', `test/faults/${only}`, '--no-file-parallelism'],
  {
    cwd: root,
    stdio: 'inherit',
    env: {
      ...process.env,
      QUOIN_LONG: '1',
      QUOIN_FAULTS_RUNS: values.runs,
      QUOIN_FAULTS_KILLS: values.kills,
      QUOIN_FAULTS_SEED: values.seed,
      QUOIN_FAULTS_AT_ONCE: values['at-once'],
    },
  },
)
process.exitCode = status ?? 1
