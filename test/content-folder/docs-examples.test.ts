import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { PACKAGE_ROOT } from '../../src/platform/package-paths.ts'

/** What a shell would send, and nothing else of what the example does. */
const SHELL = `
body() { if [ "$1" = @- ]; then cat; else printf %s "$1"; fi; printf '\\0'; }
curl() {
  while [ $# -gt 0 ]; do
    case "$1" in -d|--data|--data-binary) body "$2" >&3; shift ;; esac
    shift
  done
  return 0
}
api() { curl "$@"; }
quoin() { :; }; npm() { :; }; node() { :; }; jq() { :; }; kill() { :; }; sudo() { :; }
exec 3>&1 >/dev/null
`

const sent = /(?:^|\s)(?:-d|--data|--data-binary)\s/

function examplesOf(file: string): readonly string[] {
  const text = readFileSync(join(PACKAGE_ROOT, file), 'utf8')
  return [...text.matchAll(/^```(?:bash|sh)\n([\s\S]*?)^```$/gm)]
    .map(([, code = '']) => code)
    .filter((code) => /\b(?:curl|api)\b/.test(code) && sent.test(code))
}

const DOCS = 'templates/docs-site/docs'
const examples = [
  'README.md',
  ...readdirSync(join(PACKAGE_ROOT, DOCS), { recursive: true, encoding: 'utf8' }),
]
  .filter((name) => name.endsWith('.md'))
  .flatMap((name) => {
    const file = name === 'README.md' ? name : `${DOCS}/${name}`
    return examplesOf(file).map((code, index) => [`${file} (${index + 1})`, code] as const)
  })

test('there are examples that send something', () => {
  expect(examples.length).toBeGreaterThan(10)
})

test.each(examples)('what an example sends is JSON, as it stands: %s', (_, code) => {
  const env = {
    PATH: process.env['PATH'],
    PROJECT: 'proj_a',
    PAGE: 'page_a',
    KEY: 'qn_test',
    QUOIN: 'http://q',
  }
  const out = execFileSync('bash', ['-c', SHELL + code], {
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const bodies = out.split('\0').slice(0, -1)
  expect(bodies.length).toBeGreaterThan(0)
  // What another program would have made is not there.
  for (const body of bodies.filter((body) => body !== '')) expect(() => JSON.parse(body), body).not.toThrow()
})
