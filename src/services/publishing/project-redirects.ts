import type { Repositories } from '../../db/repositories.ts'
import type { Caller } from '../../domain/caller.ts'
import { ServiceError } from '../../domain/errors.ts'
import { fieldFailure } from '../../domain/field-errors.ts'
import { type RedirectId, readId } from '../../domain/ids.ts'
import type { Project } from '../../domain/project.ts'
import {
  changeOf,
  decideRedirects,
  type RedirectDecision,
  type WantedRedirect,
} from '../../domain/redirect-decision.ts'
import { REDIRECT_PATH_RULE, readRedirectPath } from '../../domain/redirect-path.ts'
import { deadlineOf } from '../../domain/release.ts'
import type { RedirectChange } from '../../domain/site-redirect.ts'
import { waitedMs } from '../../platform/answer-time.ts'
import { accessProject, assertWritable } from '../access.ts'
import type { ServiceContext } from '../context.ts'
import type { EnqueuedRelease } from './enqueue-release.ts'
import { assertFewRedirects, decidingSite, readTarget } from './redirect-target.ts'
import { siteOfProject } from './snapshots.ts'

/** A redirect as a request states it. */
export interface WrittenRedirect {
  readonly from: string
  readonly to: string
}

/** Outcome of a requested redirect. */
export type PutRedirect =
  | { readonly outcome: 'created' | 'updated' | 'unchanged'; readonly id: RedirectId }
  | { readonly outcome: 'failed'; readonly error: ServiceError }

export type ProjectRedirectService = ReturnType<typeof createProjectRedirectService>

/** Redirects of a project that belong to no page. Each change has a release, and is live when its method resolves. */
export function createProjectRedirectService(
  context: Pick<ServiceContext, 'db' | 'publisher' | 'addresses' | 'newId' | 'now'>,
) {
  const { db, publisher, addresses, newId, now } = context

  return {
    /** Checks that the caller may change redirects, before many of them are received. */
    async admit(caller: Caller, ref: string): Promise<void> {
      const { project } = await accessProject(db.read, caller, ref, ['publish'])
      assertWritable(project)
    },

    /**
     * Makes a redirect. A repeated call changes nothing.
     *
     * @throws {ServiceError} `validation_error` for a path or target that none can have; `conflict` when something else
     *   is at the path, when it would lead back to itself, or when the project has too many.
     */
    async create(caller: Caller, ref: string, read: () => WrittenRedirect): Promise<PutRedirect> {
      const [made] = await change(caller, ref, async (repositories, project) => {
        const wanted = await readWanted(repositories, project, read())
        const [decision] = await decide(repositories, project, [wanted], { replaces: false })
        if (decision === undefined) throw new Error('Nothing was decided about a redirect.')
        assertPossible(decision)
        return { decisions: [decision], change: changeOf([decision]) }
      })
      if (made === undefined) throw new Error('Nothing was decided about a redirect.')
      return made
    },

    /**
     * Creates many redirects, and gives existing ones their new targets. One that fails stops no other.
     *
     * @throws {ServiceError} `conflict` when the project would have too many.
     */
    putAll(
      caller: Caller,
      ref: string,
      read: () => readonly WrittenRedirect[],
    ): Promise<readonly PutRedirect[]> {
      return change(caller, ref, async (repositories, project) => {
        const items: (WantedRedirect | ServiceError)[] = []
        for (const written of read())
          items.push(await readWanted(repositories, project, written).catch(serviceErrorOf))
        const wanted = items.filter((item): item is WantedRedirect => !(item instanceof ServiceError))
        const decided = [...(await decide(repositories, project, wanted, { replaces: true }))]
        const decisions = items.map((item) => (item instanceof ServiceError ? item : decided.shift()))
        return {
          decisions: decisions.filter((decision) => decision !== undefined),
          change: changeOf(decisions.filter(isDecision)),
        }
      })
    },

    /**
     * Gives a redirect another path or target.
     *
     * @throws {ServiceError} as `create`; `not_found` for one that the project does not have.
     */
    async update(
      caller: Caller,
      ref: string,
      id: string,
      read: () => Partial<WrittenRedirect>,
    ): Promise<RedirectId> {
      const stored = await change(caller, ref, async (repositories, project) => {
        const redirect = await find(repositories, project, id)
        const edit = read()
        const to =
          edit.to === undefined
            ? redirect.to
            : await readTarget(repositories, project.id, edit.to, invalidTarget)
        const from = edit.from === undefined ? redirect.from : readFrom(edit.from)
        const others = (await repositories.redirects.list(project.id)).filter(
          (other) => other.id !== redirect.id,
        )
        const wanted = [{ from, to }]
        const [decision] = decideRedirects(
          wanted,
          { ...(await decidingSite(repositories, project.id, wanted)), redirects: others },
          false,
          { newId: () => redirect.id, now: redirect.createdAt },
        )
        if (decision === undefined) throw new Error('Nothing was decided about a redirect.')
        assertPossible(decision)
        // Another redirect that leads there already is one too many.
        if (decision.outcome === 'unchanged')
          throw new ServiceError('conflict', `${from} has a redirect of its own. Delete one of the two.`)
        const isSame =
          JSON.stringify([from, decision.redirect.to]) === JSON.stringify([redirect.from, redirect.to])
        return {
          decisions: [{ outcome: 'updated' as const, redirect: decision.redirect }],
          change: isSame ? { put: [], remove: [] } : changeOf([decision]),
        }
      })
      const [updated] = stored
      if (updated === undefined || updated.outcome === 'failed')
        throw new Error('Nothing was decided about a redirect.')
      return updated.id
    },

    /**
     * Deletes a redirect of the project, or a path that a page had before it moved.
     *
     * @throws {ServiceError} `not_found` for one that the project does not have.
     */
    async remove(caller: Caller, ref: string, id: string): Promise<RedirectId> {
      let removed: RedirectId | null = null
      await change(caller, ref, async (repositories, project) => {
        const former = readId('rdr', id)
        removed =
          (former === null ? null : await repositories.redirects.findFormer(project.id, former)) ??
          (await find(repositories, project, id)).id
        return { decisions: [], change: { put: [], remove: [removed] } }
      })
      if (removed === null) throw new Error('No redirect was found, and none was missed.')
      return removed
    },
  }

  /** Accepts a change of redirects, and waits until it is live. */
  async function change(
    caller: Caller,
    ref: string,
    decideChange: (
      repositories: Repositories,
      project: Project,
    ) => Promise<{
      readonly decisions: readonly (RedirectDecision | ServiceError)[]
      readonly change: RedirectChange
    }>,
  ): Promise<readonly PutRedirect[]> {
    const { decisions, accepted } = await db.write(async (repositories) => {
      const { project } = await accessProject(repositories, caller, ref, ['publish'])
      assertWritable(project)
      const decided = await decideChange(repositories, project)
      await assertFewRedirects(repositories, project.id, decided.change)
      return {
        decisions: decided.decisions,
        accepted: await accept(repositories, caller, project, decided.change),
      }
    })
    if (accepted !== null) {
      const awaited = { ...accepted, requestId: caller.requestId }
      // No job reports its end, so the request waits even for a slow store.
      if ((await publisher.finish(awaited)) === null) await publisher.finishInBackground(awaited)
    }
    return decisions.map(toResult)
  }

  async function accept(
    repositories: Repositories,
    actor: Caller,
    project: Project,
    change: RedirectChange,
  ): Promise<EnqueuedRelease | null> {
    if (change.put.length + change.remove.length === 0) return null
    const id = newId<'rel'>()
    const createdAt = now()
    const { settings } = await repositories.settings.find(project.id)
    await repositories.releases.acceptChange({
      id,
      projectId: project.id,
      op: 'redirects',
      change,
      actor,
      site: siteOfProject(project, addresses),
      settings,
      createdAt,
      deadlineAt: deadlineOf(createdAt, waitedMs()),
    })
    return { id, projectId: project.id }
  }

  async function decide(
    repositories: Repositories,
    project: Project,
    wanted: readonly WantedRedirect[],
    { replaces }: { readonly replaces: boolean },
  ): Promise<readonly RedirectDecision[]> {
    const site = await decidingSite(repositories, project.id, wanted)
    return decideRedirects(wanted, site, replaces, { newId: () => newId<'rdr'>(), now: now() })
  }
}

