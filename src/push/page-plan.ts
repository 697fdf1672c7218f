import type { BodyOf } from '../client/routes.ts'
import type { SitePage } from '../content-folder/site.ts'
import { hasSameFields } from '../page-text/field-digests.ts'
import type { FoundPage } from './find-pages.ts'
import { mayOverwrite } from './overwrite.ts'
import { digestsOf, newBody, type ParentPage, sourceOf, updateBody } from './page-body.ts'
import { outcomeOf, type PageOutcome } from './page-outcome.ts'
import type { PagePushPorts } from './push-page.ts'

/** An item of a bulk write. */
export type BulkItem = BodyOf<'POST /projects/{id}/pages/bulk'>['items'][number]
type ChangedPage = Extract<BulkItem, { readonly op: 'update' }>['page']

/** The next step for the page of a file, as far as the server has told without reading the page. */
export type PagePlan =
  | { readonly kind: 'done'; readonly outcome: PageOutcome }
  /** A write that many pages can share a request for. */
  | { readonly kind: 'write'; readonly action: Written; readonly item: BulkItem }
  /** The content on the server decides. */
  | { readonly kind: 'read' }

export type Written = 'created' | 'updated' | 'adopted'

/** @param found the page on the server; null for a new file. */
export function planPage(
  page: SitePage,
  found: FoundPage | null,
  parent: ParentPage | null,
  ports: Pick<PagePushPorts, 'folder' | 'site' | 'overwrite'>,
): PagePlan {
  if (found === null)
    return { kind: 'write', action: 'created', item: { op: 'create', page: newBody(page, parent, ports) } }
  const { id, type, pushed } = found
  const done = (outcome: PageOutcome): PagePlan => ({ kind: 'done', outcome })
  if (type !== page.type) return done(outcomeOf(page, 'failed', id, { message: typeMismatch(found, page) }))
  if (pushed === null) return { kind: 'read' }
  const file = digestsOf(page)
  const isFileUnchanged = hasSameFields(file, pushed)
  const isEdited = pushed.current !== pushed.digest
  const source = sourceOf(page, ports.folder)
  const write = (action: Written, fields: ChangedPage): PagePlan => ({
    kind: 'write',
    action,
    item: { op: 'update', id, if_match: pushed.version, page: { ...fields, ...source } },
  })
  if (isFileUnchanged && !isEdited) return done(outcomeOf(page, 'unchanged', id))
  if (!isEdited) return write('updated', updateBody(page, parent))
  if (isFileUnchanged && !mayOverwrite(ports.overwrite, page.source)) return done(outcomeOf(page, 'kept', id))
  return pushed.current === file.digest ? write('adopted', {}) : { kind: 'read' }
}

function typeMismatch({ id, type }: FoundPage, page: SitePage): string {
  return `The page ${id} on the server has the type ${type}, not ${page.type}, and a type cannot change. Delete the page on the server and push again.`
}
