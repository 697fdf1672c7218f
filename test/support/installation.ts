import { execFileSync } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { PACKAGE_ROOT } from '../../src/platform/package-paths.ts'

export interface Installation {
  readonly folder: string
  /** The compiled command. */
  readonly program: string
  remove(): Promise<void>
}

/** A copy of the built package that cannot find some of its dependencies, by their folders in `node_modules`. */
export async function installationWithout(...missing: readonly string[]): Promise<Installation> {
  const names = await readdir(join(PACKAGE_ROOT, 'node_modules'))
  return install(
    ['dist', 'themes', 'templates', 'package.json'],
    names.filter((name) => !missing.includes(name)),
  )
}

/** The package as npm packs it. */
export interface Packed {
  /** Of the archive. */
  readonly size: number
  readonly files: readonly { readonly path: string; readonly size: number }[]
}

export function packed(): Packed {
  const json = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: PACKAGE_ROOT,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const found: unknown = JSON.parse(json)
  // npm 11 lists the packages, npm 12 names them.
  const [first] = Array.isArray(found) ? found : Object.values(found as object)
  return first
}

/** Only the files that npm packs, with what `npm install` adds for them: no development dependency. */
export async function packedInstallation(isOptionalOmitted: boolean): Promise<Installation> {
  return install(
    packed().files.map(({ path }) => path),
    (await productionPackages(isOptionalOmitted)).filter((path) => !path.includes('/node_modules/')),
  )
}

/** Paths in `node_modules` of the packages that a user's installation has on this machine. */
export async function productionPackages(isOptionalOmitted: boolean): Promise<readonly string[]> {
  const { packages } = JSON.parse(await readFile(join(PACKAGE_ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Readonly<Record<string, { dev?: boolean; optional?: boolean; devOptional?: boolean }>>
  }
  const present = new Set(await readdir(join(PACKAGE_ROOT, 'node_modules')))
  const scopes = [...present].filter((name) => name.startsWith('@'))
  for (const scope of scopes)
    for (const name of await readdir(join(PACKAGE_ROOT, 'node_modules', scope)))
      present.add(`${scope}/${name}`)
  return Object.entries(packages)
    .filter(([, { dev, optional, devOptional }]) => !dev && !(isOptionalOmitted && (optional || devOptional)))
    .map(([path]) => path.slice('node_modules/'.length))
    .filter((path) => present.has(path.split('/node_modules/')[0] ?? ''))
}

async function install(files: readonly string[], packages: readonly string[]): Promise<Installation> {
  const folder = await mkdtemp(join(tmpdir(), 'quoin-installation-'))
  for (const file of files) await cp(join(PACKAGE_ROOT, file), join(folder, file), { recursive: true })
  for (const name of packages) {
    const link = join(folder, 'node_modules', name)
    await mkdir(dirname(link), { recursive: true })
    await symlink(join(PACKAGE_ROOT, 'node_modules', name), link)
  }
  const remove = () => rm(folder, { recursive: true, force: true })
  return { folder, program: join(folder, 'dist/cli.js'), remove }
}
