import { afterAll, beforeAll, expect, test } from 'vitest'
import { startCommand } from '../support/command.ts'
import { pageBody, startService, type TestService } from '../support/service.ts'

let service: TestService
let project: string
beforeAll(async () => {
  service = await startService()
  project = await service.newProject()
})
afterAll(() => service.close())

const start = (...args: string[]) =>
  startCommand(['changes', ...args], {
    QUOIN_KEY: service.key,
    QUOIN_URL: service.url,
    QUOIN_PROJECT: project,
  })
const quoin = (...args: string[]) => start(...args).ended
const newPage = async (slug: string): Promise<string> =>
  (await service.call('POST', '/pages', pageBody(project, { slug }))).body.data.id
const position = (err: string) => /--since (\S+)/.exec(err)?.[1] ?? ''

test('changes are printed a line each, and the position to go on from to standard error', async () => {
  const first = await newPage('first')
  const all = await quoin()
  expect(all.code).toBe(0)
  const changes = all.out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(changes.map(({ seq }) => seq)).toEqual([1, 2, 3])
  expect(changes.at(-1)).toMatchObject({ record: 'page', id: first, act: 'page.create' })
  const since = position(all.err)
  expect(await quoin('--since', since)).toEqual({ code: 0, out: '', err: all.err })

  const second = await newPage('second')
  const later = await quoin('--since', since, '--records', 'page,asset', '--json')
  expect(JSON.parse(later.out)).toMatchObject({ ok: true, changes: [{ id: second }] })
  expect(JSON.parse(later.out).next).toMatch(/^4-/)
})

test('with --follow it waits for changes until it is stopped', async () => {
  const command = start('--since', 'now', '--follow')
  // It has asked for the present position when its first question was answered.
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  const page = await newPage('followed')
  await command.line(new RegExp(page))
  command.kill('SIGTERM')
  const { code, out, err } = await command.ended
  expect(code).toBe(0)
  expect(out.trimEnd().split('\n')).toHaveLength(1)
  expect(position(err)).not.toBe('')
})

test('wrong flags and positions are explained', async () => {
  const other = await service.newProject()
  const { next } = (await service.call('GET', `/projects/${other}/changes`)).body.meta
  const gone = await quoin('--since', next)
  expect(gone.code).toBe(1)
  expect(gone.err).toContain('since: is no position of this project')
  expect((await quoin('--follow', '--json')).code).toBe(2)
  const unnamed = await startCommand(['changes'], { QUOIN_KEY: service.key, QUOIN_URL: service.url }).ended
  expect([unnamed.code, unnamed.err]).toEqual([2, expect.stringContaining('--project: name the project')])
})
