import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startCommand } from '../support/command.ts'
import { type Installation, installationWithout } from '../support/installation.ts'
import { flatPng, pngChunk } from '../support/pictures.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { writeFiles } from '../support/written-files.ts'

/** On a system for which the package sharp does not exist. */
let installation: Installation
beforeAll(async () => {
  installation = await installationWithout('sharp', '@img')
})
afterAll(() => installation.remove())

test('a build says once which pictures have no smaller ones, and why, and builds the site', async () => {
  const folder = await album()
  const build = () => quoin(['build', folder, '--out', join(folder, '../out'), '--strict']).ended
  for (const time of ['first', 'second']) {
    const { code, out, err } = await build()
    expect([code, err], time).toEqual([0, ''])
    expect(linesAbout(out), time).toEqual([
      '1 picture cannot be decoded, because the package sharp cannot be loaded: pages show the files as they are, without smaller ones. Install it for this system: npm install --include=optional.',
    ])
  }
  const json = await quoin(['build', folder, '--out', join(folder, '../out'), '--json']).ended
  expect(JSON.parse(json.out).undecoded_pictures).toBe(1)
  expect(await readFile(join(folder, '../out/docs/a/index.html'), 'utf8')).toContain(
    'width="900" height="600"',
  )
})

test('a preview says so', async () => {
  const dev = quoin(['dev', await album(), '--port', '0'])
  await dev.line(/Press Ctrl/)
  dev.kill('SIGTERM')
  expect(linesAbout((await dev.ended).out)).toHaveLength(1)
})

test('a service says so at its start, and a push that its pictures get no smaller ones', async () => {
  const env = { QUOIN_DATA: await temporaryFolder(), QUOIN_PORT: '0', QUOIN_ALLOW_HTTP: 'true' }
  const { out } = await quoin(['keys', 'create', '--name', 'test', '--json'], env).ended
  const service = quoin(['serve'], env)
  const [, url = ''] = await service.line(/ready at (\S+)/)
  await expect.poll(() => linesAbout(service.err())).toHaveLength(1)
  const access = { QUOIN_KEY: JSON.parse(out).key, QUOIN_URL: url }
  const pushed = await quoin(['push', await album(), '--publish'], access).ended
  expect([pushed.code, linesAbout(pushed.out)]).toEqual([
    0,
    [
      'The server cannot decode 1 picture: pages show the files as they are, without smaller ones, until its operator has installed the package sharp.',
    ],
  ])
})

test('the doctor says so, with the command that brings the package', async () => {
  const { out } = await quoin(['doctor', '--json', '--no-network'], { QUOIN_DATA: await temporaryFolder() })
    .ended
  expect(JSON.parse(out).findings).toContainEqual({
    check: 'pictures',
    level: 'warning',
    message:
      'Pictures are served as they are uploaded, without smaller ones, because the package sharp cannot be loaded.',
    remedy: 'npm install --include=optional',
  })
})

function quoin(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  return startCommand(args, env, installation.program)
}

function linesAbout(text: string): readonly string[] {
  return text.split('\n').filter((line) => line.includes('sharp'))
}

async function album(): Promise<string> {
  const folder = join(await temporaryFolder(), 'site')
  await writeFiles(folder, {
    'site.yaml': 'name: Album\nurl: https://album.example\n',
    'index.md': '---\ntitle: Home\n---\nHello.\n',
    'docs/a.md': '---\ntitle: A\n---\n![A](a.png)\n',
  })
  // Small files gain nothing, and are not read.
  const text = pngChunk('tEXt', Buffer.alloc(10_000, 'a'))
  await writeFile(join(folder, 'docs/a.png'), flatPng(900, 600, [text]))
  return folder
}
