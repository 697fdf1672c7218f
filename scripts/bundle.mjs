// Bundles the compiled modules so that each command loads few files: finding and opening six hundred modules takes longer
// than most commands run. Then bundles the build program once more as one script, with V8's code cache for it.
import {
  appendFileSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, resolve, sep } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { build } from 'rolldown'
import { CODE_CACHE, evaluateProgram, SCRIPT, SHARED } from '../dist/build-runtime/load-program.js'
import { thirdPartyNotices } from './third-party.mjs'

const { dependencies, optionalDependencies, peerDependencies } = JSON.parse(
  readFileSync('package.json', 'utf8'),
)
/**
 * Packages of an installation: native modules, data, and those whose parts cannot be bundled. All others are development
 * dependencies and bundled, so that an installation lacks none.
 */
const EXTERNAL = new RegExp(
  `^(${Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies }).join('|')})(/|$)`,
)
const common = {
  platform: 'node',
  external: EXTERNAL,
  // ECMAScript modules, of which unused parts are left out.
  resolve: { mainFields: ['module', 'main'] },
  // `depd`, which Koa brings, wraps deprecated functions by eval; the bundle keeps the names that it uses.
  checks: { ineffectiveDynamicImport: false, eval: false },
}

// V8 accepts a code cache for any script of the same length, so a cache must never exist next to another script. A
// command that runs meanwhile must not load a script of other sources either.
for (const file of [CODE_CACHE, SCRIPT]) rmSync(file, { force: true })

const programs = {
  ...common,
  plugins: [
    { name: 'parser-location', transform: resolveParserFromPackage },
    { name: 'acme-client', transform: leaveOutOlderHalf },
  ],
  input: {
    cli: 'src/cli/bin.ts',
    child: 'src/renderer/child.ts',
    'image-child': 'src/images/child.ts',
    thread: 'src/build-runtime/render-thread-entry.ts',
    'sqlite-thread': 'src/db/sqlite-drivers/node-sqlite-thread.ts',
  },
  preserveEntrySignatures: 'allow-extension',
}
const startup = await startupModules()
const { output } = await build({
  ...programs,
  output: {
    // One folder, one level below the package root: `package-paths.ts` finds the root from its own location.
    dir: 'dist',
    chunkFileNames: 'chunk-[name].js',
    codeSplitting: {
      includeDependenciesRecursively: false,
      groups: [{ name: 'build', test: (id) => startup.has(id) }],
    },
  },
})
const current = new Set(output.map(({ fileName }) => fileName))
const stale = readdirSync('dist').filter((name) => /^chunk-.*\.js$/.test(name) && !current.has(name))
for (const name of stale) rmSync(join('dist', name))

// What the dashboard sends to browsers: the live editor, live previews of other forms, and the dragging of rows.
const browserScripts = []
const inputs = { editor: 'editor/editor.js', preview: 'scripts/preview.js', rows: 'scripts/rows.js' }
for (const [name, input] of Object.entries(inputs)) {
  const { output } = await build({
    input: `templates/dashboard/${input}`,
    platform: 'browser',
    output: { file: `dist/dashboard-${name}.js`, format: 'esm', minify: true },
  })
  browserScripts.push(...output)
}

const program = await build({
  ...common,
  input: 'src/build-runtime/build-program.ts',
  plugins: [{ name: 'shared', resolveId: resolveShared }],
  output: { format: 'cjs', codeSplitting: false },
  write: false,
})
writeFileSync(SCRIPT, asFunction(program.output[0].code))
const chunks = [output, browserScripts, program.output].flat().filter(({ type }) => type === 'chunk')
writeFileSync('dist/THIRD-PARTY.txt', thirdPartyNotices(chunks.flatMap(({ moduleIds }) => moduleIds)))
await writeCodeCache()

/** Modules that a build loads before it looks at the content folder. `--version` needs fewer. */
async function startupModules() {
  const { output } = await build({ ...programs, write: false })
  const chunks = new Map(output.map((chunk) => [chunk.fileName, chunk]))
  const isEntry = ({ facadeModuleId }) =>
    /\/src\/(cli\/main|cli\/build|app\/build)\.ts$/.test(facadeModuleId ?? '')
  const found = new Set(output.filter(isEntry))
  for (const { imports } of found)
    for (const name of imports) if (chunks.has(name)) found.add(chunks.get(name))
  return new Set(
    [...found]
      .flatMap(({ moduleIds }) => moduleIds)
      .filter((id) => !id.endsWith('/src/platform/package-paths.ts')),
  )
}

/** The Markdown parser looks for its native binary next to its own file, which is not the bundle's. */
function resolveParserFromPackage(code, id) {
  return id.endsWith('/satteri/index.js')
    ? code.replaceAll('import.meta.url', "import.meta.resolve('satteri')")
    : null
}

/** `acme-client` exports its former functions for keys too, which need `node-forge`: a megabyte that no code calls. */
function leaveOutOlderHalf(code, id) {
  return id.endsWith('/acme-client/src/index.js') ? code.replace(/^exports\.forge = .*$/m, '') : null
}

/** Leaves imports of shared modules in the script, under their paths in `src/`. */
function resolveShared(source, importer) {
  if (!source.startsWith('.')) return null
  const path = relative('src', resolve(importer, '..', source)).replaceAll(sep, '/')
  return Object.hasOwn(SHARED, path) ? { id: path, external: true } : null
}

/**
 * The script as a function of what it needs: a script, unlike a module, cannot import. In ASCII, because Node reads that
 * ten times as fast; JavaScript allows escapes wherever the bundle has other characters.
 */
function asFunction(code) {
  const escaped = (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`
  const body = code.replaceAll('import("', 'load("').replace(/[^\0-\x7f]/g, escaped)
  return `(function (exports, require, load, __filename) {'use strict';${body}\n})`
}

/** Runs a full and an incremental build, so that the cache has every function that these call. */
async function writeCodeCache() {
  // By default V8 discards the code of functions that have not been called for a while.
  setFlagsFromString('--no-flush-bytecode')
  const { exports, createCache } = await evaluateProgram()
  const temporary = mkdtempSync(join(tmpdir(), 'quoin-'))
  const [folder, out] = [join(temporary, 'site'), join(temporary, 'out')]
  try {
    cpSync('templates/docs-site', folder, { recursive: true })
    const request = { folder, out, theme: null, origin: null, drafts: false, contentKey: null }
    const run = (since) => exports.runBuild(request, null, () => {}, { since, damaged: [], expected: 0 })
    const { left, report } = await run(null)
    const edited = left.outlines.slice(0, 1).map(({ source }) => source)
    appendFileSync(join(folder, edited[0]), '\nEdited.\n')
    const files = readdirSync(folder, { recursive: true }).filter((path) =>
      statSync(join(folder, path)).isFile(),
    )
    await run({ files, edited, notes: { ...left, foreign: [] }, warnings: report.warnings })
  } finally {
    rmSync(temporary, { recursive: true })
  }
  // V8 rejects a cache that was created under other flags than those of the command that loads it.
  setFlagsFromString('--flush-bytecode')
  writeFileSync(`${CODE_CACHE}.new`, createCache())
  renameSync(`${CODE_CACHE}.new`, CODE_CACHE)
}
