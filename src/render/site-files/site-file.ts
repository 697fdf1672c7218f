import type { Artifact } from '../../domain/artifact.ts'
import { textBytes } from '../page/text-bytes.ts'
import { type JoinedText, joinBytes } from './join-bytes.ts'

/** A file that belongs to the site as a whole. */
export function siteFile(key: string, text: string | JoinedText): Artifact {
  const body = typeof text === 'string' ? textBytes(text) : joinBytes(text)
  return { key, stage: 'index', body, owner: { kind: 'site', id: '' } }
}
