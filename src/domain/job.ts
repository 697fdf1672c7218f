import type { PageWarning } from './diagnostic.ts'
import type { JobId, PageId, ProjectId } from './ids.ts'
import type { JsonValue } from './json.ts'

/** Kinds of jobs that publish pages: many of them, and one at its time. */
export const PUBLISH_PAGES = 'publish-pages'
export const SCHEDULED_PUBLISH = 'scheduled-publish'
/** Brings a site's search index up to what is live. */
export const SEARCH_INDEX = 'search-index'
/** The payload of one that also takes out of it what pages were before; null of any other. */
export const MERGE = 'merge'

/** Looks again at what a former leader was writing, once its late writes have arrived. */
export const RECHECK = 'recheck'

/** Tells one webhook of one event; the second lane is for webhooks that fail, so that they hold up no other. */
export const DELIVERY = 'delivery'
export const SLOW_DELIVERY = 'slow-delivery'

/** queued → running → succeeded or failed; back to queued after a run that failed or was broken off; or cancelled. */
export type JobState = 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled'

/** Work that is written down and done later: once at least, and again when it was broken off. */
export interface Job {
  readonly id: JobId
  readonly projectId: ProjectId
  /** Names what is to be done; who does it knows what the payload means. */
  readonly kind: string
  /** What the job is about, such as a page, by which it can be cancelled; null for none. */
  readonly subject: string | null
  readonly payload: JsonValue
  readonly state: JobState
  /** Parts the work has, those that are dealt with, and those of them that failed. */
  readonly total: number
  readonly done: number
  readonly failed: readonly PageFailure[]
  readonly warnings: JobWarnings
  /** How far the work has come, for whoever goes on with it; null before its first effect. */
  readonly checkpoint: JsonValue
  /** Runs begun since the work last made progress. */
  readonly attempts: number
  /** Not begun earlier than this. */
  readonly dueAt: string
  readonly createdAt: string
  readonly finishedAt: string | null
}

/** A part of the work that could not be done, and why, for the owner to read. */
export interface PageFailure {
  readonly pageId: PageId
  readonly message: string
}

/** What the owner should know of pages that went live. */
export interface JobWarnings {
  readonly total: number
  /** The first of them. */
  readonly told: readonly JobPageWarning[]
}

export interface JobPageWarning extends PageWarning {
  readonly pageId: PageId
}

export const NO_WARNINGS: JobWarnings = { total: 0, told: [] }

/** A job is one row and one answer, and ten thousand pages may have a hundred each. */
const MAX_STORED_WARNINGS = 1_000
/** UTF-16 code units; a message may name what an author wrote. */
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

/** What is decided when a job is written down. */
export type NewJob = Pick<
  Job,
  'id' | 'projectId' | 'kind' | 'subject' | 'payload' | 'total' | 'dueAt' | 'createdAt'
>

/** How far a job has come. */
export type JobProgress = Pick<Job, 'done' | 'failed' | 'checkpoint'> & {
  /** Not given, they stay as they are. */
  readonly warnings?: JobWarnings
}
