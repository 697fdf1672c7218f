import { messageOf } from '../../domain/errors.ts'
import { type Finding, ok, warning } from './finding.ts'

/** A package with a native part for each platform, which an installation may lack. */
export interface NativePackage {
  readonly name: string
  readonly load: () => Promise<unknown>
  /** The effect of its absence, as a clause. */
  readonly without: string
}

const NATIVE: readonly NativePackage[] = [
  {
    name: 'satteri',
    load: () => import('../../render/markdown/satteri.ts'),
    without: 'Markdown is parsed more slowly, in JavaScript',
  },
  {
    name: 'lightningcss',
    load: () => import('lightningcss'),
    without: 'custom CSS is refused, and themes cannot be checked',
  },
]

/** The packages that no other check of the database or of images loads. */
export async function examinePackages(packages = NATIVE): Promise<readonly Finding[]> {
  const findings: Finding[] = []
  for (const { name, load, without } of packages) {
    try {
      await load()
    } catch (error) {
      const [reason] = messageOf(error).split('\n')
      findings.push(
        warning(
          'packages',
          `The package ${name} cannot be loaded (${reason}), so ${without}.`,
          'npm install --include=optional',
        ),
      )
    }
  }
  return findings.length === 0 ? [ok('packages', 'All native packages can be loaded.')] : findings
}
