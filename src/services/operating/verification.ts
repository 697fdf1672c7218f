import type { Database } from '../../db/repositories.ts'
import { ServiceError } from '../../domain/errors.ts'
import { type ProjectId, prefixed } from '../../domain/ids.ts'
import { projectPrefix } from '../../domain/storage-key.ts'
import type { DifferenceKind } from '../../publish/recovery/compare.ts'
import { type VerifyPorts, verifyProject } from '../../publish/recovery/verify.ts'
import type { Storage } from '../../storage/storage.ts'
import { type MediaRepairPorts, verifyMedia } from '../media/media-repair.ts'

export interface Verification {
  readonly projects: number
  /** Objects whose bytes were compared. */
  readonly objects: number
  readonly findings: readonly StoreDifference[]
}

export interface StoreDifference {
  /** Id with its prefix. For `foreign`: the first segment of the keys, which may be any text. */
  readonly projectId: string
  /** The store of published files, or that of uploads and their smaller images. */
  readonly store: 'public' | 'media'
  /** `foreign`: objects under the prefix of a project that the database does not have. */
  readonly kind: DifferenceKind | 'foreign'
  /** Relative to the project; of an `unfinished` one the release's id. */
  readonly key: string
  readonly message: string
  readonly repaired: boolean
}

export interface Progress {
  /** Id with its prefix. */
  readonly projectId: string
  readonly read: number
  readonly total: number
}

export type VerificationService = ReturnType<typeof createVerificationService>

export function createVerificationService({
  db,
  ports,
  media,
}: {
  readonly db: Database
  readonly ports: VerifyPorts
  readonly media: MediaRepairPorts
}) {
  return {
    /**
     * Compares the database with the store and with the media store, for one project or for all, deleted ones included.
     * Servers may run.
     *
     * @param wanted.media whether the media store is read.
     * @param wanted.repair repairs differences where possible; `foreign` objects are never removed.
     * @throws {ServiceError} `not_found`; `conflict` when other publishes hold the lease of a project.
     */
    async verify(wanted: {
      readonly project: ProjectId | null
      readonly repair: boolean
      readonly media: boolean
      readonly onProgress: (progress: Progress) => void
    }): Promise<Verification> {
      const known = await db.read.projects.ids()
      const chosen = wanted.project === null ? known : known.filter((id) => id === wanted.project)
      if (wanted.project !== null && chosen.length === 0) {
        throw new ServiceError('not_found', `No project has the id ${prefixed('proj', wanted.project)}.`)
      }
      const findings: StoreDifference[] = []
      let objects = 0
      for (const id of chosen) {
        const projectId = prefixed('proj', id)
        let read = 0
        let before = 0
        const onRead = (total: number) =>
          wanted.onProgress({ projectId, read: ++read, total: before + total })
        // First, because published files are restored from it.
        if (wanted.media) {
          const found = await verifyMedia(id, media, { repair: wanted.repair, onRead })
          const ofProject = (key: string) => key.slice(projectPrefix(id).length)
          findings.push(
            ...found.map(({ key, ...finding }) => ({
              ...finding,
              projectId,
              store: 'media' as const,
              key: ofProject(key),
            })),
          )
          before = read
        }
        const found = await verifyProject(id, ports, { only: null, repair: wanted.repair, onRead })
        objects += read
        findings.push(
          ...found.map(({ kind, key, message, repaired }) => ({
            projectId,
            store: 'public' as const,
            kind,
            key,
            message,
            repaired,
          })),
        )
      }
      if (wanted.project === null) {
        findings.push(...(await foreignObjects('public', ports.storage, known)))
        if (wanted.media) findings.push(...(await foreignObjects('media', media.mediaStore, known)))
      }
      return { projects: chosen.length, objects, findings }
    },
  }

  /** Reports objects of unknown projects without removing them: they may belong to another database. */
  async function foreignObjects(
    store: StoreDifference['store'],
    storage: Pick<Storage, 'list'>,
    known: readonly ProjectId[],
  ): Promise<readonly StoreDifference[]> {
    const ours = new Set(known.map(projectPrefix))
    const places = (await storage.list('proj_')).map((full) => full.slice(0, full.indexOf('/') + 1))
    return [...new Set(places)]
      .filter((prefix) => prefix !== '' && !ours.has(prefix))
      .map((prefix) => ({
        projectId: prefix.slice(0, -1),
        store,
        kind: 'foreign' as const,
        key: '',
        message: `${places.filter((place) => place === prefix).length} objects are stored here, but the database has no such project. Remove them by hand if no other database uses them.`,
        repaired: false,
      }))
  }
}
