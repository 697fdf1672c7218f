import { type Actor, SERVICE } from './audit.ts'
import type { PageWarning } from './diagnostic.ts'
import type { JobId, PageId, ProjectId, ReleaseId } from './ids.ts'
import { isJsonObject, type JsonValue } from './json.ts'

/** Kinds of jobs that publish pages: many of them, and one at its time. */
export const PUBLISH_PAGES = 'publish-pages'
export const SCHEDULED_PUBLISH = 'scheduled-publish'

/** The pages of a bulk publish. A strict one rejects pages with warnings. */
interface BulkPayload {
  readonly pages: readonly string[]
  readonly strict: boolean
}

/** The payload of a bulk publish: a list of pages alone for one that is not strict. */
export function toBulkPayload({ pages, strict }: BulkPayload): JsonValue {
  return strict ? { pages, strict } : pages
}

export function readBulkPayload(payload: JsonValue): BulkPayload {
  const isStrict = isJsonObject(payload)
  return { pages: (isStrict ? payload['pages'] : payload) as readonly string[], strict: isStrict }
}

/** The payload of a scheduled publish. A `type`, so that it is JSON. */
export type SchedulePayload = {
  readonly strict: boolean
  /** Absent in old jobs, which are due then. */
  readonly publishAt?: string
  /** Position of the newest release at the scheduling. A later release of the page cancels the schedule. */
  readonly afterSeq: number
}
/** Follows a publish that continues in the background after its request was answered. */
export const CONTINUED_PUBLISH = 'continued-publish'

/** Returns the id of the job that follows a release: the release's own, so that one id names both. */
export function jobOfRelease(release: ReleaseId): JobId {
  return release as string as JobId
}

/** The release that a job follows. */
export function releaseOfJob(job: JobId): ReleaseId {
  return job as string as ReleaseId
}

/** Brings a site's search index up to what is live. */
export const SEARCH_INDEX = 'search-index'
/** The payload of a search job that also merges removals into the index; other search jobs have null. */
export const MERGE = 'merge'

/** Checks for writes to the store that arrive late: of a previous lease holder, or given up without an answer. */
export const RECHECK = 'recheck'

/** Checks the proof of a project's custom domain. */
export const DOMAIN_CHECK = 'domain-check'

/** Derives the variants of an original. */
export const PICTURE = 'picture'
/** Derives the slow variants, after all quick ones. */
export const PICTURE_AVIF = 'picture-avif'
/** The same with another recipe. They have a lane of their own, so that they delay no upload. */
export const PICTURE_AGAIN = 'picture-again'

/** Publishes live pages of a project again with smaller images that exist by now. */
export const REFRESH_PAGES = 'refresh-pages'

/** Sends the pending purges to the CDN. */
export const CACHE_PURGE = 'cache-purge'
/** In place of an object's key: everything of a site has to be forgotten. */
export const WHOLE_SITE = ''

/** Sends one delivery. Failing webhooks use the slow lane, so that they delay no other. */
export const DELIVERY = 'delivery'
export const SLOW_DELIVERY = 'slow-delivery'

/** queued → running → succeeded or failed; back to queued after a failed or interrupted run; or cancelled. */
export type JobState = 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled'

/** The state of a job, in messages. */
export const STATE_PHRASES: Readonly<Record<JobState, string>> = {
  queued: 'waits',
  running: 'is running',
  succeeded: 'has succeeded',
  failed: 'has failed',
  cancelled: 'was cancelled',
}

/** Durable background work. Runs at least once, and again after an interruption. */
export interface Job {
  readonly id: JobId
  readonly projectId: ProjectId
  /** Selects the handler, which knows the shape of the payload. */
  readonly kind: string
  /** The record of the job, such as a page, by which it can be cancelled; null for none. */
  readonly subject: string | null
  readonly payload: JsonValue
  readonly state: JobState
  /** Number of parts of the work; then the finished ones, and the failed ones among them. */
  readonly total: number
  readonly done: number
  readonly failed: readonly PageFailure[]
  readonly warnings: JobWarnings
  /** State from which the next run continues; null before the first effect. */
  readonly checkpoint: JsonValue
  /** Runs since the last progress. */
  readonly attempts: number
  /** Earliest start. */
  readonly dueAt: string
  /** Who asked for it; null for work of the service itself. */
  readonly actor: Actor | null
  readonly createdAt: string
  readonly finishedAt: string | null
}

/** The actor of what a job does. */
export function actorOfJob({ id, actor }: Pick<Job, 'id' | 'actor'>): Actor {
  return { ...(actor ?? SERVICE), jobId: id }
}

/** When a scheduled publish is to happen, also while a retry of it waits; null for other jobs. */
export function scheduledAt({
  kind,
  payload,
  dueAt,
}: Pick<Job, 'kind' | 'payload' | 'dueAt'>): string | null {
  if (kind !== SCHEDULED_PUBLISH) return null
  const planned = isJsonObject(payload) ? payload['publishAt'] : null
  return typeof planned === 'string' ? planned : dueAt
}

/** A part of the work that failed, with a message for the owner. */
export interface PageFailure {
  readonly pageId: PageId
  readonly message: string
}

/** Warnings about pages that went live, for the owner. */
export interface JobWarnings {
  readonly total: number
  /** The first ones. */
  readonly told: readonly JobPageWarning[]
}

export interface JobPageWarning extends PageWarning {
  readonly pageId: PageId
}

export const NO_WARNINGS: JobWarnings = { total: 0, told: [] }

/** Limit, because a job is one row and one answer, and 10,000 pages may have 100 warnings each. */
const MAX_STORED_WARNINGS = 1_000
/** In UTF-16 code units; a message may quote an author's text. */
const MAX_WARNING_LENGTH = 500

export function withWarnings({ total, told }: JobWarnings, more: readonly JobPageWarning[]): JobWarnings {
  const added = more.slice(0, MAX_STORED_WARNINGS - told.length).map(shortened)
  return { total: total + more.length, told: [...told, ...added] }
}

function shortened(warning: JobPageWarning): JobPageWarning {
  const { at, message } = warning
  return { ...warning, at: at === null ? null : shortText(at), message: shortText(message) }
}

function shortText(text: string): string {
  return text.length > MAX_WARNING_LENGTH ? `${text.slice(0, MAX_WARNING_LENGTH)}…` : text
}

/** Fields that the creator of a job supplies. */
export type NewJob = Pick<
  Job,
  'id' | 'projectId' | 'kind' | 'subject' | 'payload' | 'total' | 'dueAt' | 'createdAt'
> & { readonly actor?: Actor }

/** Progress of a job. */
export type JobProgress = Pick<Job, 'done' | 'failed' | 'checkpoint'> & {
  /** Absent: the recorded warnings stay. */
  readonly warnings?: JobWarnings
}
