import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { PACKAGE_ROOT } from '../../src/platform/package-paths.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const cache = readFileSync(join(PACKAGE_ROOT, 'dist/build-program.cache'))

/** Loads the build program in a new process. Prints whether V8 rejected the cache, and the type of one export. */
async function load(cache: Buffer, flags: readonly string[] = []): Promise<string> {
  const file = join(await temporaryFolder(), 'cache')
  await writeFile(file, cache)
  const program = `
    import { readFileSync } from 'node:fs'
    import { evaluateProgram } from ${JSON.stringify(join(PACKAGE_ROOT, 'dist/build-runtime/load-program.js'))}
    const { isRejected, exports } = await evaluateProgram(readFileSync(${JSON.stringify(file)}))
    console.log(isRejected, typeof exports.runBuild)`
  const args = [...flags, '--input-type=module', '-e', program]
  return (await promisify(execFile)(process.execPath, args)).stdout
}

describe('the code cache of the build program', () => {
  test('is accepted by the Node that wrote it', async () => {
    expect(await load(cache)).toBe('false function\n')
  })

  test.each([
    ['it is truncated', cache.subarray(0, 100_000)],
    ['it is something else', Buffer.from('something else')],
    ['it is empty', Buffer.alloc(0)],
  ])('is rejected and the program compiled if %s', async (_, damaged) => {
    expect(await load(Buffer.from(damaged))).toBe('true function\n')
  })

  test('is rejected and the program compiled if Node runs with other flags for V8', async () => {
    expect(await load(cache, ['--no-lazy-feedback-allocation'])).toBe('true function\n')
  })
})
