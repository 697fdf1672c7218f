import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { readConfig, SETTINGS } from '../../src/app/config.ts'
import { PACKAGE_ROOT } from '../../src/platform/package-paths.ts'
import { newMasterKey } from '../../src/secrets/master-key.ts'
import { startCommand } from '../support/command.ts'

const CHART = join(PACKAGE_ROOT, 'docs/containers/helm')
const hasHelm = spawnSync('which', ['helm']).status === 0

/** What an operator has to set, with the names of the values. */
const VALUES = {
  'image.repository': 'registry.example.com/quoin',
  existingSecret: 'quoin',
  baseUrl: 'https://quoin.example.com',
  sitesDomain: 'sites.example.com',
  storageUrl: 's3://sites?region=eu-central-1',
  mediaUrl: 's3://media?region=eu-central-1',
  trustProxy: '10.0.0.0/8',
  'settings.QUOIN_LOG_LEVEL': 'warn',
}
/** What the secret holds. */
const SECRET = {
  QUOIN_DATABASE_URL: 'postgres://quoin:secret@database/quoin',
  QUOIN_MASTER_KEY: newMasterKey(),
}

function helm(command: string, values: Readonly<Record<string, string>> = VALUES, ...flags: string[]) {
  const set = Object.entries(values).flatMap(([name, value]) => ['--set-string', `${name}=${value}`])
  return spawnSync('helm', [command, ...(command === 'template' ? ['quoin'] : []), CHART, ...set, ...flags], {
    encoding: 'utf8',
  })
}

interface Resource {
  readonly kind: string
  readonly metadata: { readonly name: string; readonly annotations?: Readonly<Record<string, string>> }
  // biome-ignore lint/suspicious/noExplicitAny: tests read any field.
  readonly spec: any
}

function resources(...flags: string[]): readonly Resource[] {
  const { stdout, stderr, status } = helm('template', VALUES, ...flags)
  expect([status, stderr]).toEqual([0, ''])
  return parseAllDocuments(stdout).flatMap((document) => document.toJS() ?? [])
}

describe.skipIf(!hasHelm)('the chart (install helm to run these)', () => {
  const workloads = (all: readonly Resource[]) =>
    all.filter(({ kind }) => ['Deployment', 'Job'].includes(kind))

  test('has no fault that helm finds', () => {
    const { status, stdout } = helm('lint', VALUES, '--strict')
    expect(status, stdout).toBe(0)
  })

  test('runs an API, workers and a migration before both, by commands that exist', async () => {
    const all = resources()
    const names = all.map(({ kind, metadata }) => `${kind} ${metadata.name}`).sort()
    expect(names).toEqual([
      'Deployment quoin-api',
      'Deployment quoin-worker',
      'Ingress quoin',
      'Job quoin-migrate',
      'PodDisruptionBudget quoin-api',
      'PodDisruptionBudget quoin-worker',
      'Service quoin-api',
    ])
    expect(all.find(({ kind }) => kind === 'Job')?.metadata.annotations).toMatchObject({
      'helm.sh/hook': 'pre-install,pre-upgrade',
    })
    for (const { spec } of workloads(all)) {
      const [{ args }] = spec.template.spec.containers
      expect(await startCommand([...args, '--help']).ended).toMatchObject({ code: 0 })
    }
  })

  test('configures each process with settings that a start accepts, and secrets by reference', () => {
    const known = new Set<string>(SETTINGS.map(({ name }) => name))
    for (const { spec } of workloads(resources())) {
      const [{ args, env, envFrom }] = spec.template.spec.containers
      expect(envFrom).toEqual([{ secretRef: { name: 'quoin' } }])
      const settings: Record<string, string> = Object.fromEntries(
        env.map(({ name, value }: { name: string; value: string }) => [name, value]),
      )
      expect(Object.keys(settings).filter((name) => !known.has(name))).toEqual([])
      const role = args.includes('api') ? 'api' : args[0] === 'worker' ? 'worker' : 'all'
      expect(readConfig({ ...settings, ...SECRET, QUOIN_ROLE: role })).toMatchObject({
        baseUrl: 'https://quoin.example.com',
        sitesDomain: 'sites.example.com',
        database: { kind: 'postgres' },
        storage: { kind: 'bucket' },
        migrates: false,
        logLevel: 'warn',
      })
    }
  })

  test('gives no rights: no root, no capabilities, a root that is read only', () => {
    for (const { spec } of workloads(resources())) {
      const { securityContext, containers, automountServiceAccountToken } = spec.template.spec
      expect(automountServiceAccountToken).toBe(false)
      expect(securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 10001, fsGroup: 10001 })
      expect(containers[0].securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      })
      expect(containers[0].volumeMounts.map(({ mountPath }: { mountPath: string }) => mountPath)).toEqual([
        '/tmp',
        '/var/lib/quoin',
      ])
    }
  })

  test('leads requests to pods that are ready, and lets a node lose one pod of a role at a time', () => {
    const all = resources()
    const of = (kind: string, name: string) =>
      all.find((resource) => resource.kind === kind && resource.metadata.name === name)?.spec
    for (const role of ['api', 'worker']) {
      const { selector, template } = of('Deployment', `quoin-${role}`)
      expect(template.metadata.labels).toEqual(selector.matchLabels)
      expect(of('PodDisruptionBudget', `quoin-${role}`)).toEqual({ maxUnavailable: 1, selector })
      const [{ ports, readinessProbe, livenessProbe }] = template.spec.containers
      expect(ports).toEqual([{ name: 'http', containerPort: 8080 }])
      expect([readinessProbe.httpGet.path, livenessProbe.httpGet.path]).toEqual(['/readyz', '/healthz'])
    }
    expect(of('Service', 'quoin-api').selector).toEqual(of('Deployment', 'quoin-api').selector.matchLabels)
    const { rules } = of('Ingress', 'quoin')
    expect(rules.map(({ host }: { host: string }) => host)).toEqual([
      'quoin.example.com',
      '*.sites.example.com',
    ])
    expect(rules[1].http.paths[0].backend.service).toEqual({ name: 'quoin-api', port: { name: 'http' } })
    const without = resources('--set', 'ingress.enabled=false', '--set', 'serviceAccountName=quoin')
    expect(without.map(({ kind }) => kind)).not.toContain('Ingress')
    expect(workloads(without)[0]?.spec.template.spec).toMatchObject({ serviceAccountName: 'quoin' })
  })

  test.each([
    'image.repository',
    'existingSecret',
    'baseUrl',
    'storageUrl',
    'mediaUrl',
    'trustProxy',
  ] as const)('names the value %s when it is missing', (name) => {
    const { status, stderr } = helm('template', { ...VALUES, [name]: '' })
    expect([status, stderr]).toEqual([1, expect.stringContaining(`${name}: is needed`)])
  })
})
