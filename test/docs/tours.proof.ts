import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { symlink } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { PACKAGE_ROOT } from '../../src/platform/package-paths.ts'
import { readSiteFiles } from '../site-build/read-site-files.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** Installing, building and the demo are not repeated here; a service ends with the script. */
const SHIMS = `
npm() { :; }
trap '[ -z "\${SERVER:-}" ] || kill $SERVER 2>/dev/null; wait' EXIT
`
const TIME_LIMIT_MS = 120_000

/** Every `bash` example of a document, in order, as somebody who pastes them runs them. */
function pasted(file: string, section = ''): string {
  const text = readFileSync(join(PACKAGE_ROOT, file), 'utf8')
  const part = text.slice(text.indexOf(section)).split(/\n## /)[0] ?? ''
  const examples = [...(section === '' ? text : part).matchAll(/^```bash\n([\s\S]*?)^```$/gm)]
  return examples
    .map(([, code = '']) => code)
    .join('\n')
    .replace(/^quoin dev .*$/gm, '')
}

async function run(script: string) {
  const folder = await temporaryFolder()
  await symlink(join(PACKAGE_ROOT, 'dist'), join(folder, 'dist'))
  const env = {
    PATH: process.env['PATH'],
    QUOIN_PORT: String(await freePort()),
    QUOIN_DATA: join(folder, 'service'),
  }
  const { stdout, stderr } = await promisify(execFile)('bash', ['-c', SHIMS + script], {
    cwd: folder,
    env,
    timeout: TIME_LIMIT_MS,
  })
  return { folder, printed: stdout + stderr }
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('The server has no port.')
  return address.port
}

test.each([
  ['README.md', '## Way in 2'],
  ['templates/docs-site/docs/getting-started.md', ''],
])('the tour of the API in %s works as pasted', async (file, section) => {
  const { printed } = await run(pasted(file, section))
  expect(printed).not.toMatch(/"statusCode"|Error/)
  expect(printed.match(/"release_id"/g)).toHaveLength(2)
  expect(printed).toMatch(/"dry_run":true/)
  expect(printed).toMatch(/<title>/)
})

test('a step of the tour that fails prints the answer of the API', async () => {
  const tour = pasted('README.md', '## Way in 2')
  const { printed } = await run(tour.replace('"name":"My site"', '"name":7'))
  expect(printed).toMatch(/"statusCode":422,"name":"validation_error"/)
  expect(printed).not.toMatch(/TypeError/)
})

test.each([
  ['README.md', '## Way in 1'],
  ['templates/docs-site/docs/build-from-a-folder.md', ''],
])('the way from a folder to a deployed site in %s works as pasted', async (file, section) => {
  const { folder, printed } = await run(pasted(file, section))
  expect(printed).not.toMatch(/^quoin:/m)
  const files = await readSiteFiles(join(folder, 'data/www'))
  expect([...files.keys()]).toEqual(expect.arrayContaining(['index.html', 'blog/hello/index.html']))
})
