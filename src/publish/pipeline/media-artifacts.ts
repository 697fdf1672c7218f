import type { Artifact, OriginalBody } from '../../domain/artifact.ts'
import { isPicture, type MediaSource } from '../../domain/media.ts'

/**
 * The objects that a page, or the site by its settings, shows. Those that a build has written itself are not among them.
 *
 * @param sealedKey the key of the object with these bytes, for a page in Data Mode.
 */
export function mediaArtifacts(
  media: MediaSource | undefined,
  sealedKey?: (digest: string) => string,
): readonly Artifact[] {
  const artifacts = Object.values(media ?? {}).flatMap((file) => [
    ...copy(file.key, file, sealedKey),
    ...(isPicture(file) ? file.variants.flatMap(({ key, stored }) => copy(key, stored, sealedKey)) : []),
  ])
  // Equal files with equal names in two folders are one object, and sealed ones are whatever their names.
  return [...new Map(artifacts.map((artifact) => [artifact.key, artifact])).values()]
}

function copy(
  key: string,
  stored: { readonly digest: string; readonly bytes?: number } | undefined,
  sealedKey?: (digest: string) => string,
): readonly Artifact[] {
  if (stored?.bytes === undefined) return []
  const original = { digest: stored.digest, size: stored.bytes }
  return [mediaArtifact(sealedKey?.(stored.digest) ?? key, original)]
}

export function mediaArtifact(key: string, original: OriginalBody): Artifact {
  return { key, stage: 'asset', body: NO_BODY, owner: MEDIA, original }
}

/** Pages share media objects, so none of them owns one. */
const MEDIA: Artifact['owner'] = { kind: 'media', id: '' }
const NO_BODY = new Uint8Array()
