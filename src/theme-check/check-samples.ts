import { join } from 'node:path'
import { type Diagnostic, diagnostic } from '../domain/diagnostic.ts'
import type { ThemeParts } from '../theme/create-theme.ts'
import { typeFaults } from '../theme/value-types.ts'
import type { OwnFiles } from './own-files.ts'

/** Compares the samples of the theme's own sections with the types that the theme declares. */
export function checkSamples({ samples, manifest }: ThemeParts, { folder }: OwnFiles): readonly Diagnostic[] {
  return [...samples].flatMap(([type, sample]) =>
    typeFaults(sample, manifest.types.sections[type] ?? {}).map(({ name, message }) =>
      diagnostic('QN-WRONG-TYPE', join(folder, `sections/${type}.json`), `${name} ${message}`, {
        field: name,
      }),
    ),
  )
}
