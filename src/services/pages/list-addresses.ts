import type { Home } from '../../db/repositories/projects.ts'
import type { Repositories } from '../../db/repositories.ts'
import { fieldFailure } from '../../domain/field-errors.ts'
import { type ListFault, listFault, listingFolder } from '../../domain/listing.ts'
import type { Page } from '../../domain/page.ts'
import { MAX_PATH_BYTES } from '../../domain/route.ts'
import { withSiteAuthor } from '../../domain/site-author.ts'
import { MAX_TAG_ADDRESS_BYTES } from '../../domain/tag.ts'
import { resolvedFields } from '../../page-text/derive.ts'

/** Bytes that a list adds to the path of its blog at most. */
const MAX_LIST_BYTES = '/'.length + '/authors/'.length + MAX_TAG_ADDRESS_BYTES

/**
 * Refuses an article whose list of a tag or of its author would have too long a path. A publish refuses it too, because
 * the path also follows from settings.
 *
 * @param before the page before an edit, which may have the error already; null for a new page.
 * @throws {ServiceError} `validation_error`, which names the field.
 */
export async function assertListAddresses(
  repositories: Repositories,
  page: Page,
  before: Page | null,
  home: Home,
): Promise<void> {
  const fault = await faultOf(repositories, page, home)
  if (fault === null) return
  if (before !== null && (await faultOf(repositories, before, home))?.message === fault.message) return
  throw fieldFailure('validation_error', [
    { path: writtenField(page, fault.field), message: fault.message, code: 'wrong_length' },
  ])
}

async function faultOf(
  { settings }: Repositories,
  page: Page,
  { project, siteRoutes }: Home,
): Promise<ListFault | null> {
  if (page.type !== 'article' || project.hosting.mode === 'data_mode') return null
  const fields = resolvedFields(page)
  const folder = listingFolder({ page, fields, settings: { siteRoutes } }) ?? ''
  if (Buffer.byteLength(folder) + MAX_LIST_BYTES <= MAX_PATH_BYTES) return null
  const { data } = (await settings.find(project.id)).settings
  return listFault({ page, fields: withSiteAuthor(fields, data), settings: { siteRoutes } })
}

/** The field in which the author of the page wrote the value. */
function writtenField({ ownFields, config }: Page, name: ListFault['field']): string {
  if (ownFields[name] !== undefined && ownFields[name] !== null) return name
  return config[name] === undefined ? 'markdown_content' : `config.${name}`
}
