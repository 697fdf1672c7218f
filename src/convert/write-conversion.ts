import { copyFile, readdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { ServiceError } from '../domain/errors.ts'
import { makeFolder } from '../platform/mkdirp.ts'
import type { Conversion } from './convert-site.ts'

/**
 * Write the new folder, which must not be there yet, or be empty.
 *
 * @param from the former folder.
 * @throws {ServiceError} `conflict` when something is there.
 */
export async function writeConversion(
  from: string,
  out: string,
  { texts, copies }: Conversion,
): Promise<void> {
  await makeFolder(out)
  if ((await readdir(out)).length > 0)
    throw new ServiceError(
      'conflict',
      `${out} is not empty, and nothing is replaced. Name a new folder with --out.`,
    )
  for (const [path, text] of texts) {
    await makeFolder(dirname(join(out, path)))
    await writeFile(join(out, path), text)
  }
  for (const [path, former] of copies) {
    await makeFolder(dirname(join(out, path)))
    await copyFile(join(from, former), join(out, path))
  }
}
