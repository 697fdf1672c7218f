import type { Repositories } from '../../db/repositories.ts'
import { settingsAt } from '../../domain/announcement.ts'
import type { Actor } from '../../domain/audit.ts'
import type { Caller } from '../../domain/caller.ts'
import { ServiceError } from '../../domain/errors.ts'
import type { ReleaseId } from '../../domain/ids.ts'
import type { Project } from '../../domain/project.ts'
import { type DataModeOp, deadlineOf } from '../../domain/release.ts'
import { liftAnswerTime } from '../../platform/answer-time.ts'
import { unwrapContentKey } from '../../secrets/content-key.ts'
import type { MasterKey } from '../../secrets/master-key.ts'
import { accessProject, assertWritable } from '../access.ts'
import type { ServiceContext } from '../context.ts'
import type { FindLostMedia } from '../media/lost-media.ts'
import { siteOfProject } from './snapshots.ts'

export const DATA_MODE_ACTIONS = ['enable', 'disable', 'regenerate-key'] as const
export type DataModeAction = (typeof DATA_MODE_ACTIONS)[number]

export interface DataModeStatus {
  readonly enabled: boolean
  /** Time of the last enable; null when there was none. */
  readonly enabledAt: string | null
}

/** Result of a change. */
export interface ChangedDataMode {
  readonly project: Project
  /** The new content key, 32 bytes in base64, which is never shown again; null when there is none. */
  readonly contentKey: string | null
}

export type DataModeService = ReturnType<typeof createDataModeService>

export interface DataModePorts extends ServiceContext {
  readonly masterKey: MasterKey
  readonly findLostMedia: FindLostMedia
}

export function createDataModeService({
  db,
  publisher,
  addresses,
  newId,
  now,
  masterKey,
  findLostMedia,
}: DataModePorts) {
  return {
    async status(caller: Caller, ref: string): Promise<DataModeStatus> {
      const { project } = await accessProject(db.read, caller, ref, ['read'])
      return { enabled: isOn(project), enabledAt: project.dataModeEnabledAt }
    },

    /**
     * Switches Data Mode on or off, or replaces the content key; resolves when the change is live.
     *
     * @param readAction reads the body; called once the project is known to be the caller's.
     * @throws {ServiceError} `already_enabled` or `not_enabled` in the wrong state, `conflict` when a new key cannot
     *   seal a file because it is lost, `internal_error` when the store failed: then nothing has changed.
     */
    async change(caller: Caller, ref: string, readAction: () => DataModeAction): Promise<ChangedDataMode> {
      await refuseLost(caller, ref, readAction)
      const { project, op, id } = await db.write(async (repositories) => {
        const { project } = await accessProject(repositories, caller, ref, ['dataMode'])
        assertWritable(project)
        const op = OPS[readAction()]
        assertPossible(op, project)
        return { project, op, id: await accept(repositories, caller, project, op) }
      })
      const accepted = { id, projectId: project.id, requestId: caller.requestId }
      // The answer has the key, which no job could show later.
      liftAnswerTime()
      const end = hasDeadline(op) ? await publisher.finish(accepted) : null
      // Its turn comes after a publish that takes longer than a request may. The answer has the key, so it waits.
      if (end === null) await publisher.finishInBackground(accepted)
      return { project, contentKey: op === 'disable' ? null : await contentKeyOf(project, id) }
    },
  }

  /** Throws when files are lost, before anything changes: a new key seals every image and file again. */
  async function refuseLost(caller: Caller, ref: string, readAction: () => DataModeAction): Promise<void> {
    const { project } = await accessProject(db.read, caller, ref, ['dataMode'])
    assertWritable(project)
    if (OPS[readAction()] !== 'rekey' || !isOn(project)) return
    const lost = await findLostMedia(project.id)
    if (lost.length === 0) return
    const named = lost.slice(0, NAMED_FILES).join('; ')
    const more = lost.length > NAMED_FILES ? `; and ${lost.length - NAMED_FILES} more` : ''
    throw new ServiceError(
      'conflict',
      `The key was not changed, because files that pages show are lost in the media store and on the site: ${named}${more}. Upload the same files again, or publish these pages without them, and regenerate the key then.`,
    )
  }

  /** The publisher checks again whether the change is possible when it runs. */
  async function accept(
    repositories: Repositories,
    actor: Actor,
    project: Project,
    op: DataModeOp,
  ): Promise<ReleaseId> {
    const id = newId<'rel'>()
    const createdAt = now()
    const { settings: stored } = await repositories.settings.find(project.id)
    const settings = settingsAt(stored, now())
    const site = siteOfProject(project, addresses)
    await repositories.releases.acceptChange({
      id,
      projectId: project.id,
      op,
      actor,
      site,
      settings,
      createdAt,
      deadlineAt: hasDeadline(op) ? deadlineOf(createdAt) : null,
    })
    return id
  }

  async function contentKeyOf({ id: projectId }: Project, release: ReleaseId): Promise<string> {
    const wrapped = await db.read.releases.contentKey(release)
    if (wrapped === null) {
      throw new ServiceError(
        'conflict',
        'Another request has replaced the content key since; use the key in the answer to that request.',
      )
    }
    return Buffer.from(unwrapContentKey(masterKey, projectId, wrapped)).toString('base64')
  }
}

/** Lost files that a rejection names. */
const NAMED_FILES = 5

const OPS: Readonly<Record<DataModeAction, DataModeOp>> = {
  enable: 'enable',
  disable: 'disable',
  'regenerate-key': 'rekey',
}

/** A new key re-encrypts every page, which takes longer than a request may wait in the queue. */
function hasDeadline(op: DataModeOp): boolean {
  return op !== 'rekey'
}

function isOn({ hosting }: Project): boolean {
  return hosting.mode === 'data_mode'
}

function assertPossible(op: DataModeOp, project: Project): void {
  if (op === 'enable' && isOn(project))
    throw new ServiceError('already_enabled', 'Data Mode is already on for this project.')
  if (op !== 'enable' && !isOn(project))
    throw new ServiceError('not_enabled', 'Data Mode is off for this project.')
}
