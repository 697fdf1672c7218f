import { join } from 'node:path'
import { describe } from 'vitest'
import { createImagePool } from '../../src/images/child-pool.ts'
import { loadDecoder } from '../../src/images/decoder.ts'
import { createInProcessImages } from '../../src/images/in-process.ts'
import { PACKAGE_ROOT } from '../../src/platform/package-paths.ts'
import { testImagesContract } from '../contract/images-contract.ts'
import { sharpIfInstalled } from '../support/pictures.ts'

const isInstalled = (await sharpIfInstalled()) !== null

describe.skipIf(!isInstalled)('reading headers in this process', () => {
  testImagesContract(async () => createInProcessImages(null), false)
})

describe.skipIf(!isInstalled)('decoding in this process', () => {
  testImagesContract(async () => {
    const loaded = await loadDecoder()
    return createInProcessImages('decoder' in loaded ? loaded.decoder : null)
  }, true)
})

describe.skipIf(!isInstalled)('decoding in child processes', () => {
  testImagesContract(
    async () => createImagePool({ entry: join(PACKAGE_ROOT, 'dist/image-child.js'), size: 2 }),
    true,
  )
})
