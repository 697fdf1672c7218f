import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createLedger } from '../../src/db/ledger.ts'
import { openSqlite } from '../../src/db/sqlite.ts'
import { startCommand } from '../support/command.ts'

const PAGES = 12

interface ManifestPage {
  readonly id: string
  readonly file: string
}

/** A server on this data folder, and how to call it. */
async function serve(data: string, key?: string) {
  const server = startCommand(['serve', '--data', data, '--port', '0', '--allow-http', 'true'])
  const [, url = ''] = await server.line(/ready at (\S+)\n/)
  const call = async (method: string, path: string, body?: object) => {
    const response = await fetch(url + path, {
      method,
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return { status: response.status, body: JSON.parse(await response.text()) }
  }
  const visit = (path: string) => fetch(url + path)
  return { server, call, visit }
}

test.each([40, 250])(
  'a service killed %i ms into a burst of publishes has finished them all after its restart',
  async (ms) => {
    const data = mkdtempSync(join(tmpdir(), 'quoin-recovery-'))
    onTestFinished(() => rmSync(data, { recursive: true, force: true }))
    const made = await startCommand(['keys', 'create', '--name', 'x', '--data', data, '--json']).ended
    const { key } = JSON.parse(made.out)

    const before = await serve(data, key)
    const project = (await before.call('POST', '/projects', { name: 'Site' })).body.data.id
    const pages: string[] = []
    for (let i = 0; i < PAGES; i++) {
      const body = { project_id: project, title: `Page ${i}`, slug: `p-${i}`, subroute: 'docs', type: 'docs' }
      pages.push((await before.call('POST', '/pages', body)).body.data.id)
    }
    const acknowledged: string[] = []
    const publishing = pages.map(async (id) => {
      const answer = await before.call('POST', `/pages/${id}/publish`).catch(() => null)
      if (answer?.status === 200) acknowledged.push(id)
    })
    setTimeout(() => before.server.kill('SIGKILL'), ms)
    await Promise.all(publishing)
    before.server.kill('SIGKILL')
    await before.server.ended

    const after = await serve(data, key)
    await expect.poll(() => nothingUnfinished(data), { timeout: 30_000, interval: 250 }).toBe(true)

    const { body } = await after.call('GET', `/pages?project_id=${project}&status=published`)
    const published = body.data.map(({ id }: { id: string }) => id)
    const answer = await after.visit(`/public/${project}/_index.json`)
    const live: readonly ManifestPage[] = answer.status === 200 ? JSON.parse(await answer.text()).pages : []
    expect(live.map(({ id }) => id).sort()).toEqual(published.sort())
    expect(published).toEqual(expect.arrayContaining(acknowledged))
    for (const { file } of live) {
      const page = await after.visit(`/public/${project}/${file}`)
      expect(page.status).toBe(200)
      expect(await page.text()).toContain('</html>')
    }
    // And the next publish works as ever.
    expect((await after.call('POST', `/pages/${pages[0]}/publish`)).status).toBe(200)
  },
)

/** True when no release waits for its end. */
async function nothingUnfinished(data: string): Promise<boolean> {
  const connections = openSqlite(join(data, 'quoin.db'))
  try {
    const ledger = createLedger(connections, () => new Date().toISOString())
    return (await ledger.unfinishedProjects()).length === 0
  } finally {
    await Promise.all([connections.writer.destroy(), connections.reader.destroy()])
  }
}
