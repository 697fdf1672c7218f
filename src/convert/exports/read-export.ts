import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ServiceError } from '../../domain/errors.ts'
import { readGhost } from '../ghost/ghost.ts'
import { readWordpress } from '../wordpress/wordpress.ts'
import type { ExportedSite, ExportName } from './exported-site.ts'
import { chunksOf } from './read-chunks.ts'

/** Files next to an export, such as `routes.yaml`, are small. */
const MAX_BESIDE = 1024 * 1024
const MAX_ENTRIES = 50_000

/** The kind of an export, by how its file begins. Null for another file. */
export function exportKind(path: string): ExportName | null {
  const [chunk] = chunksOf(path)
  const start = Buffer.from(chunk?.subarray(0, 64 * 1024) ?? [])
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .trimStart()
  if (start.startsWith('{')) return 'ghost'
  return /^<\?xml|<rss\b/.test(start) ? 'wordpress' : null
}

/** @throws {ServiceError} `validation_error` for a file that is not such an export. */
export function readExport(path: string, name: ExportName): ExportedSite {
  const folder = dirname(path)
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

const READERS: Readonly<
  Record<ExportName, (path: string, besideText: (file: string) => string | null) => ExportedSite>
> = {
  ghost: readGhost,
  wordpress: readWordpress,
}
