import { expect, test } from 'vitest'
import { pageBody, startService } from '../../support/service.ts'
import { openServiceDatabase } from '../../support/test-database.ts'

const PAGES = 8_000
/** Fewer than the connections that one address may have. */
const READS = 120

/** Copies a page many times, which is faster than creating the pages. */
async function copyPage(data: string, id: string): Promise<void> {
  const { writer, reader } = await openServiceDatabase(data)
  try {
    const row = await writer('pages').where({ id }).first()
    const copies = Array.from({ length: PAGES }, (_, n) => ({
      ...row,
      id: id.slice(0, 11) + String(n).padStart(5, '0').replaceAll('0', 'x').replaceAll('1', 'y'),
      slug: `copy-${n}`,
    }))
    await writer.transaction(async (trx) => {
      for (let at = 0; at < PAGES; at += 20) await trx('pages').insert(copies.slice(at, at + 20))
    })
  } finally {
    await Promise.all([writer.destroy(), reader.destroy()])
  }
}

test('many reads of one account at once delay the reads of another one by few of them', async () => {
  const service = await startService()
  try {
    const project = await service.newProject()
    const first = await service.call('POST', '/pages', pageBody(project))
    await copyPage(service.data, first.body.data.id.slice('page_'.length))
    const key = await service.newKey({ user: await service.newUser() })
    const { body } = await service.call('POST', '/projects', { name: 'Small' }, { key })
    const other = await service.call('POST', '/pages', pageBody(body.data.id), { key })

    let answered = 0
    const many = Array.from({ length: READS }, async () => {
      const answer = await service.call('GET', `/pages?project_id=${project}&limit=1&slug=*y*9*8*`)
      answered += 1
      return answer.status
    })
    while (answered === 0) await new Promise(setImmediate)
    const before = answered
    for (let n = 0; n < 3; n++)
      expect((await service.call('GET', `/pages/${other.body.data.id}`, undefined, { key })).status).toBe(200)
    const overtaken = answered - before
    expect(new Set(await Promise.all(many))).toEqual(new Set([200]))
    expect(overtaken).toBeLessThan(READS / 3.75)
  } finally {
    await service.close()
  }
})
