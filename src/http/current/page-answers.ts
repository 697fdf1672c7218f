import { z } from 'zod'
import { PAGE_STATUSES, PAGE_TYPES } from '../../domain/page.ts'
import { STALE_REASONS } from '../../domain/staleness.ts'
import { anyObject, moment, prefixedId, warningCode } from '../answer-fields.ts'
import { enveloped, listMeta } from './envelopes.ts'

/* What the presenters of pages answer with. */

const pageType = z.enum(PAGE_TYPES)
const pageStatus = z.enum(PAGE_STATUSES)
const path = z.string().meta({ description: 'The path visitors use.', examples: ['/blog/opening-hours'] })
const absoluteUrl = z.string().meta({
  description: 'The address visitors use.',
  examples: ['https://example.com/blog/opening-hours'],
})
const slug = z.string().meta({ examples: ['opening-hours'] })
const subroute = z.string().meta({ examples: ['blog'] })
const title = z.string().meta({ examples: ['Opening hours'] })
const publishedAt = moment
  .nullable()
  .meta({ description: 'When it was last published; stays after an unpublish.' })
const difference = {
  has_unpublished_changes: z
    .boolean()
    .meta({ description: 'Whether the page was edited since it went live.' }),
  stale: z.array(z.enum(STALE_REASONS)).meta({
    description: 'Why publishing the live page again would change it; empty when it would not.',
    examples: [[]],
  }),
}

const author = z.strictObject({
  name: z.string().meta({ examples: ['Ada Byron'] }),
  avatar: z.string().nullable(),
})

const content = {
  config: anyObject.meta({ description: 'Sections of a `page`, fields of an `item`.', examples: [{}] }),
  markdown_content: z
    .string()
    .nullable()
    .meta({ examples: ['Open from **nine** to five.'] }),
}

const counts = {
  sections_count: z.int().min(0),
  word_count: z
    .int()
    .min(0)
    .meta({ description: 'Words a visitor reads, the title apart.', examples: [5] }),
}

const wholePage = {
  id: prefixedId('page'),
  project_id: prefixedId('proj'),
  slug,
  subroute,
  type: pageType.meta({ examples: ['article'] }),
  status: pageStatus,
  url: path,
  description: z.string(),
  og_image_url: z.string().nullable(),
  meta: z.strictObject({
    title: z.string().nullable(),
    description: z.string().nullable(),
    keywords: z.string().nullable(),
    robots: z.string().nullable(),
  }),
  config: content.config,
  sections_count: counts.sections_count,
  word_count: counts.word_count,
  published_at: publishedAt,
  ...difference,
  publish_date: moment.nullable().optional().meta({ description: 'Of an `article`.' }),
  author: author.nullable().optional().meta({ description: 'Of an `article`.' }),
  nav_order: z.int().optional().meta({ description: 'Of a `docs` page: its place among its siblings.' }),
  parent_page: prefixedId('page').nullable().optional().meta({ description: 'Of a `docs` page.' }),
  created_at: moment,
  updated_at: moment.meta({ description: 'Moves on edits only.' }),
}

export const Page = enveloped(
  z
    .strictObject({
      ...wholePage,
      page_name: title,
      markdown_content: content.markdown_content.optional(),
    })
    .meta({ id: 'Page' }),
)

export const UpdatedPage = enveloped(
  z
    .strictObject({ ...wholePage, title, markdown_content: content.markdown_content })
    .meta({ id: 'UpdatedPage', description: 'The page as it is now, its name under `title`.' }),
)

export const CreatedPage = enveloped(
  z
    .strictObject({
      id: prefixedId('page'),
      title,
      slug,
      subroute,
      type: pageType.meta({ examples: ['article'] }),
      status: pageStatus,
      url: absoluteUrl,
      project_id: prefixedId('proj'),
      created_at: moment,
      updated_at: moment,
      published_at: publishedAt.meta({ examples: [null] }),
    })
    .meta({ id: 'CreatedPage' }),
)

export const PageItem = z
  .strictObject({
    id: prefixedId('page'),
    page_name: title,
    slug,
    subroute,
    type: pageType.meta({ examples: ['article'] }),
    status: pageStatus,
    url: path,
    meta: z.strictObject({
      title: z.string().nullable(),
      description: z.string().nullable(),
      image: z.string().nullable(),
    }),
    ...counts,
    ...difference,
    created_at: moment,
    updated_at: moment,
    config: content.config.optional().meta({ description: 'With `include_content=true`.' }),
    markdown_content: content.markdown_content
      .optional()
      .meta({ description: 'With `include_content=true`.' }),
  })
  .meta({ id: 'PageItem' })

export const PageList = z.strictObject({
  data: z.array(PageItem),
  meta: z.strictObject({
    ...listMeta,
    filters: z.strictObject({
      project_id: prefixedId('proj'),
      type: z.enum([...PAGE_TYPES, 'all']),
      status: z.enum([...PAGE_STATUSES, 'all']),
    }),
  }),
})

