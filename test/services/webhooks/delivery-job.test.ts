import { expect, onTestFinished, test } from 'vitest'
import { startReceiver } from '../../support/receiver.ts'
import { pageBody, startService } from '../../support/service.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

/** How far the clock of the second process is behind. */
const BEHIND_MS = 60_000
const env = { QUOIN_WEBHOOK_ALLOW_PRIVATE: 'true' } as const

test('an event that another process adds while a batch is sent is sent as well, whatever its clock says', async () => {
  const data = await temporaryFolder()
  const service = await startService({ data, env })
  const late = await startService({ data, env, now: () => new Date(Date.now() - BEHIND_MS).toISOString() })
  onTestFinished(async () => void (await Promise.all([service.close(), late.close()])))
  const answers: (() => void)[] = []
  const receiver = await startReceiver((_, response) => {
    answers.push(() => void response.writeHead(204).end())
    if (answers.length > 1) answers.at(-1)?.()
  })
  onTestFinished(() => receiver.close())
  const project = await service.newProject()
  const hook = { url: receiver.url, events: ['page.created'], coalesce_seconds: 1 }
  const hooks = `/projects/${project}/webhooks`
  const { id } = (await service.call('POST', hooks, hook)).body.data
  const create = async (by: typeof service, slug: string) =>
    (await by.call('POST', '/pages', pageBody(project, { slug }))).body.data.id

  const created = [await create(service, 'one'), await create(service, 'two')]
  await receiver.first(1)
  // The receiver has the batch and has not answered it.
  created.push(await create(late, 'three'), await create(late, 'four'))
  answers[0]?.()

  const deliveries = () => service.call('GET', `${hooks}/${id}/deliveries`)
  const pending = async () =>
    (await deliveries()).body.data.filter(({ status }: { status: string }) => status === 'pending').length
  await expect.poll(pending, { interval: 50, timeout: 20_000 }).toBe(0)
  const sent = receiver.got.flatMap(({ body }) => body.data.events.map(pageIdOf))
  expect(sent.sort()).toEqual([...created].sort())
})

function pageIdOf({ data }: { readonly data: { readonly page_id: string } }): string {
  return data.page_id
}
