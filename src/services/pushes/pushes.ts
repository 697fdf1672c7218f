import type { Repositories } from '../../db/repositories.ts'
import type { Caller } from '../../domain/caller.ts'
import { ServiceError } from '../../domain/errors.ts'
import { prefixed } from '../../domain/ids.ts'
import type { Listed, Slice } from '../../domain/paging.ts'
import { isRunning, type Push, type PushConflict, pushExpiry } from '../../domain/push.ts'
import { accessProject, accessPush, assertWritable } from '../access.ts'
import { recordAct } from '../audit/record-act.ts'
import type { ServiceContext } from '../context.ts'
import { withIdempotency } from '../idempotency.ts'

export type NewPush = Pick<Push, 'folder' | 'name' | 'revision' | 'committedAt'>
export interface PushReport extends Pick<Push, 'state' | 'counts'> {
  readonly conflicts: readonly PushConflict[]
}

export interface StartedPush {
  readonly push: Push
  /** The push of the folder before it; null for the first one. */
  readonly previous: Push | null
}

export type PushService = ReturnType<typeof createPushService>

/** Runs of `quoin push`. One of a folder to a project runs at a time, so that the order of pushes is known. */
export function createPushService({ db, newId, now }: Pick<ServiceContext, 'db' | 'newId' | 'now'>) {
  return {
    /** @throws {ServiceError} `conflict` while another push of the folder to the project runs. */
    async start(caller: Caller, ref: string, readPush: () => NewPush): Promise<StartedPush> {
      return db.write(async (repositories) => {
        const { project } = await accessProject(repositories, caller, ref, ['write'])
        assertWritable(project)
        const given = readPush()
        const moment = now()
        const previous = await repositories.pushes.last(project.id, given.folder)
        const id = await withIdempotency(repositories, caller, moment, async () => {
          const running = await repositories.pushes.running(project.id, given.folder, moment)
          if (running !== null) throw new ServiceError('conflict', runningMessage(running))
          const push: Push = {
            ...given,
            id: newId<'psh'>(),
            projectId: project.id,
            state: 'running',
            counts: {},
            userId: caller.userId,
            startedAt: moment,
            expiresAt: pushExpiry(moment),
            finishedAt: null,
          }
          await repositories.pushes.insert(push)
          await recordAct(repositories, { newId, now }, caller, {
            act: 'push.start',
            of: { projectId: project.id },
            target: project.id,
          })
          return push.id
        })
        const push = await repositories.pushes.find(id)
        if (push === null) throw new ServiceError('not_found', 'The push was deleted meanwhile.')
        return { push, previous: previous?.id === push.id ? null : previous }
      })
    },

    /**
     * Stores what a push reports, and extends it. A push that has ended does not run again.
     *
     * @throws {ServiceError} `conflict` when it has ended, or another one of the folder began after it expired.
     */
    async report(caller: Caller, ref: string, readReport: () => PushReport): Promise<Push> {
      return db.write(async (repositories) => {
        const { push, home } = await accessPush(repositories, caller, ref, ['write'])
        const { conflicts, ...report } = readReport()
        const moment = now()
        await assertCurrent(repositories, push, moment)
        const isEnd = report.state !== 'running'
        const next: Push = {
          ...push,
          ...report,
          expiresAt: pushExpiry(moment),
          finishedAt: isEnd ? moment : null,
        }
        await repositories.pushes.update(next)
        if (!isEnd) return next
        if (next.state === 'done') await repositories.pushes.replaceConflicts(next, conflicts)
        await recordAct(repositories, { newId, now }, caller, {
          act: 'push.end',
          of: { projectId: home.id },
          target: home.id,
        })
        if (next.state === 'done')
          await repositories.webhooks.enqueueEvents(home.id, [pushedEvent(next, moment)], {
            newId,
            now: moment,
          })
        return next
      })
    },

    /** Newest first. @param folder null for all. */
    async list(caller: Caller, ref: string, folder: string | null, slice: Slice): Promise<Listed<Push>> {
      const { project } = await accessProject(db.read, caller, ref, ['read'])
      return db.read.pushes.list(project.id, folder, slice)
    },
  }
}

async function assertCurrent({ pushes }: Repositories, push: Push, now: string): Promise<void> {
  if (push.state !== 'running') throw new ServiceError('conflict', `The push has ended: it is ${push.state}.`)
  if (isRunning(push, now)) return
  const last = await pushes.last(push.projectId, push.folder)
  if (last?.id !== push.id)
    throw new ServiceError(
      'conflict',
      `The push reported nothing until ${push.expiresAt}, and another one of the folder began. Push again.`,
    )
}

function runningMessage({ id, startedAt, expiresAt }: Push): string {
  return `Another push of this folder runs since ${startedAt}: ${prefixed('psh', id)}. It ends by ${expiresAt} unless it goes on.`
}

function pushedEvent({ id, projectId, revision, counts }: Push, timestamp: string) {
  return {
    type: 'project.pushed' as const,
    timestamp,
    data: {
      project_id: prefixed('proj', projectId),
      push_id: prefixed('psh', id),
      revision,
      counts: { ...counts },
    },
  }
}
