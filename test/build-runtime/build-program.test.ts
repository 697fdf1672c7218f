import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { PACKAGE_ROOT } from '../../src/platform/package-paths.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const kept = readFileSync(join(PACKAGE_ROOT, 'dist/compiled.code'))

/** Whether a Node that has compiled nothing so far could not use it, and whether it can build all the same. */
async function told(code: Buffer): Promise<string> {
  const file = join(await temporaryFolder(), 'code')
  await writeFile(file, code)
  const program = `
    import { readFileSync } from 'node:fs'
    import { evaluated } from ${JSON.stringify(join(PACKAGE_ROOT, 'dist/build-runtime/load-program.js'))}
    const { isRejected, exports } = await evaluated(readFileSync(${JSON.stringify(file)}))
    console.log(isRejected, typeof exports.buildAnew)`
  return (await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program])).stdout
}

describe('what Quoin compiled of itself when it was built', () => {
  test('is taken by the Node that it was built with', async () => {
    expect(await told(kept)).toBe('false function\n')
  })

  test.each([
    ['it was written half', kept.subarray(0, 100_000)],
    ['it is something else', Buffer.from('something else')],
  ])('is done again where %s', async (_, code) => {
    expect(await told(Buffer.from(code))).toBe('true function\n')
  })
})
