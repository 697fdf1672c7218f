// Writes a bill of materials, CycloneDX as JSON, of what an installation contains: `npm run --silent sbom > sbom.json`.
// npm lists the packages that are installed; those whose code is in the bundles are added from `dist/THIRD-PARTY.txt`.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const text = execFileSync(
  'npm',
  ['sbom', '--package-lock-only', '--omit=dev', '--sbom-format=cyclonedx', '--sbom-type=application'],
  { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
)
const bill = JSON.parse(text)
bill.metadata.component.name = 'quoin'
const lock = JSON.parse(readFileSync(`${root}package-lock.json`, 'utf8')).packages
const installed = new Set(bill.components.map((component) => component['bom-ref']))
const notices = readFileSync(`${root}dist/THIRD-PARTY.txt`, 'utf8')
for (const [, name, version, license] of notices.matchAll(/^-{80}\n\n(\S+) (\S+) \((.+)\)$/gm)) {
  if (installed.has(`${name}@${version}`)) continue
  const [, locked] = Object.entries(lock).find(
    ([path, entry]) => path.endsWith(`node_modules/${name}`) && entry.version === version,
  ) ?? [null, {}]
  bill.components.push({
    'bom-ref': `${name}@${version}`,
    type: 'library',
    name,
    version,
    scope: 'required',
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    properties: [{ name: 'quoin:bundled', value: 'true' }],
    ...(locked.integrity !== undefined && { hashes: [hash(locked.integrity)] }),
    licenses: [license.includes(' ') ? { expression: license } : { license: { id: license } }],
  })
}
console.log(JSON.stringify(bill, null, 2))

/** @param integrity as in a lock file, e.g. `sha512-…` in base64. */
function hash(integrity) {
  const [algorithm, digest] = integrity.split('-', 2)
  return {
    alg: algorithm.toUpperCase().replace('SHA', 'SHA-'),
    content: Buffer.from(digest, 'base64').toString('hex'),
  }
}
