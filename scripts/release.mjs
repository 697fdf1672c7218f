// Prepares a release: `node scripts/release.mjs 0.2.0`. Sets the version, dates the changelog, writes the packages, a
// bill of materials and checksums to release/, commits and tags. Publishes nothing; the last lines say how.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const target = `${root}release`
const CREATE_QUOIN = 'scripts/create-quoin/package.json'
const UNRELEASED = '## Unreleased\n'

const run = (program, ...args) =>
  execFileSync(program, args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }).trim()

const [version = ''] = process.argv.slice(2)
if (!/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version)) fail('Usage: node scripts/release.mjs <version>, e.g. 0.2.0')
if (run('git', 'status', '--porcelain') !== '') fail('The working tree has changes. Commit them first.')
if (run('git', 'tag', '--list', `v${version}`) !== '') fail(`v${version} exists already.`)
const changelog = readFileSync(`${root}CHANGELOG.md`, 'utf8')
const [before, rest] = changelog.split(UNRELEASED)
if (rest === undefined || rest.trimStart().startsWith('## '))
  fail('CHANGELOG.md has nothing under "Unreleased". Write what changed for users.')

const day = new Date().toISOString().slice(0, 10)
writeFileSync(`${root}CHANGELOG.md`, `${before}${UNRELEASED}\n## ${version} (${day})\n${rest}`)
run('npm', 'version', version, '--no-git-tag-version', '--allow-same-version')
const starter = JSON.parse(readFileSync(root + CREATE_QUOIN, 'utf8'))
writeFileSync(
  root + CREATE_QUOIN,
  `${JSON.stringify({ ...starter, version, dependencies: { quoin: version } }, null, 2)}\n`,
)
rmSync(target, { recursive: true, force: true })
mkdirSync(target)
run('npm', 'pack', '--pack-destination', target)
run('npm', 'pack', './scripts/create-quoin', '--pack-destination', target)
writeFileSync(`${target}/sbom.json`, run('node', 'scripts/sbom.mjs'))
const sums = readdirSync(target)
  .sort()
  .map(
    (file) =>
      `${createHash('sha256')
        .update(readFileSync(`${target}/${file}`))
        .digest('hex')}  ${file}\n`,
  )
writeFileSync(`${target}/SHA256SUMS`, sums.join(''))

// Last: what cannot be packed is not tagged.
run('git', 'add', 'CHANGELOG.md', 'package.json', 'package-lock.json', CREATE_QUOIN)
run('git', 'commit', '--quiet', '-m', `Release ${version}`, '-m', 'What changed is in CHANGELOG.md.')
run('git', 'tag', '--annotate', `v${version}`, '-m', `Quoin ${version}`)

console.log(`Tagged v${version}; release/ has
${sums.join('')}
Run .ci/run on the tag. Then:
  node scripts/installation-fixture.mjs dist/cli.js ${version}   # for the tests of later upgrades; commit it
  git push --follow-tags
  npm publish release/quoin-${version}.tgz --provenance --access public
  npm publish release/create-quoin-${version}.tgz --provenance --access public`)

function fail(message) {
  console.error(message)
  process.exit(1)
}
