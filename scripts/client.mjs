// Writes the types and methods of the client from the API's description: `src/client/api-types.ts` and
// `api-methods.ts`, which are not committed. Installation, builds, type checks and tests call it, so it does nothing while
// neither these files nor the modules that the description is made of have changed.
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const MODULES = `${root}scripts/client/modules.ts`
const CACHE = `${root}.cache`

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await writeClient()

/** For Vitest, which calls it before the tests. */
export const setup = () => writeClient()

/**
 * @param folder for the generated modules.
 * @param stamp the file that records from what and to what they were written.
 */
export async function writeClient(folder = `${root}src/client`, stamp = `${CACHE}/client.json`) {
  if (isWritten(stamp)) return
  const { texts, inputs } = await generatedModules()
  const outputs = Object.entries(texts).map(([name, text]) => {
    const file = join(folder, name)
    if (readIfExists(file) !== text) replace(file, text)
    return file
  })
  const files = [...inputs, ...outputs, fileURLToPath(import.meta.url), `${root}package-lock.json`]
  replace(stamp, JSON.stringify(Object.fromEntries(files.map((file) => [file, stateOf(file)]))))
}

function isWritten(stamp) {
  const states = Object.entries(JSON.parse(readIfExists(stamp) ?? '{}'))
  return states.length > 0 && states.every(([file, state]) => stateOf(file) === state)
}

/** Bundles the sources first, because Node.js 20 runs no TypeScript. */
async function generatedModules() {
  const { rolldown } = await import('rolldown')
  const bundle = await rolldown({ input: MODULES, platform: 'node', external: /^[^./]/, logLevel: 'warn' })
  mkdirSync(CACHE, { recursive: true })
  const file = `${CACHE}/client-${process.pid}.mjs`
  try {
    await bundle.write({ file })
    const { MODULES: texts } = await import(pathToFileURL(file).href)
    return { texts, inputs: await bundle.watchFiles }
  } finally {
    await bundle.close()
    rmSync(file, { force: true })
  }
}

/** Another process may read the file meanwhile, or write the same. */
function replace(file, text) {
  const next = `${file}.${process.pid}`
  writeFileSync(next, text)
  renameSync(next, file)
}

function stateOf(file) {
  const stat = statSync(file, { throwIfNoEntry: false })
  return stat === undefined ? null : `${stat.size} ${stat.mtimeMs}`
}

function readIfExists(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (error.code === 'ENOENT') return null
    throw error
  }
}
