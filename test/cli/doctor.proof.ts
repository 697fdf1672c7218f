import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startCommand } from '../support/command.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

test('quoin doctor prints each finding with what to do, and ends with 1 only when something does not work', async () => {
  const data = await temporaryFolder()
  const doctor = (...flags: string[]) =>
    startCommand(['doctor', '--data', data, '--allow-http', 'true', '--no-network', ...flags]).ended
  const before = await doctor()
  expect([before.code, before.err]).toEqual([0, ''])
  expect(before.out).toMatch(
    /^warning {2}database {5}There is no database at .*\n {22}quoin serve creates it\./m,
  )
  expect(before.out).toMatch(/\n0 errors, 1 warning\.\n$/)

  await writeFile(join(data, 'quoin.db'), 'a text'.repeat(1000))
  const broken = await doctor('--json')
  expect([broken.code, broken.err]).toEqual([1, 'quoin: The installation needs attention.\n'])
  const { ok, findings } = JSON.parse(broken.out)
  expect(ok).toBe(false)
  expect(findings.filter(({ level }: { level: string }) => level === 'error')).toEqual([
    {
      check: 'database',
      level: 'error',
      message: expect.stringContaining('QUOIN_DATABASE_URL'),
      remedy: null,
    },
  ])
})
