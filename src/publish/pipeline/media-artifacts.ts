import type { Artifact } from '../../domain/artifact.ts'
import type { MediaSource } from '../../domain/media.ts'

/** The objects that a page, or the site by its settings, shows. Those that a build has written itself are not among them. */
export function mediaArtifacts(media: MediaSource | undefined): readonly Artifact[] {
  return Object.values(media ?? {}).flatMap(({ key, digest, bytes }) =>
    bytes === undefined
      ? []
      : [{ key, stage: 'asset', body: NO_BODY, owner: MEDIA, original: { digest, size: bytes } }],
  )
}

/** Pages share media objects, so none of them owns one. */
const MEDIA: Artifact['owner'] = { kind: 'media', id: '' }
const NO_BODY = new Uint8Array()
