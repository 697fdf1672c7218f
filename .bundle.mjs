// Joins the modules that one command loads into few files: six hundred of them took longer to find and
// open than most commands take to run. The compiler writes each for itself beside them.
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'rolldown'

/** Native, loaded by few commands, or only one among many that are there to be chosen from. */
const LEFT_ALONE =
  /^(@aws-sdk|@koa|@smithy|chokidar|knex|koa|lightningcss|pino|prom-client|raw-body|satteri|selfsigned|shiki|standardwebhooks|temml|undici)(\/|$)/

const { output } = await build({
  input: ['src/cli.ts', 'src/renderer/child.ts', 'src/renderer/thread.ts'],
  platform: 'node',
  external: LEFT_ALONE,
  // All in one folder beneath the package's own, as `package.ts` is, which finds that from where it lies.
  output: { dir: 'dist', chunkFileNames: 'chunk-[name].js' },
})

const made = new Set(output.map(({ fileName }) => fileName))
const former = readdirSync('dist').filter((name) => /^chunk-.*\.js$/.test(name) && !made.has(name))
for (const name of former) rmSync(join('dist', name))
