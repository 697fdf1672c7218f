import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect } from 'vitest'
import { diagnosticLine } from '../../src/cli/diagnostic-line.ts'
import type { GeneratorName } from '../../src/convert/conversion.ts'
import { convertSite } from '../../src/convert/convert-site.ts'
import { listSourceFiles } from '../../src/convert/files/source-files.ts'
import { detectGenerator } from '../../src/convert/generators.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** Every fixture is older. */
export const NOW = new Date('2026-06-01T00:00:00Z')

/** The result of converting a site of these texts, by path. Diagnostics are the lines that `quoin convert` prints. */
export async function convertTexts(
  name: GeneratorName | null,
  texts: Readonly<Record<string, string>>,
): Promise<{ readonly texts: ReadonlyMap<string, string>; readonly lines: readonly string[] }> {
  const folder = await temporaryFolder()
  for (const [path, text] of Object.entries(texts)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
  const files = listSourceFiles(folder)
  const conversion = convertSite(files, detectGenerator(files, name) ?? expect.unreachable(), 'x', NOW)
  return { texts: conversion.texts, lines: conversion.diagnostics.map(diagnosticLine) }
}
