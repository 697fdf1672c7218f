import { once } from 'node:events'
import type { Socket } from 'node:net'
import { describe, expect, test } from 'vitest'
import { LONG_FORM } from '../support/long-form.ts'
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts'

/** Memory that no attack may add, in MiB. Each of these added more, or grew without end, before it was bounded. */
const MOST_ADDED = 300
/** Uploads that never end. */
const UNFINISHED = LONG_FORM ? 3_000 : 1_000
/** Small, so that a test need not wait for the half minute of the default. */
const STALL = { QUOIN_STALL_SECONDS: '2' }

describe.runIf(process.platform === 'linux')('clients that never read or never finish', () => {
  test('cannot make the service hold lists of large pages, and are disconnected', async () => {
    const service = await startServiceProcess(STALL)
    const project = await createPages(service, 8)
    const path = `/pages?project_id=${project}&include_content=true&limit=60`
    const { added } = await duringAttack(service, async () => {
      for (let i = 0; i < 16; i++) service.open(getRequest(path, service.keys[0]))
      await expect
        .poll(() => service.metric('quoin_connections_closed_total{reason="answer"}'))
        .toBeGreaterThan(0)
    })
    // The lists are 640 MiB.
    expect(added).toBeLessThan(MOST_ADDED)
  })

  test('cannot make the service read one large page for each of many requests', async () => {
    const service = await startServiceProcess()
    const project = await createPages(service, 1)
    const { body } = await call(service, 'GET', `/pages?project_id=${project}`)
    const { added, result } = await duringAttack(service, async () => {
      const request = getRequest(`/pages/${body.data[0].id}`, service.keys[0])
      return Promise.all(Array.from({ length: 120 }, () => answerTo(service.open(request))))
    })
    expect([...new Set(result)].sort()).toEqual([200, 503])
    // Together the pages are 600 MiB, and what is made of them is several times as much. The answers are read as fast
    // as they come, so most of what is added is garbage that V8 has not collected yet: 75 to 480 MB were seen.
    expect(added).toBeLessThan(2 * MOST_ADDED)
  })

  test('are refused beyond the connections of an address, and the others are answered', async () => {
    const service = await startServiceProcess({ QUOIN_MAX_CONNECTIONS_PER_ADDRESS: '20' })
    const answers = await Promise.all(
      Array.from({ length: 60 }, () => answerTo(service.open(getRequest('/healthz')))),
    )
    expect(answers.filter((status) => status === 200)).toHaveLength(20)
    expect(answers.filter((status) => status === 503 || status === null)).toHaveLength(40)
  })

  test('lose a body that does not arrive, and cannot hold more bodies than the budget', async () => {
    const service = await startServiceProcess(STALL)
    const length = 4_000_000
    const unfinished = Buffer.alloc(length - 1, 'x')
    const { added, result } = await duringAttack(service, async () => {
      const statuses = Array.from({ length: 60 }, () => {
        const socket = service.open(postRequest(service.keys[0], `Content-Length: ${length}`))
        socket.write(unfinished)
        return answerTo(socket)
      })
      return Promise.all(statuses)
    })
    expect(added).toBeLessThan(MOST_ADDED)
    // Those within the budget are told that the body took too long; the rest is refused at once.
    expect(result.filter((status) => status === 422).length).toBeGreaterThan(5)
    expect(result.filter((status) => status === 200 || status === 500)).toEqual([])
  })

  test('cannot keep the uploads of others waiting with thousands of their own that do not arrive', async () => {
    const service = await startServiceProcess({ ...STALL, QUOIN_MAX_CONNECTIONS_PER_ADDRESS: '10000' })
    const project: string = (await call(service, 'POST', '/projects', { name: 'Site' })).body.data.id
    const headers = { Authorization: `Bearer ${service.keys[1]}` }
    const other = { ...service, keys: [service.keys[1], service.keys[0]] as const }
    const theirs: string = (await call(other, 'POST', '/projects', { name: 'Other' })).body.data.id
    const upload = (name: string) =>
      fetch(`${service.url}/projects/${theirs}/assets?name=${name}`, { method: 'POST', headers, body: name })
    const request = `POST /projects/${project}/assets?name=a.txt HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${service.keys[0]}\r\nContent-Type: text/plain\r\nContent-Length: 1000000\r\n\r\nx`
    const { added, result } = await duringAttack(service, async () => {
      const unfinished = Array.from({ length: UNFINISHED }, () => answerTo(service.open(request)))
      const uploads: number[] = []
      for (let n = 0; n < 20; n++) uploads.push((await upload(`file-${n}.txt`)).status)
      return { uploads, statuses: new Set(await Promise.all(unfinished)) }
    })
    expect(new Set(result.uploads)).toEqual(new Set([201]))
    // Refused: no turn, or a body that took too long. The connection may be closed before the answer is read.
    expect(
      [...result.statuses].filter((status) => status !== null && (status < 400 || status === 500)),
    ).toEqual([])
    expect(added).toBeLessThan(MOST_ADDED)
  })

  test('cannot make a chunk cost more than its bytes', async () => {
    const service = await startServiceProcess()
    const chunks = '1\r\nx\r\n'.repeat(700_000)
    const { added, result } = await duringAttack(service, async () => {
      const statuses = Array.from({ length: 4 }, () => {
        const socket = service.open(postRequest(service.keys[0], 'Transfer-Encoding: chunked'))
        socket.write(`${chunks}0\r\n\r\n`)
        return answerTo(socket)
      })
      return Promise.all(statuses)
    })
    expect(result).toEqual([422, 422, 422, 422])
    expect(added).toBeLessThan(MOST_ADDED)
  })

  test('cannot have thousands of requests of a connection handled at once', async () => {
    const service = await startServiceProcess()
    const socket = service.open(getRequest('/healthz').repeat(1_000))
    await once(socket.resume(), 'close')
    expect(await service.metric('quoin_connections_closed_total{reason="pipelining"}')).toBe(1)
  })
})

