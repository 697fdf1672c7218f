import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openSqlite } from '../../src/db/sqlite.ts'
import { startCommand } from '../support/command.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

test('an address belongs to one user in any spelling, and users from before are merged', async () => {
  const data = await temporaryFolder()
  const run = (...args: string[]) => startCommand(['users', ...args, '--data', data]).ended
  const json = async (...args: string[]) => JSON.parse((await run(...args, '--json')).out)
  const ada = await json('create', '--email', 'Ada@Example.com', '--can-create-projects')
  expect(await run('create', '--email', 'ADA@example.com')).toMatchObject({
    code: 1,
    err: 'quoin: A user with the address ADA@example.com exists already.\n',
  })
  expect(await run('create', '--email', 'ada@[192.0.2.1]')).toMatchObject({
    code: 2,
    err: expect.stringContaining('--email: must be an e-mail address'),
  })
  const bob = await json('create', '--email', 'bob@example.com', '--can-create-projects')

  // As a version that told capitals apart stored it.
  const { writer, reader } = openSqlite(join(data, 'quoin.db'))
  await writer('users')
    .where({ email: 'bob@example.com' })
    .update({ email: 'ada@example.com', email_key: 'ada@example.com', owns_address: false })
  await Promise.all([writer.destroy(), reader.destroy()])
  const doctor = ['doctor', '--data', data, '--no-network', '--json']
  const { findings } = JSON.parse((await startCommand(doctor).ended).out)
  expect(findings).toContainEqual({
    check: 'accounts',
    level: 'warning',
    message: expect.stringContaining(`The account ${bob.id} has the address ada@example.com`),
    remedy: expect.stringContaining(`quoin users merge ${bob.id} ada@example.com`),
  })

  const project = ['projects', 'create', '--name', 'Site', '--user', bob.id, '--data', data, '--json']
  expect((await startCommand(project).ended).code).toBe(0)
  expect(await json('merge', bob.id, 'aDa@example.com')).toMatchObject({
    id: ada.id,
    email: 'Ada@Example.com',
    merged_user_id: bob.id,
  })
  expect(await json('list')).toMatchObject({ users: [{ id: ada.id }] })
  expect((await json('limits', ada.id)).limits.projects.used).toBe(1)
  const audit = ['audit', '--act', 'project.transfer', '--data', data, '--json']
  expect(JSON.parse((await startCommand(audit).ended).out).changes).toMatchObject([{ account_id: ada.id }])
  expect(await run('merge', ada.id, ada.id)).toMatchObject({
    code: 1,
    err: 'quoin: Both are the same user.\n',
  })
}, 60_000)

test('a user is shown, renamed, locked, unlocked, and deleted after the projects were given away', async () => {
  const data = await temporaryFolder()
  const run = (...args: string[]) => startCommand([...args, '--data', data, '--json']).ended
  const json = async (...args: string[]) => JSON.parse((await run(...args)).out)
  const { id } = await json('users', 'create', '--email', 'ada@example.com', '--can-create-projects')
  expect(await run('users', 'lock', id)).toMatchObject({ code: 1, err: expect.stringContaining('--yes') })
  const bob = await json('users', 'create', '--email', 'bob@example.com', '--can-create-projects')
  const site = await json('projects', 'create', '--name', 'Site', '--user', id)
  expect(await json('users', 'show', 'ADA@example.com')).toEqual({
    ...{ id, email: 'ada@example.com', can_create_projects: true, verified: true, locked_at: null },
    projects: [site.id],
  })
  expect(await json('users', 'set-email', id, 'ada@example.org')).toMatchObject({ email: 'ada@example.org' })
  expect(await json('users', 'lock', id)).toMatchObject({ locked_at: expect.any(String) })
  expect(await json('users', 'unlock', id)).toMatchObject({ locked_at: null })
  expect(await run('users', 'unlock', id)).toMatchObject({ code: 1 })
  expect(await run('users', 'delete', id)).toMatchObject({
    code: 1,
    err: expect.stringContaining('--transfer-to'),
  })
  expect(await json('projects', 'transfer', site.id, '--to', 'bob@example.com')).toEqual({
    ...{ id: site.id, user_id: bob.id, user_email: 'bob@example.com' },
  })
  expect(await json('users', 'transfer', bob.id, id)).toEqual({ projects: [site.id] })
  expect(await json('users', 'delete', id, '--transfer-to', bob.id)).toEqual({
    ...{ id, projects: [site.id], deleted: true },
  })
  expect(await json('users', 'list')).toMatchObject({ users: [{ id: bob.id }] })
}, 120_000)
