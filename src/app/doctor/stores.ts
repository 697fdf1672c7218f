import { existsSync } from 'node:fs'
import { messageOf } from '../../domain/errors.ts'
import { createImagePool } from '../../images/child-pool.ts'
import { IMAGE_CHILD } from '../../platform/package-paths.ts'
import type { StorageTarget } from '../../storage/storage-url.ts'
import { type Config, ConfigError } from '../config.ts'
import { openThemes } from '../server-themes.ts'
import { openStorage } from '../storage.ts'
import { type Check, type Finding, failure, ok, warning } from './finding.ts'

/** Examines the themes, both stores, and the decoding of images. */
export async function* examineStores(config: Config): AsyncGenerator<Finding> {
  yield await examineThemes(config)
  yield await examineStore('store', 'QUOIN_STORAGE_URL', config.storage)
  yield await examineStore('uploads', 'QUOIN_MEDIA_URL', config.media)
  yield await examinePictures()
}

async function examineThemes(config: Config): Promise<Finding> {
  try {
    const { themes } = await openThemes(config)
    return ok('themes', `Themes: ${[...themes.keys()].join(', ')}.`)
  } catch (error) {
    if (error instanceof ConfigError) return failure('themes', error.message)
    throw error
  }
}

async function examineStore(check: Check, setting: string, target: StorageTarget): Promise<Finding> {
  const name =
    target.kind === 'folder' ? `the folder ${target.folder}` : `the bucket ${target.bucket}/${target.prefix}`
  if (target.kind === 'folder' && !existsSync(target.folder))
    return ok(check, `${setting}: ${name} does not exist yet. The first start creates it.`)
  try {
    await (await openStorage(target)).check()
    return ok(check, `${setting}: ${name} can be read and written.`)
  } catch (error) {
    return failure(check, `${setting}: ${name} cannot be used: ${messageOf(error)}`)
  }
}

async function examinePictures(): Promise<Finding> {
  const images = createImagePool({ entry: IMAGE_CHILD, size: 1 })
  try {
    if (await images.decodes()) return ok('pictures', 'Pictures can be decoded.')
    return warning(
      'pictures',
      'Pictures are served as they are uploaded, without smaller ones, because the package sharp cannot be loaded.',
      'npm install --include=optional',
    )
  } finally {
    await images.close()
  }
}
