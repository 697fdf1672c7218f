import type { Artifact } from '../../domain/artifact.ts'
import { textBytes } from '../page/text-bytes.ts'
import { type Joined, joinedBytes } from './joined-bytes.ts'

/** A file that belongs to the site as a whole. */
export function siteFile(key: string, text: string | Joined): Artifact {
  const body = typeof text === 'string' ? textBytes(text) : joinedBytes(text)
  return { key, stage: 'index', body, owner: { kind: 'site', id: '' } }
}
