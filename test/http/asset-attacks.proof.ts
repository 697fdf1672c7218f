import { createHash } from 'node:crypto'
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { afterEach, describe, expect, onTestFinished, test } from 'vitest'
import { readId } from '../../src/domain/ids.ts'
import { StorageError } from '../../src/storage/storage.ts'
import { startCommand } from '../support/command.ts'
import { LONG_FORM } from '../support/long-form.ts'
import { createMemoryStorage, type MemoryStorage } from '../support/memory-storage.ts'
import { type ServiceOptions, startService, type TestService } from '../support/service.ts'
import { startServiceProcess } from '../support/service-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { databaseSettings } from '../support/test-database.ts'

let service: TestService | null = null
afterEach(async () => {
  await service?.close()
  service = null
})

describe('an upload leaves nothing', () => {
  const BOUNDARY = 'b'
  const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="a.bin"\r\n\r\n`
  const octets = 'Content-Type: application/octet-stream'
  const form = `Content-Type: multipart/form-data; boundary=${BOUNDARY}`

  test.each([
    ['with a length', `${octets}\r\nContent-Length: 100000`, 'x'.repeat(50_000)],
    ['in chunks', `${octets}\r\nTransfer-Encoding: chunked`, `c350\r\n${'x'.repeat(50_000)}\r\n`],
    ['in a form, in its file', `${form}\r\nContent-Length: 100000`, head + 'x'.repeat(50_000)],
    [
      'in a form, after its file',
      `${form}\r\nContent-Length: 100000`,
      `${head}${'x'.repeat(50_000)}\r\n--${BOUNDARY}\r\n`,
    ],
    ['in a form, before its file', `${form}\r\nContent-Length: 100000`, `--${BOUNDARY}\r\nContent-Dis`],
  ])('when its client disconnects: %s', async (_, headers, body) => {
    const { send, project, calm } = await start()
    const socket = send(`/projects/${project}/assets?name=a.bin`, headers, body)
    await expect.poll(() => socket.bytesWritten).toBeGreaterThan(body.length)
    // The service has begun to read it.
    await new Promise((resolve) => setTimeout(resolve, 50))
    socket.destroy()
    await calm()
  })

  test('when its client disconnects before its turn, which others have then', async () => {
    const { send, project, upload, running } = await start()
    const open = (headers: string, body: string) =>
      send(`/projects/${project}/assets?name=a.bin`, `${headers}\r\nContent-Length: 100000`, body)
    const arriving = async () => (await readdir(join(running.data, 'uploads')).catch(() => [])).length
    const uploading = Array.from({ length: 8 }, () => open(octets, 'x'.repeat(10)))
    await expect.poll(arriving).toBe(8)
    const waiting = Array.from({ length: 8 }, () => open(form, head))
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(await arriving()).toBe(8)
    for (const socket of waiting) socket.destroy()
    await new Promise((resolve) => setTimeout(resolve, 100))
    for (const socket of uploading) socket.destroy()
    expect((await upload('b.bin', 'bytes')).status).toBe(201)
  })

  test.runIf(LONG_FORM)('when it waits too long for its turn, and its client is told', async () => {
    const { send, project, upload, running } = await start({ env: { QUOIN_STALL_SECONDS: '60' } })
    const uploading = Array.from({ length: 8 }, () =>
      send(`/projects/${project}/assets?name=a.bin`, `${octets}\r\nContent-Length: 100000`, 'x'),
    )
    await expect
      .poll(async () => (await readdir(join(running.data, 'uploads')).catch(() => [])).length)
      .toBe(8)
    const late = await upload('b.bin', 'bytes')
    expect([late.status, late.headers.get('retry-after')]).toEqual([503, '5'])
    expect(late.body.message).toContain('Other uploads of this account run already.')
    for (const socket of uploading) socket.destroy()
    expect((await upload('b.bin', 'bytes')).status).toBe(201)
  })

  test('when it stalls, and its client is told', async () => {
    const { send, project, calm } = await start({ env: { QUOIN_STALL_SECONDS: '1' } })
    const socket = send(
      `/projects/${project}/assets?name=a.bin`,
      `${octets}\r\nContent-Length: 100000`,
      'x'.repeat(10),
    )
    let text = ''
    socket.on('data', (chunk) => (text += chunk))
    await new Promise((resolve) => socket.once('close', resolve))
    expect(text).toMatch(/^HTTP\/1\.1 422 /)
    await calm()
  })

  test('when its key is revoked while it arrives', async () => {
    const { running, send, project, calm } = await start()
    const key = await running.newKey()
    const { api_key_id } = (await running.call('GET', '/users/me', undefined, { key })).body.data
    const socket = send(
      `/projects/${project}/assets?name=a.bin`,
      `${octets}\r\nContent-Length: 10`,
      'x'.repeat(5),
      key,
    )
    let text = ''
    socket.on('data', (chunk) => (text += chunk))
    await new Promise((resolve) => setTimeout(resolve, 100))
    await running.server.service.accounts.revokeKey(readId('key', api_key_id) ?? expect.unreachable())
    socket.write('x'.repeat(5))
    await expect.poll(() => text).toMatch(/^HTTP\/1\.1 403 /)
    await calm()
  })

  test('when the store fails, at once or later', async () => {
    let fails = true
    let later = 0
    const store = createMemoryStorage({
      failOn: (operation) =>
        fails && operation !== 'check' ? new StorageError('The store is broken.', { transient: true }) : null,
    })
    const { running, project, upload } = await start({
      mediaStore: store,
      now: () => new Date(Date.now() + later).toISOString(),
    })
    expect((await upload('a.bin', 'bytes')).status).toBe(500)
    const used = async () => (await running.call('GET', '/users/me/usage')).body.data.account.media_bytes.used
    expect(await used()).toBe(0)
    fails = false
    expect((await upload('a.bin', 'bytes')).status).toBe(201)
    expect(await used()).toBe(5)
    const { data } = (await running.call('GET', `/projects/${project}/assets`)).body
    fails = true
    expect((await running.call('DELETE', `/assets/${data[0].id}`)).status).toBe(200)
    expect(await used()).toBe(0)
    fails = false
    expect(await store.list('')).toHaveLength(1)
    later = 60 * 60 * 1000
    await running.server.service.runHousekeeping()
    expect(await store.list('')).toEqual([])
  })

  test('after the service was killed, once an hour has passed', async () => {
    const data = await temporaryFolder()
    const settings = {
      ...{ QUOIN_DATA: data, QUOIN_PORT: '0', QUOIN_ALLOW_HTTP: 'true', QUOIN_LOG_LEVEL: 'error' },
      // As of the service that starts after it, while the killed one still counts as running.
      QUOIN_SITES_DOMAIN: 'sites.quoin.test',
      ...(await databaseSettings(data)),
    }
    const command = startCommand(['serve'], settings)
    const [, url = ''] = await command.line(/ready at (\S+)/)
    const created = await startCommand(
      ['keys', 'create', '--name', 'k', '--plan', 'enterprise', '--json'],
      settings,
    ).ended
    const { key } = JSON.parse(created.out)
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
    const answer = await fetch(`${url}/projects`, { method: 'POST', headers, body: '{"name":"Site"}' })
    const { data: project } = (await answer.json()) as { data: { id: string } }
    const acknowledged = new Set<string>()
    const worker = async (client: number) => {
      for (let n = 0; ; n++) {
        const body = Buffer.alloc(200_000, `${client}-${n}.`)
        const address = `${url}/projects/${project.id}/assets?name=${client}-${n}.bin`
        const { status } = await fetch(address, { method: 'POST', headers, body })
        if (status === 201) acknowledged.add(`${client}-${n}.bin`)
        if (acknowledged.size >= 40) process.kill(command.pid, 'SIGKILL')
      }
    }
    await Promise.allSettled(Array.from({ length: 8 }, (_, client) => worker(client)))
    await command.ended
    const uploads = join(data, 'uploads')
    await mkdir(uploads, { recursive: true })
    await writeFile(join(uploads, 'left.upload'), 'half')
    for (const name of await readdir(uploads)) await utimes(join(uploads, name), 0, 0)

    const hours = 3 * 60 * 60 * 1000
    service = await startService({ data, now: () => new Date(Date.now() + hours).toISOString() })
    await service.server.service.runHousekeeping()
    const stored = await objectsIn(join(data, 'media'))
    const digests = new Set<string>()
    const names = new Set<string>()
    for (let offset = 0; ; offset += 100) {
      const list = await service.call(
        'GET',
        `/projects/${project.id}/assets?limit=100&offset=${offset}`,
        undefined,
        { key },
      )
      for (const asset of list.body.data) {
        names.add(asset.name)
        digests.add(asset.digest)
      }
      if (!list.body.meta.has_more) break
    }
    for (const name of acknowledged) expect(names).toContain(name)
    expect(stored.map((name) => name.split('-')[0]).sort()).toEqual([...digests].sort())
    expect(await readdir(uploads)).toEqual([])
  })
})

test('many clients that upload at once, some of which are killed, leave whole files and bounded memory', async () => {
  const [files, bytes, killed] = LONG_FORM ? [1_000, 1_000_000, 50] : [150, 200_000, 15]
  const data = await temporaryFolder()
  const running = await startServiceProcess({ QUOIN_DATA: data })
  const headers = { Authorization: `Bearer ${running.keys[0]}`, 'Content-Type': 'application/json' }
  const answer = await fetch(`${running.url}/projects`, { method: 'POST', headers, body: '{"name":"Site"}' })
  const { data: project } = (await answer.json()) as { data: { id: string } }
  const upload = (name: string, body: Buffer) =>
    fetch(`${running.url}/projects/${project.id}/assets?name=${name}`, {
      method: 'POST',
      headers,
      body: new Uint8Array(body),
    })
  // Warm: what a first upload loads is no growth.
  for (let n = 0; n < 20; n++)
    expect((await upload(`warm-${n}`, Buffer.alloc(bytes, `warm ${n}`))).status).toBe(201)
  const before = running.memory() ?? 0
  let peak = before
  const watching = setInterval(() => (peak = Math.max(peak, running.memory() ?? 0)), 20)
  onTestFinished(() => clearInterval(watching))

  const done = new Map<string, string>()
  let next = 0
  const client = async () => {
    for (let n = next++; n < files; n = next++) {
      const body = Buffer.alloc(bytes, `file ${n} `)
      if (n % Math.floor(files / killed) === 0) await torn(`killed-${n}`, body)
      else {
        const { status } = await upload(`file-${n}`, body)
        if (status === 503) next = Math.min(next, n)
        else if (status === 201) done.set(`file-${n}`, digestOf(body))
        else throw new Error(`An upload was answered with ${status}.`)
      }
    }
  }
  await Promise.all(Array.from({ length: 16 }, client))
  console.log(
    `${files} uploads of ${bytes} bytes, ${killed} killed: memory + ${Math.round(peak - before)} MiB`,
  )
  expect(peak - before).toBeLessThan(150)

  const found = new Map<string, string>()
  for (let offset = 0; ; offset += 100) {
    const list = await fetch(
      `${running.url}/projects/${project.id}/assets?limit=100&offset=${offset}&q=file-*`,
      { headers },
    )
    const { data: page, meta } = (await list.json()) as {
      data: { name: string; digest: string }[]
      meta: { has_more: boolean }
    }
    for (const { name, digest } of page) found.set(name, digest)
    if (!meta.has_more) break
  }
  expect(found.size).toBe(files - Math.ceil(files / Math.floor(files / killed)))
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries(done))
  await expect.poll(() => readdir(join(data, 'uploads'))).toEqual([])
  expect(await objectsIn(join(data, 'media'))).toHaveLength(found.size + 20)

  /** Sends half of a file and is killed. */
  function torn(name: string, body: Buffer): Promise<void> {
    const socket = running.open(
      `POST /projects/${project.id}/assets?name=${name} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${running.keys[0]}\r\nContent-Length: ${body.length}\r\n\r\n`,
    )
    return new Promise((resolve) => {
      socket.write(body.subarray(0, body.length / 2), () => {
        socket.destroy()
        resolve()
      })
    })
  }
}, 600_000)

async function start(options: ServiceOptions & { readonly mediaStore?: MemoryStorage } = {}) {
  const running = await startService(options)
  service = running
  const project = await running.newProject()
  return {
    running,
    project,
    upload: (name: string, text: string) =>
      running.call('POST', `/projects/${project}/assets?name=${name}`, Buffer.from(text), {
        headers: { 'Content-Type': 'application/octet-stream' },
      }),
    /** Opens a connection and sends the beginning of a request. */
    send(path: string, headers: string, body: string, key = running.key) {
      const socket = connect(Number(new URL(running.url).port), '127.0.0.1')
      socket.on('error', () => {})
      socket.write(
        `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n${headers}\r\n\r\n${body}`,
      )
      return socket
    },
    /** Nothing arrives, is stored or counts. */
    async calm() {
      await expect.poll(() => readdir(join(running.data, 'uploads')).catch(() => [])).toEqual([])
      expect(await objectsIn(join(running.data, 'media'))).toEqual([])
      expect((await running.call('GET', `/projects/${project}/assets`)).body.data).toEqual([])
      expect((await running.call('GET', '/users/me/usage')).body.data.account.media_bytes.used).toBe(0)
    },
  }
}

/** Names of the files below a folder, without temporary ones. */
async function objectsIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile() && !entry.name.startsWith('\u007f')).map(({ name }) => name)
}

function digestOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}
