import { z } from 'zod'
import { ServiceError } from '../../domain/errors.ts'
import { fieldFailure } from '../../domain/field-errors.ts'
import type { InvalidField } from '../../domain/invalid-field.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts'
import type { Page } from '../../domain/page.ts'
import { readSubroute } from '../../domain/route.ts'
import { readSlug } from '../../domain/slug.ts'
import { type BulkItem, type BulkReaders, type BulkWrite, ITEM } from '../../services/pages/bulk-pages.ts'
import { requestBody } from '../openapi/body.ts'
import { parseBody } from '../parse.ts'
import { CreatePage, READ_ONLY, readCreatePage, readUpdatePage, UpdatePage } from './page-schemas.ts'

export const MAX_BULK_ITEMS = 500
const MAX_REF = 64

const ref = z
  .string()
  .min(1, 'must not be empty.')
  .max(MAX_REF, `must have at most ${MAX_REF} characters.`)
  .meta({
    description:
      'A name of your choice, unique in the request: `parent_page: { "ref": … }` of a later item means the page of this one.',
    examples: ['guide'],
  })

const parentRef = z.strictObject({ ref }).meta({ description: 'The page of an earlier item.' })

const parentPage = {
  parent_page: z
    .union([z.string(), parentRef])
    .nullable()
    .optional()
    .meta({ description: 'The id of the parent of a `docs` page, or the `ref` of an earlier item.' }),
}

const NewPage = requestBody(CreatePage.omit({ project_id: true }).extend(parentPage), {
  id: 'BulkNewPage',
  either: ['title', 'page_name'],
  ignored: READ_ONLY,
})

const ChangedPage = requestBody(UpdatePage.omit({ status: true }).extend(parentPage), {
  id: 'BulkChangedPage',
  either: ['title', 'page_name'],
  ignored: READ_ONLY,
})

const target = z.string().meta({ description: 'The id of the page.', examples: ['page_k3v9q2m7x4tz8wpa'] })
const version = z
  .int()
  .min(1)
  .meta({ description: 'The version that the change is based on. Another one is `precondition_failed`.' })

/* Describes the items for the document of the API. They are read one by one, so that an invalid one stops no other. */
const Item = z.discriminatedUnion('op', [
  z.strictObject({ op: z.literal('create'), ref: ref.optional(), page: NewPage }),
  z.strictObject({
    op: z.literal('update'),
    ref: ref.optional(),
    id: target,
    if_match: version.optional(),
    page: ChangedPage,
  }),
  z.strictObject({ op: z.literal('upsert'), ref: ref.optional(), page: NewPage }),
])

export const WritePages = z
  .strictObject({
    atomic: z.boolean().default(false).meta({
      description:
        'True: all items are one transaction, and the first error of any is the answer. False: each item is written by itself.',
    }),
    items: z.array(Item).min(1).max(MAX_BULK_ITEMS).meta({
      description:
        '`create` takes the fields of `POST /pages` without `project_id`, `update` those of `PUT /pages/{id}` without `status`. `upsert` updates the page at `subroute` and `slug`, or creates it.',
    }),
  })
  .meta({
    id: 'WritePages',
    examples: [
      {
        items: [
          {
            op: 'create',
            ref: 'guide',
            page: { title: 'Guide', slug: 'guide', subroute: 'docs', type: 'docs' },
          },
          { op: 'update', id: 'page_k3v9q2m7x4tz8wpa', page: { title: 'New opening hours' } },
        ],
      },
    ],
  })

const Request = z.strictObject({
  atomic: z.boolean().default(false),
  items: z
    .array(z.unknown())
    .min(1, 'must have at least one item.')
    .max(MAX_BULK_ITEMS, `must have at most ${MAX_BULK_ITEMS} items.`),
})

const forms = {
  create: z.strictObject({ op: z.literal('create'), ref: ref.optional(), page: z.unknown() }),
  update: z.strictObject({
    op: z.literal('update'),
    ref: ref.optional(),
    id: z.string(),
    if_match: version.optional(),
    page: z.unknown(),
  }),
  upsert: z.strictObject({ op: z.literal('upsert'), ref: ref.optional(), page: z.unknown() }),
}

/** @throws {ServiceError} for errors of the request as a whole: its own fields, and names that two items have. */
export function readBulkWrite(body: JsonObject): BulkWrite {
  const items = Array.isArray(body['items']) ? body['items'] : []
  const { atomic } = parseBody(Request, body, { also: () => repeatedNames(items) })
  return { isAtomic: atomic, items: items.map(readItem) }
}

function repeatedNames(items: readonly JsonValue[]): readonly InvalidField[] {
  const names = new Set<string>()
  return items.flatMap((item, index) => {
    const name = isJsonObject(item) ? item['ref'] : undefined
    if (typeof name !== 'string') return []
    const isRepeated = names.has(name)
    names.add(name)
    const path = `items[${index}].ref`
    return isRepeated ? [{ path, message: 'another item has this name.', code: 'given_twice' as const }] : []
  })
}

/** @returns the error of an item whose form is invalid. */
function readItem(item: JsonValue): BulkItem | ServiceError {
  if (!isJsonObject(item)) return invalid({ path: ITEM, message: 'must be an object.', code: 'wrong_type' })
  const { op } = item
  if (op !== 'create' && op !== 'update' && op !== 'upsert')
    return invalid({
      path: `${ITEM}.op`,
      message: 'must be create, update or upsert.',
      code: op === undefined ? 'required' : 'not_allowed',
    })
  if (!isJsonObject(item['page']))
    return invalid({ path: `${ITEM}.page`, message: 'must be an object.', code: 'wrong_type' })
  try {
    const given: {
      readonly ref?: string | undefined
      readonly id?: string
      readonly if_match?: number | undefined
    } = parseBody<z.ZodRawShape>(forms[op], item)
    const { ref = null, id = null, if_match: version = null } = given
    return { op, ref, target: id, version, body: item['page'] }
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    return fieldFailure(
      error.name,
      error.fields.map((field) => ({ ...field, path: `${ITEM}.${field.path}` })),
    )
  }
}

function invalid(field: InvalidField): ServiceError {
  return fieldFailure(field.code === 'required' ? 'missing_required_field' : 'validation_error', [field])
}

/** Reads pages of items as requests of their own are read. */
export function bulkReaders(themes: readonly string[]): BulkReaders {
  return {
    create: (body, { project: { hosting } }) => {
      const { project_id: _, ...fields } = body
      // The schema of a request of its own requires a project.
      return readCreatePage({ ...fields, project_id: '' }, themes, hosting.slugs)
    },
    update: (body, page, shown, { project: { hosting } }) =>
      readUpdatePage(withoutStatus(body, page), page, shown, themes, hosting.slugs),
    address({ slug, subroute }, { project: { hosting } }) {
      if (typeof slug !== 'string' || typeof subroute !== 'string') return null
      const address = {
        slug: readSlug(slug, hosting.slugs),
        subroute: readSubroute(subroute, hosting.slugs),
      }
      return address.slug === null || address.subroute === null
        ? null
        : { slug: address.slug, subroute: address.subroute }
    },
  }
}

/** @throws {ServiceError} `validation_error` for another status than that of the page. */
function withoutStatus(body: JsonObject, page: Page): JsonObject {
  const { status, ...others } = body
  if (status === undefined || status === page.status) return others
  const message = `is ${page.status}; publish, unpublish or PUT /pages/{id} changes it.`
  throw fieldFailure('validation_error', [{ path: 'status', message, code: 'cannot_change' }])
}
