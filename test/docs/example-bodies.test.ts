import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { PACKAGE_ROOT } from '../../src/platform/package-paths.ts'

/** Replaces the commands of an example: `curl` prints the bodies that it would send, the others do nothing. */
const SHELL = `
body() { case "$1" in @-) cat ;; @*) ;; *) printf %s "$1" ;; esac; printf '\\0'; }
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
const examples = readdirSync(join(PACKAGE_ROOT, DOCS), { recursive: true, encoding: 'utf8' })
  // `tours.proof.ts` runs the examples of this page against a service.
  .filter((name) => name.endsWith('.md') && name !== 'getting-started.md')
  .flatMap((name) => {
    const file = `${DOCS}/${name}`
    return examplesOf(file).map((code, index) => [`${file} (${index + 1})`, code] as const)
  })

test('the documentation has examples that send a body', () => {
  expect(examples.length).toBeGreaterThan(10)
})

test.each(examples)('the bodies that an example sends are valid JSON: %s', (_, code) => {
  const env = {
    PATH: process.env['PATH'],
    PROJECT: 'proj_a',
    PAGE: 'page_a',
    KEY: 'qn_test',
    QUOIN: 'http://q',
  }
  const out = execFileSync('bash', ['-c', `${SHELL}${code}\ntrue`], {
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const bodies = out.split('\0').slice(0, -1)
  expect(bodies.length).toBeGreaterThan(0)
  // Bodies from files and from the output of other commands are empty here.
  for (const body of bodies.filter((body) => body !== '')) expect(() => JSON.parse(body), body).not.toThrow()
})
