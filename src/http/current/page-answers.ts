import { z } from 'zod'
import { PAGE_STATUSES, PAGE_TYPES } from '../../domain/page.ts'
import { STALE_REASONS } from '../../domain/staleness.ts'
import { anyObject, localMoment, moment, prefixedId, warningCode } from '../answer-fields.ts'
import { enveloped, listMeta } from './envelopes.ts'
import { source } from './push-answers.ts'

/* Schemas of answers about pages. `present.ts` creates the answers. */

const pageType = z.enum(PAGE_TYPES)
const pageStatus = z.enum(PAGE_STATUSES)
const path = z
  .string()
  .meta({ description: 'The public path of the page.', examples: ['/blog/opening-hours'] })
const absoluteUrl = z.string().meta({
  description: 'The public URL of the page.',
  examples: ['https://example.com/blog/opening-hours'],
})
const slug = z.string().meta({ examples: ['opening-hours'] })
const subroute = z.string().meta({ examples: ['blog'] })
const title = z.string().meta({ examples: ['Opening hours'] })
const publishedAt = moment
  .nullable()
  .meta({ description: 'Time of the last publish; an unpublish does not clear it.' })
const scheduledAt = moment.nullable().meta({
  description: 'When the page is to be published by its schedule; null without one.',
  examples: [null],
})
const difference = {
  has_unpublished_changes: z.boolean().meta({
    description: 'Whether the content differs from the live version; true for a page that is not live.',
  }),
  stale: z.array(z.enum(STALE_REASONS)).meta({
    description: 'Reasons why publishing the live page again would change it; empty when it would not.',
    examples: [[]],
  }),
}

const author = z.strictObject({
  name: z.string().meta({ examples: ['Ada Byron'] }),
  avatar: z.string().nullable(),
  bio: z.string().optional(),
  url: z.string().optional(),
})

const content = {
  config: anyObject.meta({
    description:
      'Sections of a `page`, fields of an `item`; `layout` chooses a layout of the theme. Templates read all of it as `it.page.config`.',
    examples: [{}],
  }),
  markdown_content: z
    .string()
    .nullable()
    .meta({ examples: ['Open from **nine** to five.'] }),
}

const tags = z
  .array(z.string())
  .meta({ description: 'The names of the tags of the page.', examples: [['Trains']] })

const counts = {
  sections_count: z.int().min(0),
  word_count: z
    .int()
    .min(0)
    .meta({ description: 'Number of visible words without the title.', examples: [5] }),
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
  scheduled_at: scheduledAt,
  ...difference,
  tags,
  locale: z
    .string()
    .nullable()
    .meta({ description: 'The code of the language that the page states; null for that of its path.' }),
  translation_key: z
    .string()
    .nullable()
    .meta({ description: 'What its translations share, if the page states it; null for its path.' }),
  publish_date: localMoment
    .nullable()
    .optional()
    .meta({ description: 'The date of an `article`, with the offset it was written with.' }),
  author: author.nullable().optional().meta({ description: 'The author of an `article`.' }),
  feed_guid: z
    .string()
    .nullable()
    .optional()
    .meta({ description: 'The id in feeds that an `article` states; null for that of its first publish.' }),
  feed_id: z
    .string()
    .nullable()
    .optional()
    .meta({
      description:
        'The id that feeds have of an `article`, which no move, domain or export changes; null before its first publish, where it states none.',
      examples: ['tag:example.com,2026-03-01:proj_k3v9q2m7x4tz8wpa/page_k3v9q2m7x4tz8wpa'],
    }),
  nav_order: z.int().optional().meta({ description: 'Position of a `docs` page among its siblings.' }),
  parent_page: prefixedId('page')
    .nullable()
    .optional()
    .meta({ description: 'The parent of a `docs` page; null at the top of the tree.' }),
  created_at: moment,
  updated_at: moment.meta({ description: 'Time of the last edit.' }),
  source,
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
    .meta({ id: 'UpdatedPage', description: 'The updated page, with its title under `title`.' }),
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
    tags,
    ...counts,
    scheduled_at: scheduledAt,
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
      at: z
        .string()
        .nullable()
        .meta({ description: 'Position in the page, e.g. `config.sections[2]`; null for the whole page.' }),
      message: z.string().min(1),
    }),
  )
  .meta({ examples: [[]] })

