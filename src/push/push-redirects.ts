import type { Client } from '../client/client.ts'
import { REDIRECTS_FILE } from '../content-folder/redirects.ts'
import type { FolderRedirect } from '../content-folder/site.ts'
import { type Diagnostic, diagnostic } from '../domain/diagnostic.ts'
import { writtenTarget } from '../domain/site-redirect.ts'
import { NOT_CREATED } from './project.ts'

/** Redirects of one request. */
const PER_REQUEST = 500

export interface RedirectsOutcome {
  /** Paths of redirects that were created or got another target. */
  readonly sent: readonly string[]
  readonly failures: readonly Diagnostic[]
}

export const NO_REDIRECTS_SENT: RedirectsOutcome = { sent: [], failures: [] }

/**
 * Sends redirects that belong to no page and are missing in the project. They are live at once. Others of the project
 * stay.
 */
export async function pushRedirects(
  redirects: readonly FolderRedirect[],
  { project, dryRun }: { readonly project: string; readonly dryRun: boolean },
  api: Client,
): Promise<RedirectsOutcome> {
  if (redirects.length === 0) return NO_REDIRECTS_SENT
  const stored = new Map<string, string>()
  if (project !== NOT_CREATED)
    for await (const { from, to } of api.redirects.list(project, { kind: 'project', limit: 100 }))
      stored.set(from, to)
  const due = redirects.filter(({ from, to }) => stored.get(from) !== writtenTarget(to))
  if (dryRun) return { sent: due.map(({ from }) => from), failures: [] }
  const sent: string[] = []
  const failures: Diagnostic[] = []
  for (let start = 0; start < due.length; start += PER_REQUEST) {
    const some = due.slice(start, start + PER_REQUEST)
    const items = some.map(({ from, to }) => ({ from, to: writtenTarget(to) }))
    const answer = await api.redirects.putAll(project, { items })
    for (const { index, error, id } of answer.items) {
      const redirect = some[index]
      if (redirect === undefined) continue
      if (error !== null) failures.push(failureOf(redirect, error.message))
      else if (id !== null) sent.push(redirect.from)
    }
  }
  return { sent, failures }
}

function failureOf({ from, line }: FolderRedirect, message: string): Diagnostic {
  return diagnostic('QN-REFUSED', REDIRECTS_FILE, message, { line, field: from })
}
