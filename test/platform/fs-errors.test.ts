import { readFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  fallbackOn,
  fallbackOnSync,
  hasCode,
  isSystemError,
  NOT_FOUND,
  nullOnSystemError,
} from '../../src/platform/fs-errors.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const bug = new TypeError('a bug')

/** Paths that do not exist, each for another reason. */
async function missingPaths(): Promise<readonly string[]> {
  const folder = await temporaryFolder()
  const file = join(folder, 'file')
  await writeFile(file, '')
  return [join(folder, 'missing'), join(file, 'below'), join(folder, 'x'.repeat(300))]
}

describe('fallbackOn', () => {
  test('returns the fallback for every kind of missing file', async () => {
    for (const path of await missingPaths()) {
      expect(await fallbackOn(NOT_FOUND, readFile(path), null)).toBeNull()
      expect(fallbackOnSync(NOT_FOUND, () => readFileSync(path), null)).toBeNull()
    }
  })

  test('returns the value if there is no error', async () => {
    expect(await fallbackOn(NOT_FOUND, Promise.resolve(1), null)).toBe(1)
    expect(fallbackOnSync(NOT_FOUND, () => 1, null)).toBe(1)
  })

  test('passes other errors on unchanged', async () => {
    const folder = await temporaryFolder()
    await expect(fallbackOn(NOT_FOUND, readFile(folder), null)).rejects.toMatchObject({ code: 'EISDIR' })
    await expect(fallbackOn(NOT_FOUND, Promise.reject(bug), null)).rejects.toBe(bug)
    expect(() =>
      fallbackOnSync(
        NOT_FOUND,
        () => {
          throw bug
        },
        null,
      ),
    ).toThrow(bug)
  })
})

describe('nullOnSystemError', () => {
  test('returns null for any error of the operating system', async () => {
    const refused = [await temporaryFolder(), ...(await missingPaths())]
    for (const path of refused) expect(await nullOnSystemError(readFile(path))).toBeNull()
  })

  test('returns the value, and passes other errors on unchanged', async () => {
    expect(await nullOnSystemError(Promise.resolve(1))).toBe(1)
    await expect(nullOnSystemError(Promise.reject(bug))).rejects.toBe(bug)
  })
})

test('hasCode matches errors with one of the codes, and nothing else', () => {
  const missing = Object.assign(new Error('missing'), { code: 'ENOENT' })
  expect(hasCode(missing, ['EACCES', 'ENOENT'])).toBe(true)
  expect(hasCode(missing, ['EACCES'])).toBe(false)
  for (const other of [null, undefined, 'ENOENT', { code: 'ENOENT' }, new Error('ENOENT')])
    expect(hasCode(other, ['ENOENT'])).toBe(false)
})

test('isSystemError recognises errors of system calls, and not errors that only have a code', async () => {
  const [path = ''] = await missingPaths()
  expect(isSystemError(await readFile(path).catch((error) => error))).toBe(true)
  const invalid = await readFile('\0').catch((error) => error)
  expect(invalid).toMatchObject({ code: 'ERR_INVALID_ARG_VALUE' })
  for (const other of [invalid, bug, null, { syscall: 'open' }]) expect(isSystemError(other)).toBe(false)
})