async function find({ redirects }: Repositories, { id: projectId }: Project, ref: string) {
  const id = readId('rdr', ref)
  const found = id === null ? null : await redirects.find(projectId, id)
  if (found === null)
    throw new ServiceError('not_found', `The project has no redirect ${JSON.stringify(ref.slice(0, 100))}.`)
  return found
}

async function readWanted(
  repositories: Repositories,
  project: Project,
  { from, to }: WrittenRedirect,
): Promise<WantedRedirect> {
  return { from: readFrom(from), to: await readTarget(repositories, project.id, to, invalidTarget) }
}

function invalidTarget(message: string): ServiceError {
  return fieldFailure('validation_error', [{ path: 'to', message }])
}

function readFrom(written: string): string {
  const from = readRedirectPath(written)
  if (from === null) throw fieldFailure('validation_error', [{ path: 'from', message: REDIRECT_PATH_RULE }])
  return from
}

/** @throws {ServiceError} `conflict` for what was refused. */
function assertPossible(
  decision: RedirectDecision,
): asserts decision is Exclude<RedirectDecision, { readonly outcome: 'conflict' }> {
  if (decision.outcome === 'conflict') throw new ServiceError('conflict', decision.message)
}

function serviceErrorOf(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error
  throw error
}

function isDecision(decision: RedirectDecision | ServiceError | undefined): decision is RedirectDecision {
  return decision !== undefined && !(decision instanceof ServiceError)
}

function toResult(decision: RedirectDecision | ServiceError): PutRedirect {
  if (decision instanceof ServiceError) return { outcome: 'failed', error: decision }
  if (decision.outcome === 'conflict')
    return { outcome: 'failed', error: new ServiceError('conflict', decision.message) }
  return { outcome: decision.outcome, id: decision.redirect.id }
}
