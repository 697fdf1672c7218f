// Joins the modules that one command loads into few files: six hundred of them took longer to find and
// open than most commands take to run. The compiler writes each for itself beside them.
import {
  appendFileSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, resolve, sep } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { build } from 'rolldown'
import { CODE, evaluated, SHARED } from '../dist/build-runtime/load-program.js'

/** Native, loaded by few commands, or only one among many that are there to be chosen from. */
const LEFT_ALONE =
  /^(@aws-sdk|@koa|@smithy|chokidar|knex|koa|lightningcss|pino|prom-client|raw-body|selfsigned|shiki|standardwebhooks|temml|undici)(\/|$)/
const common = { platform: 'node', external: LEFT_ALONE, checks: { ineffectiveDynamicImport: false } }

// V8 looks at the length of a script only: what was made of another one must never lie beside it. And no
// command may find a script of other sources than its own.
for (const file of [CODE, 'dist/compiled.cjs', 'dist/look-thread.js']) rmSync(file, { force: true })

const programs = {
  ...common,
  plugins: [{ name: 'binaries', transform: withPlace }],
  input: {
    cli: 'src/cli/bin.ts',
    child: 'src/renderer/child.ts',
    thread: 'src/build-runtime/render-thread-entry.ts',
  },
  preserveEntrySignatures: 'allow-extension',
}
const loaded = await loadedToBuild()
const { output } = await build({
  ...programs,
  output: {
    // All in one folder beneath the package's own, as `package.ts` is, which finds that from where it lies.
    dir: 'dist',
    chunkFileNames: 'chunk-[name].js',
    codeSplitting: {
      includeDependenciesRecursively: false,
      groups: [{ name: 'build', test: (id) => loaded.has(id) }],
    },
  },
})

const made = new Set(output.map(({ fileName }) => fileName))
const former = readdirSync('dist').filter((name) => /^chunk-.*\.js$/.test(name) && !made.has(name))
for (const name of former) rmSync(join('dist', name))

const compiled = await build({
  ...common,
  input: 'src/build-runtime/build-program.ts',
  plugins: [{ name: 'shared', resolveId: shared }],
  output: { format: 'cjs', codeSplitting: false },
  write: false,
})
writeFileSync('dist/compiled.cjs', asScript(compiled.output[0].code))
await keepCode()

/**
 * Modules that are there before a build looks at its folder: in one file they are found and opened sooner.
 * `--version` is answered by less.
 */
async function loadedToBuild() {
  const { output } = await build({ ...programs, write: false })
  const chunks = new Map(output.map((chunk) => [chunk.fileName, chunk]))
  const isFirst = ({ facadeModuleId }) =>
    /\/src\/(cli\/main|cli\/build|app\/build)\.ts$/.test(facadeModuleId ?? '')
  const found = new Set(output.filter(isFirst))
  for (const { imports } of found)
    for (const name of imports) if (chunks.has(name)) found.add(chunks.get(name))
  return new Set(
    [...found]
      .flatMap(({ moduleIds }) => moduleIds)
      .filter((id) => !id.endsWith('/src/platform/package-paths.ts')),
  )
}

/** The parser's twenty modules are joined too; its binary is looked for where its package lies. */
function withPlace(code, id) {
  return id.endsWith('/satteri/index.js')
    ? code.replaceAll('import.meta.url', "import.meta.resolve('satteri')")
    : null
}

/** Asked for by its path in `src/`, whatever asks for it. */
function shared(source, importer) {
  if (!source.startsWith('.')) return null
  const path = relative('src', resolve(importer, '..', source)).replaceAll(sep, '/')
  return Object.hasOwn(SHARED, path) ? { id: path, external: true } : null
}

/**
 * A script that is no module can import nothing itself: `load` is given to it. Text that is all ASCII is read
 * in a tenth of the time; names, strings and expressions may have their letters escaped. As it is run, so that
 * nobody has to put all of it into another text first.
 */
function asScript(code) {
  const escaped = (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`
  const body = code.replaceAll('import("', 'load("').replace(/[^\0-\x7f]/g, escaped)
  return `(function (exports, require, load, __filename) {'use strict';${body}\n})`
}

/** What V8 has made of all that is called to build a site, and to build it again when a page of it was edited. */
async function keepCode() {
  // Else it drops what it has made of functions that were called a while ago.
  setFlagsFromString('--no-flush-bytecode')
  const { exports, code } = await evaluated()
  const temporary = mkdtempSync(join(tmpdir(), 'quoin-'))
  const [folder, out] = [join(temporary, 'site'), join(temporary, 'out')]
  try {
    cpSync('templates/docs-site', folder, { recursive: true })
    const request = { folder, out, theme: null, origin: null, drafts: false, contentKey: null }
    const buildAnew = (since) => exports.buildAnew(request, null, () => {}, { since, expected: 0 })
    const { left, report } = await buildAnew(null)
    const edited = left.outlines.slice(0, 1).map(({ source }) => source)
    appendFileSync(join(folder, edited[0]), '\nEdited.\n')
    const files = readdirSync(folder, { recursive: true }).filter((path) =>
      statSync(join(folder, path)).isFile(),
    )
    await buildAnew({ files, edited, noted: { ...left, foreign: [] }, complaints: report.complaints })
  } finally {
    rmSync(temporary, { recursive: true })
  }
  // What was made with other flags than those of a command is of no use to it.
  setFlagsFromString('--flush-bytecode')
  writeFileSync(`${CODE}.new`, code())
  renameSync(`${CODE}.new`, CODE)
}
