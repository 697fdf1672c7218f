import { expect, test } from 'vitest'
import { startCommand } from '../support/command.ts'
import { pageBody, startService } from '../support/service.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

test('an operator sees who changed what in all accounts, in one account, and in a deleted project', async () => {
  const data = await temporaryFolder()
  const audit = async (...args: string[]) => {
    const ended = await startCommand(['audit', ...args, '--data', data]).ended
    expect([ended.code, ended.err]).toEqual([0, ''])
    return ended.out
  }
  const acts = async (...args: string[]) =>
    JSON.parse(await audit('--json', ...args)).changes.map(({ act }: { act: string }) => act)

  const service = await startService({ data })
  const project = await service.newProject()
  const page = (await service.call('POST', '/pages', pageBody(project))).body.data.id
  await service.call('PUT', `/pages/${page}`, { title: 'Periwinkle', description: 'Periwinkle' })
  await service.call('PUT', `/projects/${project}`, { status: 'archived' })
  await service.call('DELETE', `/projects/${project}`)
  await service.newUser()

  expect((await acts()).slice(0, 6)).toEqual([
    'user.create',
    'project.delete',
    'project.update',
    'page.update',
    'page.create',
    'project.create',
  ])
  expect(await acts('--user', 'user1@example.com')).toEqual(['user.create'])
  expect(await acts('--project', project, '--act', 'page.update')).toEqual(['page.update'])
  expect(await acts('--since', '2999-01-01')).toEqual([])
  const text = await audit('--project', project, '--limit', '3')
  expect(text).toMatch(
    /Z {2}page\.update {2}page_\w{16} {2}usr_\w{16} by key_\w{16} {2}127\.0\.0\.1 {2}title,description\n/,
  )
  expect(text).toContain('And 2 more.\n')
  expect(text).not.toContain('Periwinkle')
  await service.close()
})

test.each([
  [['--user', 'nobody@example.com'], 1, 'quoin: No user has the address nobody@example.com.\n'],
  [['--act', 'page.creat'], 2, null],
  [['--since', 'yesterday'], 2, 'quoin: --since: must be an ISO 8601 date such as 2026-01-31.\n'],
  [['--limit', '0'], 2, 'quoin: --limit: must be a number from 1 to 1000.\n'],
  [['--project', 'page_x'], 2, null],
])('quoin audit %j is refused with what to do', async (args, code, err) => {
  const data = await temporaryFolder()
  await (await startService({ data })).close()
  const ended = await startCommand(['audit', ...args, '--data', data]).ended
  expect(ended.code).toBe(code)
  if (err !== null) expect(ended.err).toBe(err)
})
