import { expect, test } from 'vitest'
import { startCommand } from '../support/command.ts'
import { startService } from '../support/service.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const DOMAIN = 'docs.acme.com'

test('an operator lists, verifies and releases the domains of projects, also while the service runs', async () => {
  const data = await temporaryFolder()
  const service = await startService({
    data,
    env: { QUOIN_DOMAIN_PROOF: 'on' },
    proveDomain: async () => ({ problem: 'There is no TXT record.' }),
  })
  const quoin = (...args: string[]) => startCommand(['domains', ...args, '--data', data]).ended
  expect(await quoin('list')).toMatchObject({ code: 0, out: 'No domains.\n' })

  const other = await service.newKey({ user: await service.newUser() })
  const projects: string[] = []
  for (const key of [service.key, other]) {
    const project = (await service.call('POST', '/projects', { name: 'Site' }, { key })).body.data.id
    await service.call('PUT', `/projects/${project}`, { domain: DOMAIN }, { key })
    projects.push(project)
  }
  const [first = '', second = ''] = projects
  await service.call('PUT', `/projects/${await service.newProject('Other')}`, { domain: 'bücher.acme.com' })
  const { domains } = JSON.parse((await quoin('list', '--json')).out)
  expect(domains.map(({ domain, unicode }: Record<string, string>) => [domain, unicode])).toEqual([
    [DOMAIN, DOMAIN],
    [DOMAIN, DOMAIN],
    ['xn--bcher-kva.acme.com', 'bücher.acme.com'],
  ])
  expect(domains[2]).toMatchObject({ user_email: 'owner@localhost' })
  expect((await quoin('list')).out).toMatch(
    /^xn--bcher-kva\.acme\.com \(bücher\.acme\.com\) {2}proj_\w+ {2}owner@localhost {2}pending {2}not proved/m,
  )
  expect(domains[0]).toMatchObject({
    status: 'pending',
    proved_by: null,
    txt_record: `_quoin-challenge.${DOMAIN}`,
  })

  expect(await quoin('verify', DOMAIN, '--without-proof')).toMatchObject({
    code: 1,
    err: expect.stringMatching(
      /^quoin: Several projects name this domain \(proj_\w+, proj_\w+\)\. Choose one/,
    ),
  })
  expect(await quoin('verify', 'Docs.ACME.com.', '--without-proof', '--project', second)).toMatchObject({
    code: 0,
    out: `${DOMAIN}  ${second}  active  proved by operator\n`,
  })
  const hosting = async (project: string, key: string) =>
    (await service.call('GET', `/projects/${project}`, undefined, { key })).body.data.hosting
  expect((await hosting(second, other)).domain_status).toBe('active')
  expect(await quoin('verify', DOMAIN, '--without-proof', '--project', first)).toMatchObject({
    code: 1,
    err: `quoin: Another account has proved this domain. Release it first: project ${second}.\n`,
  })

  expect(await quoin('release', DOMAIN)).toMatchObject({
    code: 0,
    out: `Released ${DOMAIN} from project ${second}.\n`,
  })
  expect(await hosting(second, other)).toMatchObject({ custom_domain: null, domain_status: 'none' })
  expect((await hosting(first, service.key)).custom_domain).toBe(DOMAIN)
  expect(JSON.parse((await quoin('release', DOMAIN, '--json')).out)).toMatchObject({ project_id: first })
  await service.close()
})

test.each([
  [['verify', 'docs.unknown.com'], 1, 'quoin: No project names the domain docs.unknown.com.\n'],
  [['release', '127.0.0.1'], 2, 'quoin: "127.0.0.1" is not a domain name such as docs.example.com.\n'],
  [
    ['release', 'docs.acme.com', '--project', 'x'],
    2,
    'quoin: "x" is not an id. Ids of this kind begin with proj_.\n',
  ],
])('quoin domains %j fails with one line', async (args, code, err) => {
  const data = await temporaryFolder()
  await (await startService({ data })).close()
  expect(await startCommand(['domains', ...args, '--data', data]).ended).toMatchObject({ code, err })
})