const ms = z.number().min(0)

const timings = z.strictObject({
  wait_ms: ms.meta({
    description: 'Time in the queue, and all time outside the other phases.',
  }),
  claim_ms: ms.meta({ description: 'Checking whether the page may go live and reserving its keys.' }),
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
      .meta({ description: 'Present when the same content was already live.' }),
    warnings: warnings.optional().meta({ description: 'Warnings about the page that went live.' }),
    timings: timings.optional().meta({
      description:
        'With `timings=true`: durations of the phases. Pages of one group share all but `wait_ms` and `total_ms`; the phases are 0 when an earlier request had already published the page.',
    }),
  })
  .meta({ id: 'PublishedPage' })

const dryRun = z
  .strictObject({
    id: prefixedId('page'),
    dry_run: z.literal(true),
    status: pageStatus.meta({ description: 'The current status; a dry run does not change it.' }),
    url: absoluteUrl,
    changed: z.boolean().meta({ description: 'False when the same content is already live.' }),
    objects: z.array(
      z.strictObject({
        key: z.string().meta({
          description: "Relative to the project's prefix.",
          examples: ['blog/opening-hours/index.html'],
        }),
        action: z.enum(['put', 'keep', 'delete']),
        reason: z.enum(['new', 'changed', 'headers', 'unchanged', 'obsolete']).meta({
          description:
            'For `put`: `new`, `changed` or `headers`; for `keep`: `unchanged`; for `delete`: `obsolete`.',
        }),
        size: z
          .int()
          .min(0)
          .meta({ description: 'In bytes.', examples: [4210] }),
      }),
    ),
    warnings,
  })
  .meta({ id: 'DryRun', description: 'The plan of a publish.' })

export const ReleaseList = z.strictObject({
  data: z.array(
    z
      .strictObject({
        id: prefixedId('rel'),
        op: z.enum(['publish', 'rollback', 'refresh', 'unpublish', 'delete']).meta({
          description:
            '`refresh`: the service added smaller pictures that came after the publish; the text is that of the release before.',
        }),
        state: z.enum(['queued', 'running', 'succeeded', 'failed']).meta({ examples: ['succeeded'] }),
        title: title.meta({ description: 'The title of the page in this release.' }),
        url: path.meta({ description: 'The path of the page in this release.' }),
        restores: prefixedId('rel')
          .nullable()
          .meta({
            description: 'For a rollback: the release that it restored. For a refresh: the one before.',
            examples: [null],
          }),
        error: z
          .string()
          .nullable()
          .meta({ description: 'Reason of the failure; null without one.', examples: [null] }),
        created_at: moment,
        finished_at: moment.nullable(),
        current: z.boolean().meta({ description: 'Whether this release is live now.' }),
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

/** Answers for a page that was named in the body. */
export const PublishedPageRef = enveloped(
  z
    .strictObject({ page_id: prefixedId('page'), status: z.literal('published'), published_at: moment })
    .meta({ id: 'PublishedPageRef' }),
)

export const PendingPageRef = enveloped(
  z
    .strictObject({ page_id: prefixedId('page'), status: z.literal('pending'), job_id: prefixedId('job') })
    .meta({ id: 'PendingPageRef' }),
)

export const UnpublishedPageRef = enveloped(
  z
    .strictObject({ page_id: prefixedId('page'), status: z.literal('unpublished') })
    .meta({ id: 'UnpublishedPageRef' }),
)

export const DeletedPage = enveloped(
  z.strictObject({
    id: prefixedId('page'),
    deleted: z.literal(true),
    lost_addresses: z.int().meta({
      description: 'Number of paths at which the page was, and that lead nowhere from now on.',
    }),
  }),
)

export const PreviewLink = enveloped(
  z
    .strictObject({
      url: z.string().meta({ examples: ['https://api.example.com/render/page_k3v9q2m7x4tz8wpa?token=…'] }),
      token: z.string(),
      expires_at: moment,
    })
    .meta({ id: 'PreviewLink' }),
)
