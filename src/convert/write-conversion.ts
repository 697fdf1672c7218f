import { existsSync, readFileSync } from 'node:fs'
import { copyFile, readdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { ServiceError } from '../domain/errors.ts'
import { mkdirp } from '../platform/mkdirp.ts'
import type { Conversion } from './convert-site.ts'

/** Creates a new folder. @throws {ServiceError} `conflict` when it exists and is not empty. */
export async function createFolder(out: string): Promise<void> {
  await mkdirp(out)
  if ((await readdir(out)).length > 0)
    throw new ServiceError(
      'conflict',
      `${out} is not empty. Files are never replaced: name a new folder with --out.`,
    )
}

/**
 * Writes the new folder.
 *
 * @param from the folder of the source site.
 * @throws {ServiceError} `conflict` when `out` is not empty.
 */
export async function writeConversion(
  from: string,
  out: string,
  { texts, copies }: Conversion,
): Promise<void> {
  await createFolder(out)
  for (const [path, text] of texts) {
    await mkdirp(dirname(join(out, path)))
    await writeFile(join(out, path), text)
  }
  for (const [path, source] of copies) {
    await mkdirp(dirname(join(out, path)))
    await copyFile(join(from, source), join(out, path))
  }
}

/** The path of the report of a conversion. Content folders ignore names that begin with a dot. */
const REPORT = join('.quoin', 'convert-report.md')

/** @returns the path of the report. */
export async function writeReport(out: string, report: string): Promise<string> {
  const file = join(out, REPORT)
  await mkdirp(dirname(file))
  await writeFile(file, report)
  return file
}

/** Reads the files of a converted folder. */
export function convertedFolder(out: string): {
  readonly textOf: (path: string) => string | null
  readonly hasFile: (path: string) => boolean
} {
  const hasFile = (path: string) => existsSync(join(out, path))
  return { hasFile, textOf: (path) => (hasFile(path) ? readFileSync(join(out, path), 'utf8') : null) }
}
