import { SITE_FILE } from '../content-folder/file-kind.ts'
import { type Diagnostic, diagnostic } from '../domain/diagnostic.ts'
import type { PreviousPush, PushedFolder, Revision } from './push-session.ts'

/** The relation of a commit that was pushed before to the present one. */
export type Ancestry = 'ancestor' | 'other' | 'unknown'

/** The reason why a folder must not be pushed to a project, with all ways to continue; null if it may. */
export function refusedPush(
  { name, revision }: PushedFolder,
  previous: PreviousPush | null,
  {
    project,
    isNamed,
    isForced,
    ancestry,
  }: {
    /** Its id and name. */
    readonly project: { readonly id: string; readonly name: string }
    /** True when the project was named, not found. */
    readonly isNamed: boolean
    readonly isForced: boolean
    readonly ancestry: (former: string) => Ancestry
  },
): Diagnostic | null {
  if (previous === null) return null
  if (!isNamed && previous.name !== name) return otherSite(project, previous.name, name)
  if (isForced || !isBehind(revision, previous, ancestry)) return null
  return diagnostic(
    'QN-BEHIND',
    SITE_FILE,
    `The project has a newer state of this folder: commit ${shortId(previous.revision)} of ${previous.committed_at}, and this is ${shortId(revision?.id ?? null)} of ${revision?.committedAt}. Update the folder and push again, or push this state with --force.`,
  )
}

/** The folder was pushed as another site: it is a copy, or was renamed. */
function otherSite(
  project: { readonly id: string; readonly name: string },
  former: string,
  name: string,
): Diagnostic {
  return diagnostic(
    'QN-OTHER-SITE',
    SITE_FILE,
    `This folder was last pushed as ${JSON.stringify(former)} to the project ${JSON.stringify(project.name)} (${project.id}), and is named ${JSON.stringify(name)} now. If the site was renamed, push it with --project ${project.id}. If the folder is a copy that is a site of its own, give it an id of its own: quoin new-id <folder>.`,
    { field: 'name' },
  )
}

/** Checks for a commit older than the previous push. Their times decide where Git knows only one of them. */
function isBehind(
  revision: Revision | null,
  { revision: former, committed_at: formerTime }: PreviousPush,
  ancestry: (former: string) => Ancestry,
): boolean {
  if (revision === null || former === null || former === revision.id) return false
  const known = ancestry(former)
  if (known !== 'unknown') return known === 'other'
  return formerTime !== null && formerTime > revision.committedAt
}

function shortId(revision: string | null): string {
  return revision?.slice(0, 10) ?? 'unknown'
}
