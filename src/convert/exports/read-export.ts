import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ServiceError } from '../../domain/errors.ts'
import { readGhost } from '../ghost/ghost.ts'
import { readMedium } from '../medium/medium.ts'
import { readSubstack } from '../substack/substack.ts'
import { readWordpress } from '../wordpress/wordpress.ts'
import { isFolder } from './export-kind.ts'
import type { ExportedSite, ExportName } from './exported-site.ts'

/** Files next to an export, such as `routes.yaml`, are small. */
const MAX_BESIDE = 1024 * 1024
const MAX_ENTRIES = 50_000

/** @throws {ServiceError} `validation_error` for a file that is not such an export. */
export function readExport(path: string, name: ExportName): ExportedSite {
  const folder = exportFolder(path)
  const besideText = (file: string) => {
    const beside = join(folder, file)
    const isSmall = existsSync(beside) && statSync(beside).isFile() && statSync(beside).size <= MAX_BESIDE
    return isSmall ? readFileSync(beside, 'utf8') : null
  }
  const site = READERS[name](path, besideText)
  if (site.outlines.length === 0)
    throw new ServiceError(
      'validation_error',
      `${site.file} has no posts and no pages. Export all content of ${site.title}.`,
    )
  if (site.outlines.length > MAX_ENTRIES)
    throw new ServiceError(
      'validation_error',
      `${site.file} has more than ${MAX_ENTRIES} posts and pages. Export them in parts.`,
    )
  return site
}

/** The folder of an export, which is a file in it or the folder itself. */
export function exportFolder(path: string): string {
  return isFolder(path) ? path : dirname(path)
}

const READERS: Readonly<
  Record<ExportName, (path: string, besideText: (file: string) => string | null) => ExportedSite>
> = {
  ghost: readGhost,
  wordpress: readWordpress,
  substack: readSubstack,
  medium: readMedium,
}
