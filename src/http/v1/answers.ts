import { z } from 'zod'
import { anyObject, bareId, moment } from '../answer-fields.ts'
import { assetAnswers } from '../asset-answers.ts'

/* Schemas of answers of the legacy surface. `present.ts` creates the answers. */

const success = z.literal(true)

/** One record in the envelope of the legacy surface. */
function enveloped<Data extends z.ZodType>(data: Data) {
  return z.strictObject({ success, data })
}

function listOf<Item extends z.ZodType>(item: Item) {
  return z.strictObject({
    success,
    data: z.array(item),
    has_more: z.boolean().meta({ description: 'Whether more items follow.' }),
    total: z.int().min(0).meta({ description: 'Number of items that match, on all pages of the list.' }),
  })
}

const projectItem = {
  id: bareId,
  name: z.string().meta({ examples: ['My site'] }),
  created_at: moment,
  updated_at: moment,
}

const ProjectItem = z.strictObject(projectItem).meta({ id: 'LegacyProjectItem' })

export const ProjectList = listOf(ProjectItem)

export const CreatedProject = enveloped(ProjectItem)

export const Project = enveloped(
  z
    .strictObject({
      ...projectItem,
      context: z.string().meta({ examples: ['A bakery in Bruges.'] }),
      settings: z
        .looseObject({
          custom_domain: z
            .string()
            .nullable()
            .meta({ examples: ['www.example.com'] }),
        })
        .meta({ description: 'The stored settings and the custom domain.' }),
    })
    .meta({ id: 'LegacyProject' }),
)

const pageItem = {
  id: bareId,
  project_id: bareId,
  page_name: z.string().meta({ examples: ['Opening hours'] }),
  slug: z.string().meta({ examples: ['opening-hours'] }),
  subroute: z.string().meta({ examples: ['blog'] }),
  type: z.enum(['page', 'post', 'doc']).meta({ examples: ['post'] }),
  is_published: z.boolean(),
  created_at: moment,
  updated_at: moment,
}

export const PageList = listOf(z.strictObject(pageItem).meta({ id: 'LegacyPageItem' }))

export const Page = enveloped(
  z
    .strictObject({
      ...pageItem,
      markdown_content: z.string().meta({ examples: ['Open from **nine** to five.'] }),
      config: anyObject.meta({ examples: [{}] }),
    })
    .meta({ id: 'LegacyPage' }),
)

export const PublishedPage = enveloped(
  z
    .strictObject({ page_id: bareId, status: z.literal('published'), published_at: moment })
    .meta({ id: 'LegacyPublishedPage' }),
)

export const PendingPage = enveloped(
  z
    .strictObject({ page_id: bareId, status: z.literal('pending'), job_id: bareId })
    .meta({ id: 'LegacyPendingPage' }),
)

export const UnpublishedPage = enveloped(
  z.strictObject({ page_id: bareId, status: z.literal('unpublished') }).meta({ id: 'LegacyUnpublishedPage' }),
)

const link = z.strictObject({ label: z.string(), href: z.string(), external: z.boolean().optional() })

const docsNavEntry = z
  .strictObject({
    title: z.string(),
    slug: z.string().optional(),
    badge: z.string().optional(),
    icon: z.string().optional(),
    get children() {
      return z.array(docsNavEntry).optional()
    },
  })
  .meta({ id: 'LegacyShownDocsNavEntry' })

const settings = {
  docs_nav: z.array(docsNavEntry),
  shared_header: z.strictObject({ logo: z.string().nullable(), links: z.array(link) }),
  shared_footer: z.strictObject({
    links: z.array(z.union([z.strictObject({ title: z.string(), links: z.array(link) }), link])),
    copyright: z.string(),
  }),
  branding: z.looseObject({ theme: z.string().meta({ examples: ['default'] }) }),
  site_routes: z.record(z.string(), z.string()).meta({ examples: [{ docs: '/help' }] }),
}

export const Settings = enveloped(
  z
    .strictObject({
      ...settings,
      data_mode: z.strictObject({
        enabled: z.boolean(),
        content_key: z
          .null()
          .meta({ description: 'Always null: the key is shown only in the answer that creates it.' }),
      }),
    })
    .meta({ id: 'LegacySettings' }),
)

export const UpdatedSettings = enveloped(
  z
    .strictObject(settings)
    .partial()
    .meta({ id: 'LegacyUpdatedSettings', description: 'The new value of each key in the body.' }),
)

export const DataModeStatus = enveloped(
  z
    .strictObject({ enabled: z.boolean(), enabled_at: moment.nullable() })
    .meta({ id: 'LegacyDataModeStatus' }),
)

export const ChangedDataMode = enveloped(
  z
    .union([
      z.strictObject({
        enabled: z.literal(true),
        contentKey: z.string().meta({ description: '32 bytes in base64. Shown in this answer only.' }),
      }),
      z.strictObject({ enabled: z.literal(false) }),
    ])
    .meta({ id: 'LegacyChangedDataMode' }),
)

export const User = enveloped(
  z
    .strictObject({
      id: bareId,
      email: z.string().meta({ examples: ['owner@example.com'] }),
      api_key_id: bareId,
      project_scope: bareId.nullable(),
    })
    .meta({ id: 'LegacyUser' }),
)

export const LEGACY_ASSET_ANSWERS = assetAnswers({
  name: 'LegacyAsset',
  ids: { asset: bareId, project: bareId, page: bareId },
  enveloped,
  listOf,
})
