import { spawn, spawnSync } from 'node:child_process'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { readConfig, SETTINGS, type SettingName } from '../../src/app/config.ts'
import { PACKAGE_ROOT } from '../../src/platform/package-paths.ts'
import { newMasterKey } from '../../src/secrets/master-key.ts'
import { startCommand } from '../support/command.ts'
import { freePort } from '../support/free-port.ts'
import { packedInstallation } from '../support/installation.ts'

/** Instructions of the Dockerfile, with the lines that continue them joined. */
const instructions = (await readFile(join(PACKAGE_ROOT, 'Dockerfile'), 'utf8'))
  .replaceAll(/\\\n\s*/g, '')
  .split('\n')
  .filter((line) => /^[A-Z]/.test(line))
const runtime = instructions.slice(instructions.findLastIndex((line) => line.startsWith('FROM ')))
const argument = (name: string) =>
  runtime.find((line) => line.startsWith(`${name} `))?.slice(name.length + 1) ?? ''

test('an image has the packed files and packages, serves, reports its health and stops', async () => {
  expect(runtime.filter((line) => line.startsWith('COPY '))).toEqual([
    'COPY --from=build /src/node_modules node_modules',
    'COPY --from=build /tmp/package ./',
  ])
  const { folder: root, remove } = await packedInstallation(false)
  onTestFinished(remove)
  const port = await freePort()
  const data = join(root, 'data')
  await mkdir(data, { mode: 0o700 })
  const env: Readonly<Record<string, string>> = {
    ...Object.fromEntries(
      argument('ENV')
        .split(' ')
        .map((pair) => pair.split('=')),
    ),
    QUOIN_DATA: data,
    QUOIN_PORT: String(port),
  }
  const [node, program] = JSON.parse(argument('ENTRYPOINT'))
  expect(node).toBe('node')
  const [, check = '[]'] = /CMD (\[.*\])$/.exec(argument('HEALTHCHECK')) ?? []
  const [, ...checkArguments] = JSON.parse(check.replace('8080', String(port)))
  const health = () => new Promise((resolve) => spawn(process.execPath, checkArguments).once('exit', resolve))
  expect(await health()).toBe(1)
  const service = startCommand(JSON.parse(argument('CMD')), env, program.replace('/opt/quoin', root), data)
  await service.line(/Quoin is ready/)
  expect(await health()).toBe(0)
  service.kill('SIGTERM')
  expect(await service.ended).toMatchObject({ code: 0 })
})

test('an image runs as a user without rights, who owns the data folder alone', () => {
  expect(argument('USER')).toBe('10001:10001')
  expect(argument('VOLUME')).toBe('/var/lib/quoin')
  expect(runtime.find((line) => line.startsWith('RUN '))).toContain(
    'install -d -o 10001 -g 10001 -m 0700 /var/lib/quoin',
  )
})

/** What an operator puts into `.env`. */
const VARIABLES: Readonly<Record<string, string>> = {
  QUOIN_DOMAIN: 'quoin.example.com',
  QUOIN_SITES_DOMAIN: 'sites.example.com',
  POSTGRES_PASSWORD: 'secret',
  QUOIN_MASTER_KEY: newMasterKey(),
  QUOIN_STORAGE_URL: 's3://sites?region=eu-central-1',
  QUOIN_MEDIA_URL: 's3://media?region=eu-central-1',
  AWS_ACCESS_KEY_ID: 'id',
  AWS_SECRET_ACCESS_KEY: 'secret',
}

interface ComposedService {
  readonly image: string
  readonly command?: readonly string[]
  readonly environment: Readonly<Record<string, string>>
  readonly read_only?: boolean
  readonly cap_drop?: readonly string[]
  readonly depends_on?: Readonly<Record<string, unknown>>
  readonly networks: readonly string[]
}

describe.each(['compose.yaml', 'compose.several.yaml'])('%s', async (name) => {
  const text = await readFile(join(PACKAGE_ROOT, 'docs/containers', name), 'utf8')
  const filled = text.replace(/\$\{(\w+)(?::\?[^}]*)?\}/g, (_, variable) => {
    const value = VARIABLES[variable]
    if (value === undefined) throw new Error(`${variable} is asked for, and nothing says what it is.`)
    return value
  })
  const { services } = parse(filled, { merge: true }) as { services: Record<string, ComposedService> }
  const own = Object.entries(services).filter(([, { image }]) => image === 'quoin')

  test('configures Quoin with settings that exist and that a start accepts', () => {
    const known = new Set<string>(SETTINGS.map(({ name }) => name))
    for (const [, { environment }] of own) {
      const settings = Object.entries(environment).filter(([name]) => name.startsWith('QUOIN_'))
      expect(settings.map(([name]) => name).filter((name) => !known.has(name))).toEqual([])
      const config = readConfig(Object.fromEntries(settings) as Partial<Record<SettingName, string>>)
      expect(config).toMatchObject({ baseUrl: 'https://quoin.example.com', sitesDomain: 'sites.example.com' })
    }
  })

  test('runs commands that exist, without rights and on a read-only root', async () => {
    for (const [, { command = ['serve'], read_only: isReadOnly, cap_drop: dropped }] of own) {
      expect(await startCommand([...command, '--help']).ended).toMatchObject({ code: 0 })
      expect([isReadOnly, dropped]).toEqual([true, ['ALL']])
    }
    for (const { depends_on: before = {}, networks } of Object.values(services)) {
      expect(Object.keys(before).filter((name) => services[name] === undefined)).toEqual([])
      expect(networks).toEqual(['inside'])
    }
  })

  test.skipIf(spawnSync('which', ['caddy']).status !== 0)('has a proxy whose file Caddy accepts', () => {
    const { environment = {} } = services['proxy'] ?? {}
    const checked = spawnSync(
      'caddy',
      ['validate', '--adapter', 'caddyfile', '--config', join(PACKAGE_ROOT, 'docs/containers/Caddyfile')],
      { encoding: 'utf8', env: { PATH: process.env['PATH'] ?? '', ...environment } },
    )
    expect(checked.status, checked.stderr).toBe(0)
    const upstream = environment['QUOIN_UPSTREAM'] ?? 'quoin'
    expect(Object.keys(services)).toContain(upstream)
  })
})
