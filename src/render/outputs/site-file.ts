import type { Artifact } from '../../domain/artifact.ts'

/** A file that belongs to the site as a whole. */
export function siteFile(key: string, text: string): Artifact {
  return { key, stage: 'index', body: Buffer.from(text), owner: { kind: 'site', id: '' } }
}
