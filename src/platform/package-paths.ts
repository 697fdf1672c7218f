import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Absolute path of the installed package, with a trailing separator. The same from `src/` and from `dist/`. */
export const PACKAGE_ROOT = join(packageRootAbove(dirname(fileURLToPath(import.meta.url))), '/')

/** The built-in themes, and the templates, scripts and labels that all themes share. */
export const THEME_FOLDERS = {
  themes: join(PACKAGE_ROOT, 'themes'),
  templates: join(PACKAGE_ROOT, 'themes/_shared'),
}

/** The program of a process that reads images: the compiled one, because Node cannot start a TypeScript file. */
export const IMAGE_CHILD = join(PACKAGE_ROOT, 'dist/image-child.js')

export function version(): string {
  return packageFile().version
}

/** The version of a package that this one depends on, or has as an optional one. */
export function dependencyVersion(name: string): string {
  const { dependencies, optionalDependencies } = packageFile()
  return (dependencies[name] ?? optionalDependencies[name]) as string
}

/** Optional packages that change the output of a build. */
const RENDERING_PACKAGES = ['beautiful-mermaid', 'sharp', 'thumbhash']

/**
 * Versions of Quoin and of the optional packages that a build renders with. A build after one of them was installed,
 * removed or upgraded renders everything again.
 */
export function renderingVersions(): string {
  const installed = RENDERING_PACKAGES.map((name) => `${name} ${installedVersion(name) ?? 'none'}`)
  return [version(), ...installed].join(', ')
}

/** Returns the version of a package; null if it is not installed. Reads its `package.json`, and loads nothing of it. */
function installedVersion(name: string): string | null {
  const folders = createRequire(import.meta.url).resolve.paths(name) ?? []
  const file = folders.map((folder) => join(folder, name, 'package.json')).find((path) => existsSync(path))
  return file === undefined ? null : (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version
}

function packageFile(): {
  readonly version: string
  readonly dependencies: Readonly<Record<string, string>>
  readonly optionalDependencies: Readonly<Record<string, string>>
} {
  return JSON.parse(readFileSync(join(PACKAGE_ROOT, 'package.json'), 'utf8'))
}

/** Searches upwards: bundled modules are at another depth than their sources, so a fixed `../..` would be wrong. */
function packageRootAbove(folder: string): string {
  return existsSync(join(folder, 'package.json')) ? folder : packageRootAbove(dirname(folder))
}
