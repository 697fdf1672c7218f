import type { PageId, ProjectId, RedirectId } from '../domain/ids.ts'
import {
  type LiveRedirect,
  type ProjectRedirect,
  type RedirectEnd,
  type RedirectState,
  targetKind,
} from '../domain/site-redirect.ts'
import { foldedAddress } from '../domain/slug.ts'

export interface RedirectRow {
  readonly id: RedirectId
  readonly project_id: ProjectId
  readonly path: string
  readonly address: string
  readonly page_id: PageId | null
  readonly target: string | null
  readonly fragment: string | null
  readonly target_kind: RedirectEnd['kind']
  readonly object_key: string | null
  readonly leads_to: string | null
  readonly created_at: string
}

/** The columns that a change writes. */
export function toRow(projectId: ProjectId, { id, from, to, createdAt }: ProjectRedirect) {
  return {
    id,
    project_id: projectId,
    path: from,
    address: foldedAddress(from),
    page_id: to.kind === 'page' ? to.pageId : null,
    target: to.kind === 'page' ? null : to.kind === 'url' ? to.url : to.path,
    fragment: to.kind === 'url' ? null : to.fragment,
    target_kind: targetKind(to),
    created_at: createdAt,
  } satisfies Partial<RedirectRow>
}

/** The columns of what the site makes of a redirect. */
export function toStateColumns({ key, end }: RedirectState) {
  return {
    object_key: key,
    leads_to: end === null ? null : JSON.stringify(end),
    ...(end !== null && { target_kind: end.kind }),
  } satisfies Partial<RedirectRow>
}

export function toRedirect(row: RedirectRow): LiveRedirect & { readonly targetKind: RedirectEnd['kind'] } {
  const { page_id: pageId, target, fragment } = row
  return {
    id: row.id,
    from: row.path,
    to: toTarget({ pageId, target: target ?? '', fragment }),
    createdAt: row.created_at,
    targetKind: row.target_kind,
    key: row.object_key,
    end: row.leads_to === null ? null : JSON.parse(row.leads_to),
  }
}

function toTarget({
  pageId,
  target,
  fragment,
}: {
  readonly pageId: PageId | null
  readonly target: string
  readonly fragment: string | null
}): ProjectRedirect['to'] {
  if (pageId !== null) return { kind: 'page', pageId, fragment }
  return target.startsWith('/') ? { kind: 'path', path: target, fragment } : { kind: 'url', url: target }
}