const warnings = z
  .array(
    z.strictObject({
      code: warningCode,
      at: z.string().nullable().meta({ description: 'Where in the page; null when it is about all of it.' }),
      message: z.string(),
    }),
  )
  .meta({ examples: [[]] })

const ms = z.number().min(0)

const timings = z.strictObject({
  wait_ms: ms.meta({
    description: 'Until the turn of the page had come, and for whatever is none of the others.',
  }),
  claim_ms: ms.meta({ description: 'Deciding whether and under which names it may go live.' }),
  render_ms: ms,
  upload_ms: ms,
  commit_ms: ms,
  total_ms: ms,
})

const publishedPage = z
  .strictObject({
    id: prefixedId('page'),
    status: z.literal('published'),
    published_at: moment,
    url: absoluteUrl,
    release_id: prefixedId('rel'),
    changed: z
      .literal(false)
      .optional()
      .meta({ description: 'There when the same content was live already.' }),
    warnings: warnings.optional().meta({ description: 'What the owner should know of what went live.' }),
    timings: timings.optional().meta({
      description:
        'With `timings=true`: where the time went. Pages that go live together share all but `wait_ms` and `total_ms`; the phases are 0 when it was live already because of an earlier request.',
    }),
  })
  .meta({ id: 'PublishedPage' })

const dryRun = z
  .strictObject({
    id: prefixedId('page'),
    dry_run: z.literal(true),
    status: pageStatus.meta({ description: 'As it is; a dry run does not change it.' }),
    url: absoluteUrl,
    changed: z.boolean().meta({ description: 'False when the same content is live already.' }),
    objects: z.array(
      z.strictObject({
        key: z.string().meta({
          description: "Relative to the project's prefix.",
          examples: ['blog/opening-hours/index.html'],
        }),
        action: z.enum(['put', 'keep', 'delete']),
        reason: z.enum(['new', 'changed', 'headers', 'unchanged', 'obsolete']).meta({
          description:
            'Of a put `new`, `changed` or `headers`; of what is kept `unchanged`; of a delete `obsolete`.',
        }),
        size: z
          .int()
          .min(0)
          .meta({ description: 'In bytes.', examples: [4210] }),
      }),
    ),
    warnings,
  })
  .meta({ id: 'DryRun', description: 'What a publish would do.' })

export const ReleaseList = z.strictObject({
  data: z.array(
    z
      .strictObject({
        id: prefixedId('rel'),
        op: z.enum(['publish', 'rollback', 'unpublish', 'delete']),
        state: z.enum(['queued', 'running', 'succeeded', 'failed']).meta({ examples: ['succeeded'] }),
        title: title.meta({ description: 'The title the page had.' }),
        url: path.meta({ description: 'The path the page had.' }),
        restores: prefixedId('rel')
          .nullable()
          .meta({ description: 'Of a rollback: the release it put back live.', examples: [null] }),
        error: z
          .string()
          .nullable()
          .meta({ description: 'Why it failed.', examples: [null] }),
        created_at: moment,
        finished_at: moment.nullable(),
        current: z.boolean().meta({ description: 'Whether it is what visitors read now.' }),
      })
      .meta({ id: 'Release' }),
  ),
  meta: z.strictObject(listMeta),
})

export const RolledBackPage = enveloped(publishedPage)

export const PublishedPage = enveloped(z.union([publishedPage, dryRun]))

export const UnscheduledPage = enveloped(
  z
    .strictObject({ id: prefixedId('page'), status: pageStatus, publish_at: z.null() })
    .meta({ id: 'UnscheduledPage' }),
)

export const UnpublishedPage = enveloped(
  z
    .strictObject({ id: prefixedId('page'), status: z.literal('draft'), unpublished_at: moment })
    .meta({ id: 'UnpublishedPage' }),
)

/** The same two for a page that the body named. */
export const PublishedPageRef = enveloped(
  z
    .strictObject({ page_id: prefixedId('page'), status: z.literal('published'), published_at: moment })
    .meta({ id: 'PublishedPageRef' }),
)

export const UnpublishedPageRef = enveloped(
  z
    .strictObject({ page_id: prefixedId('page'), status: z.literal('unpublished') })
    .meta({ id: 'UnpublishedPageRef' }),
)

export const DeletedPage = enveloped(z.strictObject({ id: prefixedId('page'), deleted: z.literal(true) }))

export const PreviewLink = enveloped(
  z
    .strictObject({
      url: z.string().meta({ examples: ['https://api.example.com/render/page_k3v9q2m7x4tz8wpa?token=…'] }),
      token: z.string(),
      expires_at: moment,
    })
    .meta({ id: 'PreviewLink' }),
)
