import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from '../client/client.ts'
import type { Site } from '../content-folder/site.ts'
import type { Diagnostic } from '../domain/diagnostic.ts'
import { folderIdentity } from '../domain/source.ts'
import { readFileBody } from '../platform/file-body.ts'
import { ancestryOf, headCommit } from '../platform/git.ts'
import {
  assertAddressesAllowed,
  describeProject,
  NOT_CREATED,
  projectOfFolder,
  type TargetProject,
} from '../push/project.ts'
import {
  countsOf,
  lastPush,
  type PreviousPush,
  type PushedFolder,
  type PushSession,
  startSession,
} from '../push/push-session.ts'
import {
  type PushPorts,
  type PushReport,
  type PushRequest,
  pushSite,
  writesNothing,
} from '../push/push-site.ts'
import { type Ancestry, refusedPush } from '../push/refused-push.ts'
import { progressOf } from './progress.ts'
import { namedProject, newProject } from './project-argument.ts'

/** The project that a folder is pushed to. */
export interface PushTarget extends TargetProject {
  readonly name: string
  /** The address of its site; null for a project that a dry run would create. */
  readonly url: string | null
}

interface PushRun {
  readonly target: PushTarget
  readonly report: PushReport
  /** Id of the push; null when nothing was written. */
  readonly pushId: string | null
}

interface RunRequest extends Omit<PushRequest, 'project' | 'folder'> {
  /** The flag --project. */
  readonly named: { readonly project?: string }
  /** Wait for the smaller ones of new images. */
  readonly wait: boolean
  /** Called with the project before anything else happens. */
  readonly onTarget: (target: PushTarget) => void
}

/** Time between two reports to the server that a push continues. */
const BEAT_MS = 60_000

/**
 * Pushes a folder to its project. Refuses when the project has a newer state of it or belongs to another site. A push
 * that would write nothing only reads.
 *
 * @returns the reason as a diagnostic when it is refused. Nothing was sent then.
 */
export async function runPush(
  folder: string,
  site: Site,
  api: Client,
  { named, wait, onTarget, ...request }: RunRequest,
): Promise<PushRun | { readonly refused: Diagnostic }> {
  const pushed: PushedFolder = {
    folder: folderIdentity(site),
    name: site.name,
    revision: await revisionOf(folder),
  }
  const given = namedProject(named)
  const known = given === null ? await projectOfFolder(api, pushed) : null
  const target = await targetOf(given ?? known?.id ?? null)
  onTarget(target)
  const refusedBy = async (previous: PreviousPush | null) => {
    const ancestry: Ancestry =
      previous?.revision == null ? 'unknown' : await ancestryOf(folder, previous.revision)
    return refusedPush(pushed, previous, {
      project: target,
      isNamed: given !== null,
      isForced: request.overwrite !== false,
      ancestry: () => ancestry,
    })
  }
  const previous = target.isNew ? null : await lastPush(api, target.id, pushed.folder)
  const refused = await refusedBy(previous)
  if (refused !== null) return { refused }
  await assertAddressesAllowed(api, target.id, site)

  const push = (dryRun: boolean) =>
    pushSite(site, { ...request, dryRun, project: target.id, folder: pushed.folder }, portsOf())
  if (request.dryRun) return { target, report: await push(true), pushId: null }
  const isSameSite = previous?.name === site.name
  const plan = isSameSite ? await push(true) : null
  if (plan !== null && writesNothing(plan))
    return { target, report: { ...plan, address: target.url }, pushId: null }
  const session = await startSession(target.id, pushed, {
    api,
    monotonic: () => performance.now(),
    pause: (ms) => pause(ms),
    onWait: (message) => console.error(`${message} Waiting for it.`),
  })
  // Another push may have ended since.
  const isRefusedNow = await refusedBy(session.previous)
  if (isRefusedNow !== null) {
    await session.end('failed', {})
    return { refused: isRefusedNow }
  }
  const report = await within(session, () => push(false))
  return { target, report, pushId: session.id }

  async function targetOf(id: string | null): Promise<PushTarget> {
    const found = id === null ? await newProject(api, site.name, request) : { id, isNew: false }
    if (found.id === NOT_CREATED) return { ...found, name: site.name, url: null }
    return { ...found, ...(await describeProject(api, found.id)) }
  }

  function portsOf(): PushPorts {
    return {
      api,
      monotonic: () => performance.now(),
      files: { read: (source) => readFileBody(join(folder, source)) },
      onFile: progressOf('Sending files'),
      ...(wait && {
        variants: { pause: (ms: number) => pause(ms), onDerived: progressOf('Waiting for smaller pictures') },
      }),
      onSent: progressOf('Sending pages'),
      onPublished: progressOf('Publishing pages'),
    }
  }
}

/** Runs the work, and reports to the server until it ends. */
async function within(session: PushSession, work: () => Promise<PushReport>): Promise<PushReport> {
  let lost: unknown = null
  const timer = setInterval(() => {
    session.beat().catch((error) => {
      lost ??= error
    })
  }, BEAT_MS)
  try {
    const report = await work()
    if (lost !== null) throw lost
    await session.end('done', countsOf(report), report.pageConflicts)
    return report
  } catch (error) {
    // The next push finds out which pages were sent. The error of the work matters more than an error of its end.
    await session.end('failed', { conflicts: 0 }).catch(() => {})
    throw error
  } finally {
    clearInterval(timer)
  }
}

async function revisionOf(folder: string): Promise<PushedFolder['revision']> {
  const commit = await headCommit(folder)
  return commit && { id: commit.id, committedAt: commit.committedAt }
}
