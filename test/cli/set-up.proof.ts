import { expect, test } from 'vitest'
import { startCommand } from '../support/command.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const quoin = (args: readonly string[]) => startCommand([...args]).ended

const LINK = /(http:\/\/127\.0\.0\.1:\d+\/dashboard\/set-up\?token=([\w-]{43}))/

test('a service without a password prints one link for its first owner, also at further starts, and logs none', async () => {
  const data = await temporaryFolder()
  const serve = () =>
    startCommand(['serve', '--data', data, '--port', '0', '--allow-http', 'true', '--log-level', 'debug'])
  const stopped = async (server: ReturnType<typeof serve>) => {
    server.kill('SIGTERM')
    return server.ended
  }

  const first = serve()
  const [line, url, token = ''] = await first.line(
    new RegExp(
      `^No user has a password yet\\. Set that of owner@localhost within 24 hours at ${LINK.source}$`,
      'm',
    ),
  )
  expect(line).toContain(url)
  await fetch(String(url))
  const ended = await stopped(first)
  expect(ended.err).not.toContain(token)
  expect(ended.out.split(token)).toHaveLength(2)

  const second = serve()
  await second.line(/^No user has a password yet\. The link that was printed before works/m)
  expect((await stopped(second)).out).not.toMatch(LINK)

  const printed = await quoin([
    'users',
    'set-up',
    'owner@localhost',
    '--data',
    data,
    '--base-url',
    'https://x.example',
  ])
  expect(printed.out).toMatch(/^ {2}https:\/\/x\.example\/dashboard\/set-up\?token=[\w-]{43}$/m)
  expect(printed.out).not.toContain(token)
})

test('a link for a user that does not exist is refused', async () => {
  const data = await temporaryFolder()
  await quoin(['users', 'create', '--email', 'ada@example.com', '--data', data])
  expect(await quoin(['users', 'set-up', 'bob@example.com', '--data', data])).toEqual({
    code: 1,
    out: '',
    err: 'quoin: No user has the address bob@example.com.\n',
  })
})
