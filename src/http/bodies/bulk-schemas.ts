import { z } from 'zod'
import { ServiceError } from '../../domain/errors.ts'
import { fieldFailure } from '../../domain/field-errors.ts'
import type { InvalidField } from '../../domain/invalid-field.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts'
import type { Page } from '../../domain/page.ts'
import { readSubroute } from '../../domain/route.ts'
import { readSlug } from '../../domain/slug.ts'
import {
  type BulkItem,
  type BulkReaders,
  type BulkWrite,
  MAX_ITEM_FIELDS,
} from '../../services/pages/bulk-pages.ts'
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

/** The fields of an item of `create` and `upsert`, beside `op` and `page`. */
const NewItem = z.strictObject({ ref: ref.optional() })

/** Fields of `update`. */
const ChangedItem = NewItem.extend({ id: target, if_match: version.optional() })

/* A plain union, because the document of the API describes alternatives by `anyOf` only. */
const Item = z.union([
  z.strictObject({ op: z.literal('create'), ...NewItem.shape, page: NewPage }),
  z.strictObject({ op: z.literal('update'), ...ChangedItem.shape, page: ChangedPage }),
  z.strictObject({ op: z.literal('upsert'), ...NewItem.shape, page: NewPage }),
])

export const WritePages = z
  .strictObject({
    atomic: z.boolean().default(false).meta({
      description:
        'True: all items are one transaction, and the first error of any is the answer. False: each item is written by itself.',
    }),
    items: listOf(Item).meta({
      description:
        '`create` takes the fields of `POST /pages` without `project_id`, `update` those of `PUT /pages/{id}` without `status`. `upsert` updates the page at `subroute` and `slug`, or creates it.',
    }),
  })
  .meta({ id: 'WritePages' })

/* Items are read one by one, so that an invalid one stops no other. */
const Request = WritePages.extend({ items: listOf(z.unknown()) })

function listOf<Element extends z.ZodType>(element: Element): z.ZodArray<Element> {
  return z
    .array(element)
    .min(1, 'must have at least one item.')
    .max(MAX_BULK_ITEMS, `must have at most ${MAX_BULK_ITEMS} items.`)
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

/** @returns the error of an item whose form is invalid, with paths such as `items[3].op`. */
function readItem(item: JsonValue, index: number): BulkItem | ServiceError {
  const place = `items[${index}]`
  if (!isJsonObject(item)) return invalid({ path: place, message: 'must be an object.', code: 'wrong_type' })
  const { op, page, ...others } = item
  if (op !== 'create' && op !== 'update' && op !== 'upsert')
    return invalid({
      path: `${place}.op`,
      message: 'must be create, update or upsert.',
      code: op === undefined ? 'required' : 'not_allowed',
    })
  if (!isJsonObject(page))
    return invalid({ path: `${place}.page`, message: 'must be an object.', code: 'wrong_type' })
  try {
    if (op !== 'update') {
      const { ref = null } = parseBody(NewItem, others)
      return { op, ref, target: null, version: null, body: page }
    }
    const { ref = null, id, if_match: version = null } = parseBody(ChangedItem, others)
    return { op, ref, target: id, version, body: page }
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    const fields = error.fields.map((field) => ({ ...field, path: `${place}.${field.path}` }))
    return fieldFailure(error.name, fields.slice(0, MAX_ITEM_FIELDS), { total: fields.length, cause: error })
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
