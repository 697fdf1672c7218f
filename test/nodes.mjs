// Runs a short form of the tests on newer versions of Node: `npm run nodes`. With a share of proofs, such as
// QUOIN_PROOFS=1/6, on one version, another for each commit. Fetches Node from the npm registry into .cache/nodes.
// `test/run.mjs --summary` counts these tests, too.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { oneOfCommit, partsOf } from './commit-share.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
/** Where Node itself makes a difference: its SQLite, the compiled program, the installed package. */
const FILES = [
  'test/db/sqlite.proof.ts',
  'test/db/sqlite-drivers.test.ts',
  'test/cli/without-sqlite3.proof.ts',
  'test/cli/init.proof.ts',
  'test/packaging/package.proof.ts',
]

const MAJORS = [22, 24, 26]
const majors = partsOf(process.env.QUOIN_PROOFS) === null ? MAJORS : [oneOfCommit('versions of Node', MAJORS)]

for (const major of majors) {
  const node = fetchNode(major)
  if (node === null) {
    console.log(`Node ${major} could not be fetched from the npm registry; its tests are skipped.`)
    continue
  }
  const { stdout } = spawnSync(node, ['--version'], { encoding: 'utf8' })
  console.log(`Node ${stdout.trim()}`)
  const report = join(root, `.cache/test-report-node-${major}.json`)
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const { status } = spawnSync(
    node,
    [vitest, 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`, ...FILES],
    {
      cwd: root,
      stdio: 'inherit',
      // Tests start `node` and their own program: both are this one.
      env: { ...process.env, QUOIN_LONG: undefined, PATH: `${dirname(node)}:${process.env.PATH}` },
    },
  )
  if (status !== 0) process.exitCode = 1
}

/** @returns the program, or null. */
function fetchNode(major) {
  const name = `node-${process.platform}-${process.arch}`
  const folder = join(root, `.cache/nodes/${major}`)
  const program = join(folder, `node_modules/${name}/bin/node`)
  if (!existsSync(program))
    spawnSync(
      'npm',
      ['install', '--prefix', folder, '--no-save', '--no-audit', '--no-fund', `${name}@${major}`],
      {
        stdio: 'ignore',
      },
    )
  return existsSync(program) ? program : null
}
