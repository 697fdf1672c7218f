import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Diagnostic } from '../domain/diagnostic.ts'

/** Errors and warnings of a content folder, as a build reports them. */
export interface FolderDiagnostics {
  readonly errors: readonly Diagnostic[]
  readonly warnings: readonly Diagnostic[]
}

/**
 * Builds the folder into a temporary one and reports what a build reports: dead links, missing files, removed HTML. With
 * the default theme: templates of the folder are code, which only a build runs.
 */
export async function checkFolder(folder: string): Promise<FolderDiagnostics> {
  const { build } = await import('../app/build.ts')
  const temporary = await mkdtemp(join(tmpdir(), 'quoin-check-'))
  try {
    const request = {
      folder,
      out: join(temporary, 'site'),
      theme: 'default',
      origin: null,
      drafts: false,
      contentKey: null,
    }
    const result = await build(request, null, () => {})
    return 'errors' in result
      ? { errors: result.errors, warnings: [] }
      : { errors: [], warnings: result.report.warnings }
  } finally {
    await rm(temporary, { recursive: true, force: true })
  }
}
