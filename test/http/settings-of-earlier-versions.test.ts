import { createHash } from 'node:crypto'
import { afterEach, expect, test } from 'vitest'
import type { Ledger } from '../../src/publish/ledger/ledger.ts'
import { pageBody, startService, type TestService } from '../support/service.ts'
import { openServiceDatabase } from '../support/test-database.ts'

let service: TestService
afterEach(() => service.close())

/** Runs something before each release is claimed. */
function beforeClaim(act: () => Promise<void>) {
  return (ledger: Ledger): Ledger => ({
    ...ledger,
    releaseQueue: {
      ...ledger.releaseQueue,
      async claim(...args) {
        await act()
        return ledger.releaseQueue.claim(...args)
      },
    },
  })
}

async function storedDigests(): Promise<readonly string[]> {
  const { writer, close } = await openServiceDatabase(service.data)
  try {
    return await writer('settings_snapshots').pluck('digest')
  } finally {
    await close()
  }
}

/**
 * Makes of the queued releases what a version has accepted that did not know the setting.
 *
 * @param before digests of the settings that were stored before it accepted them.
 */
async function asAcceptedWithout(name: string, before: readonly string[]): Promise<void> {
  const { writer, close } = await openServiceDatabase(service.data)
  try {
    const queued = await writer('releases').where({ state: 'queued' }).select('project_id', 'settings_digest')
    for (const { project_id, settings_digest: digest } of queued) {
      const { settings } = await writer('settings_snapshots').where({ project_id, digest }).first('settings')
      const { [name]: _, ...others } = JSON.parse(settings)
      const older = JSON.stringify(others)
      const settings_digest = createHash('sha256').update(older).digest('hex')
      await writer('settings_snapshots')
        .insert({ project_id, digest: settings_digest, settings: older })
        .onConflict(['project_id', 'digest'])
        .ignore()
      await writer('releases').where({ project_id, state: 'queued' }).update({ settings_digest })
      if (!before.includes(digest)) await writer('settings_snapshots').where({ project_id, digest }).delete()
    }
  } finally {
    await close()
  }
}

test('releases that an earlier version accepts, without a setting of today, go live one after the other', async () => {
  let before: readonly string[] = []
  service = await startService({ ledger: beforeClaim(() => asAcceptedWithout('visits', before)) })
  const project = await service.newProject()
  const { id } = (await service.call('POST', '/pages', pageBody(project, { slug: 'page' }))).body.data
  for (const text of ['The first text.', 'The next text.', 'The last text.']) {
    await service.call('PUT', `/pages/${id}`, { markdown_content: text })
    before = await storedDigests()
    const { status, body } = await service.call('POST', `/pages/${id}/publish`)
    expect({ status, body }).toMatchObject({ status: 200 })
    expect(await (await fetch(`${service.url}/public/${project}/page/`)).text()).toContain(text)
  }
})