/** Runs an attack while a bystander with another key makes requests, which must succeed throughout. */
async function duringAttack<T>(service: ServiceProcess, attack: () => Promise<T>) {
  const headers = { Authorization: `Bearer ${service.keys[1]}` }
  const calm = service.memory() ?? Number.NaN
  let peak = calm
  let isOver = false
  const measuring = setInterval(() => (peak = Math.max(peak, service.memory() ?? 0)), 20)
  const bystander = (async () => {
    const statuses = new Set<number>()
    while (!isOver) statuses.add((await fetch(`${service.url}/users/me`, { headers })).status)
    return [...statuses]
  })()
  try {
    const result = await attack()
    isOver = true
    expect(await bystander).toEqual([200])
    return { added: peak - calm, result }
  } finally {
    isOver = true
    clearInterval(measuring)
  }
}

function getRequest(path: string, key?: string): string {
  const authorization = key === undefined ? '' : `Authorization: Bearer ${key}\r\n`
  return `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${authorization}\r\n`
}

async function call({ url, keys: [key] }: ServiceProcess, method: string, path: string, body?: object) {
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
  const response = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  return { status: response.status, body: JSON.parse(await response.text()) }
}

/** Creates pages of almost 5 MiB. @returns their project. */
async function createPages(service: ServiceProcess, count: number): Promise<string> {
  const project: string = (await call(service, 'POST', '/projects', { name: 'Site' })).body.data.id
  const page = { project_id: project, title: 'A page', subroute: '', type: 'article' }
  for (let n = 0; n < count; n++) {
    const body = { ...page, slug: `page-${n}`, markdown_content: 'x'.repeat(5_200_000) }
    expect((await call(service, 'POST', '/pages', body)).status).toBe(201)
  }
  return project
}

function postRequest(key: string, length: string): string {
  return `POST /pages HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\n${length}\r\n\r\n`
}

/** The status of the first answer; null when the connection is closed without one. */
function answerTo(socket: Socket): Promise<number | null> {
  return new Promise((resolve) => {
    socket.once('data', (data) => resolve(Number(/^HTTP\/1\.1 (\d+)/.exec(String(data))?.[1] ?? Number.NaN)))
    socket.once('close', () => resolve(null))
    socket.resume()
  })
}
