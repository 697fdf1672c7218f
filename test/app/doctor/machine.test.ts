import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { totalmem } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readConfig } from '../../../src/app/config.ts'
import type { Finding } from '../../../src/app/doctor/finding.ts'
import { diskFindings, examineMachine } from '../../../src/app/doctor/machine.ts'
import { PACKAGE_ROOT } from '../../../src/platform/package-paths.ts'
import { MAY_MOUNT, mountDisk } from '../../support/mounted-disk.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { type Env, linesOf, testEveryFinding } from './findings.ts'

const GIB = 1024 ** 3

async function machine(env: Env): Promise<readonly Finding[]> {
  const found: Finding[] = []
  for await (const finding of examineMachine(readConfig({ QUOIN_ALLOW_HTTP: 'true', ...env })))
    found.push(finding)
  return found
}

test('a machine with what the service needs has versions, memory and disks that are named', async () => {
  const all = await machine({ QUOIN_DATA: await temporaryFolder(), QUOIN_MAX_CONNECTIONS: '1' })
  expect(linesOf('versions', all)).toEqual([
    expect.stringMatching(/^ok Quoin \d\S+ on Node\.js \d\S+, \w+ \w+\.$/),
  ])
  expect(linesOf('memory', all)).toEqual([expect.stringMatching(/^\w+ .*\d [MG]iB of memory/)])
  expect(linesOf('limits', all)).toEqual([expect.stringMatching(/^ok .*1 connections at once\.$/)])
  expect(linesOf('disk', all)).toEqual([
    expect.stringMatching(/\d [MG]iB are free on the disk of QUOIN_DATA/),
  ])
})

test.skipIf(totalmem() > 64 * GIB)(
  'more memory for requests than the machine has is a warning that says how much is needed',
  async () => {
    const env = { QUOIN_DATA: await temporaryFolder(), QUOIN_REQUEST_MEMORY: '65536' }
    expect(linesOf('memory', await machine(env))).toEqual([
      expect.stringMatching(
        /^warning This machine or container has \d+ [MG]iB of memory, and the service may take 64 GiB\. .* lower QUOIN_REQUEST_MEMORY\.$/,
      ),
    ])
  },
)

test.skipIf(process.platform === 'win32')(
  'more connections than a process may open files are a warning that says how many are needed',
  async () => {
    const doctor = ['doctor', '--json', '--no-network', '--allow-http', 'true', '--max-connections', '3000']
    // The exit code is 0: it is a warning.
    const out = execFileSync(
      'sh',
      [
        '-c',
        'ulimit -n 1000 && exec "$0" "$@"',
        process.execPath,
        join(PACKAGE_ROOT, 'dist/cli.js'),
        ...doctor,
      ],
      { cwd: await temporaryFolder(), encoding: 'utf8' },
    )
    expect(linesOf('limits', JSON.parse(out).findings)).toEqual([
      'warning A process may open 1000 files here, and 3000 connections at once need 3512. Set LimitNOFILE=3512 in the systemd unit (ulimit -n elsewhere), or lower QUOIN_MAX_CONNECTIONS.',
    ])
  },
)

describe.runIf(MAY_MOUNT)('a disk', () => {
  const disks = async (options: string, files = 0) => {
    const { folder } = mountDisk(options)
    for (let n = 0; n < files; n++) writeFileSync(join(folder, `file-${n}`), '')
    return linesOf('disk', await machine({ QUOIN_DATA: folder }))
  }

  test('is a warning when nearly full, and an error when a publish may fail on it', async () => {
    expect(await disks('size=1g')).toEqual([
      expect.stringMatching(/^warning 1024 MiB are free on the disk of QUOIN_DATA, .*\. Free space, or use/),
    ])
    expect(await disks('size=64m')).toEqual([
      expect.stringMatching(/^error 64 MiB are free on the disk of QUOIN_DATA, QUOIN_DATABASE_URL, /),
    ])
  })

  test('with space and without inodes for more files is a warning', async () => {
    expect(await disks('size=3g,nr_inodes=100', 98)).toEqual([
      expect.stringMatching(/^warning 1 of 100 inodes are free on the disk of QUOIN_DATA, .* Remove files/),
    ])
  })
})

describe('a network file system', () => {
  const FREE = { bavail: 1e9, bsize: 4096, files: 1e9, ffree: 1e9 }

  test.each([
    ['NFS', 0x6969],
    ['SMB', 0x517b],
    ['SMB', 0xff534d42],
  ])('(%s, %i) with the SQLite file is an error, and one with other files is none', (name, type) => {
    const found = (...settings: readonly string[]) =>
      linesOf('disk', [...diskFindings('/mnt/quoin', settings, { ...FREE, type })])
    expect(found('QUOIN_DATA', 'QUOIN_DATABASE_URL')).toEqual([
      `error The database is on a network file system (${name}) at /mnt/quoin, which does not lock files as SQLite needs it. Move it to a local disk, or use PostgreSQL (QUOIN_DATABASE_URL).`,
      'ok 3814 GiB are free on the disk of QUOIN_DATA, QUOIN_DATABASE_URL (/mnt/quoin).',
    ])
    expect(found('QUOIN_STORAGE_URL')).toEqual([
      'ok 3814 GiB are free on the disk of QUOIN_STORAGE_URL (/mnt/quoin).',
    ])
  })
})

testEveryFinding('machine.ts')
