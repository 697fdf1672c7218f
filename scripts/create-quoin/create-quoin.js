#!/usr/bin/env node
// `npm create quoin my-site`: as `quoin init`, with a package.json that pins the version of Quoin.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const HELP = `Usage: npm create quoin [folder] [-- --template <name>] [-- --name <text>]

Creates a site in a new folder (default: this one), with a package.json that pins the version of Quoin.
Options are those of quoin init.

Example:
  npm create quoin my-site -- --template docs`

const args = process.argv.slice(2)
if (args.includes('--help') || args.includes('-h')) {
  console.log(HELP)
  process.exit()
}
const [given] = args
const path = given === undefined || given.startsWith('-') ? '.' : given
const manifest = join(resolve(path), 'package.json')
if (existsSync(manifest)) {
  console.error(
    `create-quoin: ${manifest} exists. Run npm install --save-dev quoin and npx quoin init there.`,
  )
  process.exit(2)
}

const root = fileURLToPath(new URL('.', import.meta.resolve('quoin/package.json')))
const { version, bin } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const { status } = spawnSync(process.execPath, [join(root, bin.quoin), 'init', ...args, '--json'], {
  stdio: ['inherit', 'ignore', 'inherit'],
})
if (status !== 0) process.exit(status ?? 1)

writeFileSync(
  manifest,
  `${JSON.stringify(
    {
      name: packageName(basename(resolve(path))),
      private: true,
      type: 'module',
      scripts: { dev: 'quoin dev .', build: 'quoin build . --out dist' },
      devDependencies: { quoin: version },
    },
    null,
    2,
  )}\n`,
)
writeFileSync(join(resolve(path), '.gitignore'), '/dist/\n/node_modules/\n')
const enter = path === '.' ? '' : `cd ${path}\n`
console.log(`Created a site with Quoin ${version}.\n\n${enter}npm install\nnpm run dev`)

/** @returns a name that npm accepts. */
function packageName(folder) {
  return (
    folder
      .toLowerCase()
      .replaceAll(/[^a-z0-9-]+/g, '-')
      .replaceAll(/^-+|-+$/g, '') || 'site'
  )
}
