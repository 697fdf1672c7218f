import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startCommand } from '../support/command.ts'
import { pageBody } from '../support/service.ts'

const WORD = 'Periwinkle'

test('keys, preview tokens and secrets appear in no file, log or metric', async () => {
  const data = await mkdtemp(join(tmpdir(), 'quoin-secrets-'))
  onTestFinished(() => rm(data, { recursive: true, force: true }))
  const settings = {
    QUOIN_DATA: data,
    QUOIN_PORT: '0',
    QUOIN_ALLOW_HTTP: 'true',
    QUOIN_LOG_LEVEL: 'debug',
    QUOIN_WEBHOOK_ALLOW_PRIVATE: 'true',
  }
  const service = startCommand(['serve'], settings)
  const [, base = ''] = await service.line(/(http:\S+)/)
  const created = await startCommand(['keys', 'create', '--name', 'test', '--json'], settings).ended
  const { key } = JSON.parse(created.out)
  const master = (await readFile(join(data, 'master.key'), 'utf8')).trim()

  const call = async (method: string, path: string, body?: object, headers: Record<string, string> = {}) => {
    const response = await fetch(base + path, {
      method,
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', ...headers },
      ...(body && { body: JSON.stringify(body) }),
    })
    const answer = await response.text()
    return answer.startsWith('{') ? JSON.parse(answer) : {}
  }
  const project = (await call('POST', '/projects', { name: WORD }, { 'Idempotency-Key': 'a' })).data.id
  const page = (await call('POST', '/pages', pageBody(project), { 'Idempotency-Key': 'b' })).data.id
  const { token } = (await call('POST', `/pages/${page}/preview`, {}, { 'Idempotency-Key': 'c' })).data
  await call('GET', `/render/${page}?token=${token}`)
  const hooks = `/projects/${project}/webhooks`
  // No server listens on this port, so the attempt fails and is logged.
  const webhook = (await call('POST', hooks, { url: 'http://127.0.0.1:9/' }, { 'Idempotency-Key': 'e' })).data
  const rotated = (await call('POST', `${hooks}/${webhook.id}/rotate-secret`)).data
  await call('POST', `/pages/${page}/publish`)
  await expect
    .poll(async () => (await call('GET', `${hooks}/${webhook.id}/deliveries`)).data[0]?.tries.length)
    .toBeGreaterThan(0)
  const webhookSecrets = [webhook.secret, rotated.secret].map((secret) => secret.replace('whsec_', ''))
  const contentKeys = [
    (await call('POST', `/projects/${project}/data-mode/enable`, {}, { 'Idempotency-Key': 'd' })).data
      .encryption_key,
    (await call('POST', `/v1/projects/${project}/data-mode`, { action: 'regenerate-key' })).data.contentKey,
  ]
  const answers = await Promise.all(
    ['', '/settings', '/data-mode'].flatMap((path) => [
      call('GET', `/projects/${project}${path}`),
      call('GET', `/v1/projects/${project}${path}`),
    ]),
  )
  answers.push(await call('GET', hooks), await call('GET', `${hooks}/${webhook.id}/deliveries`))
  const onceShown = [...contentKeys, ...webhookSecrets].flatMap(encodings)

  // Errors of every kind, including an internal one. Logs must not contain the request.
  await call('GET', `/nothing?key=${key}&token=${token}`)
  await call('POST', '/pages', { title: 5 }, { 'X-Request-Id': 'fault' })
  await rm(join(data, 'cdn'), { recursive: true })
  await writeFile(join(data, 'cdn'), 'A file where a folder belongs.')
  const failed = await call(
    'PUT',
    `/pages/${page}`,
    { title: 'Other', status: 'published' },
    { 'X-Request-Id': 'failing' },
  )
  expect(failed.name).toBe('internal_error')
  const alive = await holders(data, [WORD])
  const leaks = await holders(data, [key, key.slice(8), token, token.split('.').at(-1)])
  const contentLeaks = await holders(data, onceShown)
  const masters = await holders(data, [master])
  const measured = await (await fetch(`${base}/metrics`)).text()
  for (const secret of [key, token, master, ...onceShown]) expect(measured).not.toContain(secret.toString())

  service.kill('SIGTERM')
  const { out, err } = await service.ended
  expect(err).toContain('"level":50')
  const lines = err.split('\n').filter((line) => line.includes('failing'))
  expect(lines.map((line) => JSON.parse(line)).map(({ msg }) => msg)).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^A publish failed/),
      'Request failed.',
      'A request was answered.',
    ]),
  )
  // A control: the search finds the project's name.
  expect(alive.length).toBeGreaterThan(0)
  expect(leaks).toEqual([])
  expect(contentLeaks).toEqual([])
  for (const encoded of onceShown)
    for (const text of [JSON.stringify(answers), out, err]) expect(text).not.toContain(encoded.toString())
  expect(masters).toEqual(['master.key'])
  expect(await holders(data, [key, token])).toEqual([])
  for (const secret of [key, token, master]) {
    expect(out).not.toContain(secret)
    expect(err).not.toContain(secret)
  }
  expect(created.err).not.toContain(key)
})

/** The bytes of a secret in every encoding it may have. */
function encodings(key: string): readonly Buffer[] {
  const raw = Buffer.from(key, 'base64')
  const hex = raw.toString('hex')
  return [
    raw,
    ...[key.slice(0, -1), raw.toString('base64url'), hex, hex.toUpperCase()].map((text) => Buffer.from(text)),
  ]
}

/** Files in a folder that contain one of these texts, in UTF-8, UTF-16 or base64. */
async function holders(folder: string, texts: readonly (string | Buffer)[]): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
  const needles = texts.flatMap((text) => [
    Buffer.from(text),
    Buffer.from(text.toString(), 'utf16le'),
    Buffer.from(Buffer.from(text).toString('base64').slice(0, -4)),
  ])
  const found = await Promise.all(
    files.map(async (file) => {
      const bytes = await readFile(file)
      return needles.some((needle) => bytes.includes(needle)) ? [file.slice(folder.length + 1)] : []
    }),
  )
  return found.flat().sort()
}
