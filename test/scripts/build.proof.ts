import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'

const run = promisify(execFile)
const scripts = fileURLToPath(new URL('../../scripts', import.meta.url))

/** A checkout with one source, whose compiler writes down that it ran and takes a moment. */
function checkout() {
  const root = mkdtempSync(join(tmpdir(), 'quoin-checkout-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  const folders = ['src', 'scripts', 'dist', 'templates/dashboard/editor', '.cache/build-lock']
  for (const folder of [...folders, 'node_modules/typescript/bin'])
    mkdirSync(join(root, folder), { recursive: true })
  for (const name of ['build.mjs', 'quoin.mjs']) cpSync(join(scripts, name), join(root, 'scripts', name))
  for (const name of ['package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json'])
    writeFileSync(join(root, name), '{"type":"module"}')
  writeFileSync(join(root, 'node_modules/typescript/package.json'), '{"type":"module"}')
  writeFileSync(
    join(root, 'node_modules/typescript/bin/tsc'),
    `import { appendFileSync, existsSync } from 'node:fs'
     if (existsSync('src/broken')) process.exit(2)
     appendFileSync('compiled.log', 'x')
     await new Promise((resolve) => setTimeout(resolve, 300))`,
  )
  writeFileSync(
    join(root, 'scripts/bundle.mjs'),
    `import { readFileSync, writeFileSync } from 'node:fs'
     writeFileSync('dist/cli.js', 'console.log(' + JSON.stringify(readFileSync('src/a.ts', 'utf8')) + ', ...process.argv.slice(2))')`,
  )
  for (const name of ['client.mjs', 'editor-schemas.mjs']) writeFileSync(join(root, 'scripts', name), '')
  writeFileSync(join(root, 'src/a.ts'), 'first')
  return {
    write: (name: string, text: string) => writeFileSync(join(root, name), text),
    makeFolder: (name: string) => mkdirSync(join(root, name)),
    entries: (name: string) => readdirSync(join(root, name)).sort(),
    remove: (name: string) => rmSync(join(root, name)),
    quoin: async (...args: string[]) =>
      (await run(process.execPath, [join(root, 'scripts/quoin.mjs'), ...args])).stdout.trim(),
    compiled: () => readFileSync(join(root, 'compiled.log'), 'utf8').length,
  }
}

test('a command in a checkout compiles once, and again only after a source changed, came or went', async () => {
  const { write, remove, quoin, compiled } = checkout()
  expect(await quoin('build', 'my-site')).toBe('first build my-site')
  expect(await quoin()).toBe('first')
  expect(compiled()).toBe(1)
  write('src/a.ts', 'second')
  expect(await quoin()).toBe('second')
  write('src/b.ts', '')
  await quoin()
  expect(compiled()).toBe(3)
  remove('src/b.ts')
  await quoin()
  expect(compiled()).toBe(4)
})

test('commands that start at once after a change compile once', async () => {
  const { quoin, compiled } = checkout()
  expect(await Promise.all([quoin('1'), quoin('2'), quoin('3')])).toEqual(['first 1', 'first 2', 'first 3'])
  expect(compiled()).toBe(1)
})

test('a build that failed, and the lock of one that was killed, do not stop the next', async () => {
  const { write, remove, quoin, compiled } = checkout()
  write('src/broken', '')
  await expect(quoin()).rejects.toMatchObject({ code: 2 })
  remove('src/broken')
  // No process has this id: Linux ends at 2^22.
  write('.cache/build-lock/killed', '99999999')
  expect(await quoin()).toBe('first')
  expect(compiled()).toBe(1)
})

test('what killed builds prepared is removed, and that of a running one is not', async () => {
  const { write, makeFolder, quoin, entries } = checkout()
  makeFolder('.cache/build-lock.killed')
  write('.cache/build-lock.killed/killed', '99999999')
  makeFolder('.cache/build-lock.running')
  write('.cache/build-lock.running/running', String(process.pid))
  await quoin()
  expect(entries('.cache')).toEqual(['build-lock', 'build-lock.running'])
})
