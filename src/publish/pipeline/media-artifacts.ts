import type { Artifact } from '../../domain/artifact.ts'
import { isPicture, type MediaSource } from '../../domain/media.ts'

/** The objects that a page, or the site by its settings, shows. Those that a build has written itself are not among them. */
export function mediaArtifacts(media: MediaSource | undefined): readonly Artifact[] {
  return Object.values(media ?? {}).flatMap((file) => [
    ...copy(file.key, file),
    ...(isPicture(file) ? file.variants.flatMap(({ key, stored }) => copy(key, stored)) : []),
  ])
}

function copy(
  key: string,
  stored: { readonly digest: string; readonly bytes?: number } | undefined,
): readonly Artifact[] {
  if (stored?.bytes === undefined) return []
  const original = { digest: stored.digest, size: stored.bytes }
  return [{ key, stage: 'asset', body: NO_BODY, owner: MEDIA, original }]
}

/** Pages share media objects, so none of them owns one. */
const MEDIA: Artifact['owner'] = { kind: 'media', id: '' }
const NO_BODY = new Uint8Array()
