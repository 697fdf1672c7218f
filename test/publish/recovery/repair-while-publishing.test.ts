import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readConfig } from '../../../src/app/config.ts'
import { type OpenVerification, openVerification } from '../../../src/app/verification.ts'
import { runs } from '../../support/long-form.ts'
import { pageBody, startService, type TestService } from '../../support/service.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { databaseSettings } from '../../support/test-database.ts'

const ROUNDS = runs(12)

let service: TestService
let repairing: OpenVerification
beforeEach(async () => {
  const data = await temporaryFolder()
  service = await startService({ data })
  const config = readConfig({
    QUOIN_DATA: data,
    QUOIN_LOG_LEVEL: 'silent',
    ...(await databaseSettings(data)),
  })
  repairing = await openVerification(config, { recover: true })
})
afterEach(async () => {
  await repairing.close()
  await service.close()
})

const repairAll = () =>
  repairing.verification.verify({ project: null, repair: true, media: false, onProgress: () => {} })

test('no publish that was acknowledged fails or is undone by a repair that runs meanwhile', async () => {
  const project = await service.newProject()
  const site = join(service.data, 'cdn', project)
  const file = (slug: string) => join(site, slug, 'index.html')
  const create = async (slug: string) =>
    (await service.call('POST', '/pages', pageBody(project, { slug, markdown_content: 'First.' }))).body.data
      .id as string
  const slugs = ['one', 'two', 'three']
  const ids = await Promise.all(slugs.map(create))
  for (const id of ids) expect((await service.call('POST', `/pages/${id}/publish`)).status).toBe(200)

  let isOver = false
  const repairs = (async () => {
    let repaired = 0
    for (let round = 0; !isOver; round++) {
      // A page that no one edits is damaged, and so is the list that each publish writes.
      if (round % 2 === 0) rmSync(file('three'), { force: true })
      else writeFileSync(join(site, '_index.json'), '{}')
      const { findings } = await repairAll()
      repaired += findings.filter((finding) => finding.repaired).length
    }
    return repaired
  })()
  try {
    for (let round = 0; round < ROUNDS; round++) {
      const text = `Round ${round}.`
      for (const [n, slug] of slugs.slice(0, 2).entries()) {
        await service.call('PUT', `/pages/${ids[n]}`, { markdown_content: text })
        expect((await service.call('POST', `/pages/${ids[n]}/publish`)).status).toBe(200)
        expect(readFileSync(file(slug), 'utf8')).toContain(text)
      }
      // A job is acknowledged before it has published.
      const job = await service.call('POST', `/projects/${project}/publish`, { pages: ids.slice(0, 2) })
      expect(job.status).toBe(202)
      await expect
        .poll(async () => (await service.call('GET', `/jobs/${job.body.data.id}`)).body.data)
        .toMatchObject({ status: 'succeeded', failed: [] })
    }
  } finally {
    isOver = true
  }
  expect(await repairs).toBeGreaterThan(0)
  expect((await repairAll()).findings.filter(({ repaired }) => !repaired)).toEqual([])
  for (const slug of slugs.slice(0, 2))
    expect(readFileSync(file(slug), 'utf8')).toContain(`Round ${ROUNDS - 1}.`)
  const { findings } = await repairing.verification.verify({
    project: null,
    repair: false,
    media: false,
    onProgress: () => {},
  })
  expect(findings).toEqual([])
})
