import { cp, mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PACKAGE_ROOT } from '../../src/platform/package-paths.ts'

export interface Installation {
  /** The compiled command. */
  readonly program: string
  remove(): Promise<void>
}

/** A copy of the built package that cannot find some of its dependencies, by their folders in `node_modules`. */
export async function installationWithout(...missing: readonly string[]): Promise<Installation> {
  const root = await mkdtemp(join(tmpdir(), 'quoin-installation-'))
  for (const part of ['dist', 'themes', 'templates', 'package.json'])
    await cp(join(PACKAGE_ROOT, part), join(root, part), { recursive: true })
  await mkdir(join(root, 'node_modules'))
  for (const name of await readdir(join(PACKAGE_ROOT, 'node_modules')))
    if (!missing.includes(name))
      await symlink(join(PACKAGE_ROOT, 'node_modules', name), join(root, 'node_modules', name))
  return { program: join(root, 'dist/cli.js'), remove: () => rm(root, { recursive: true, force: true }) }
}
