import { z } from 'zod'
import { SLUG_ALPHABETS } from '../../domain/slug.ts'
import { settingsAnswer } from '../../fields/settings-record.ts'
import { moment, prefixedId } from '../answer-fields.ts'
import { enveloped, listMeta } from './envelopes.ts'
import { PageItem } from './page-answers.ts'

/* Schemas of answers about projects, settings, Data Mode and the caller. `present.ts` creates the answers. */

const HOSTING_MODES = ['full_host', 'rewrite', 'data_mode'] as const

const domain = z
  .string()
  .nullable()
  .meta({ examples: ['www.example.com'] })

const item = {
  id: prefixedId('proj'),
  name: z.string().meta({ examples: ['My site'] }),
  slug: z.string().meta({ examples: ['my-site'] }),
  domain,
  status: z.enum(['active', 'archived', 'suspended']),
  hosting_mode: z.enum(HOSTING_MODES),
  page_count: z.int().min(0),
  created_at: moment,
  updated_at: moment,
}

const domainChallenge = z
  .strictObject({
    token: z.string().meta({
      description: 'Publish this as the TXT record, or as the content of the file.',
      examples: ['proj_k3v9q2m7x4tz8wpa'],
    }),
    txt_record: z.string().meta({ examples: ['_quoin-challenge.www.example.com'] }),
    file_url: z.string().meta({ examples: ['http://www.example.com/.well-known/quoin-challenge'] }),
    checked_at: moment.nullable(),
    problem: z
      .string()
      .nullable()
      .meta({ description: 'Why the last check failed; null after a successful one.' }),
  })
  .meta({ id: 'DomainChallenge', description: 'How to prove `custom_domain`; null without a domain.' })

const project = {
  ...item,
  settings: z.strictObject(settingsAnswer('project')).meta({ id: 'EmbeddedSettings' }),
  hosting: z
    .strictObject({
      mode: z.enum(HOSTING_MODES),
      subdomain: z.string().nullable(),
      custom_domain: domain,
      ssl_enabled: z.boolean(),
      cdn_enabled: z.boolean(),
      base_path: z.string().meta({ examples: ['/'] }),
      manifest: z.enum(['full', 'minimal']),
      slugs: z.enum(SLUG_ALPHABETS).meta({ description: 'The characters that addresses of pages may hold.' }),
      domain_status: z.enum(['none', 'pending', 'active', 'failed']).meta({
        description:
          'State of the proof of `custom_domain`, which is served while it is `active`; `none` without a domain.',
      }),
      domain_challenge: domainChallenge.nullable(),
    })
    .meta({ id: 'Hosting' }),
}

const count = z.int().min(0)

export const Project = enveloped(z.strictObject(project).meta({ id: 'Project' }))

/** A project with the contents that `include` asks for. */
export const ProjectWithContents = enveloped(
  z
    .strictObject({
      ...project,
      pages: z
        .array(PageItem)
        .max(100)
        .optional()
        .meta({
          description: 'With `include=pages`: the newest pages, newest first.',
          examples: [[]],
        }),
      stats: z
        .strictObject({
          pages: z.strictObject({ total: count, draft: count, published: count, archived: count }),
          by_type: z.strictObject({ page: count, article: count, docs: count, item: count }),
          word_count: count,
          last_published_at: moment.nullable(),
        })
        .optional()
        .meta({ description: 'With `include=stats`.' }),
    })
    .meta({ id: 'ProjectWithContents' }),
)

export const ProjectList = z.strictObject({
  data: z.array(z.strictObject(item).meta({ id: 'ProjectItem' })),
  meta: z.strictObject(listMeta),
})

export const DeletedProject = enveloped(z.strictObject({ id: prefixedId('proj'), deleted: z.literal(true) }))

export const Settings = enveloped(
  z
    .strictObject({
      project_id: prefixedId('proj'),
      ...settingsAnswer('api'),
      custom_domain: domain,
      data_mode: z.strictObject({
        enabled: z.boolean(),
        cdn_base: z
          .string()
          .nullable()
          .meta({ description: 'Base URL of the encrypted files; null while Data Mode is off.' }),
        plaintext_pages: z.int().min(0).optional().meta({
          description:
            'Number of live pages that were published before Data Mode was on and are not encrypted until they are published again; absent while it is off.',
        }),
      }),
      hosting_mode: z.enum(['fullhost', 'rewrite', 'data']),
    })
    .meta({ id: 'Settings' }),
)

export const UpdatedSettings = enveloped(
  z
    .strictObject({
      project_id: prefixedId('proj'),
      updated_fields: z
        .array(z.string())
        .meta({ description: 'The writable fields in the body.', examples: [['theme', 'footer_text']] }),
      updated_at: moment,
    })
    .meta({ id: 'UpdatedSettings' }),
)

const cdnBase = z.string().meta({ examples: ['https://cdn.example.com/proj_k3v9q2m7x4tz8wpa/'] })

export const EnabledDataMode = enveloped(
  z
    .strictObject({
      project_id: prefixedId('proj'),
      data_mode: z.strictObject({ enabled: z.literal(true), cdn_base: cdnBase }),
      encryption_key: z.string().meta({ description: '32 bytes in base64. Shown in this answer only.' }),
    })
    .meta({ id: 'EnabledDataMode' }),
)

export const DisabledDataMode = enveloped(
  z
    .strictObject({
      project_id: prefixedId('proj'),
      data_mode: z.strictObject({ enabled: z.literal(false), cdn_base: z.null() }),
    })
    .meta({ id: 'DisabledDataMode' }),
)

export const DataModeStatus = enveloped(
  z.strictObject({ enabled: z.boolean(), enabled_at: moment.nullable() }).meta({ id: 'DataModeStatus' }),
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
    .meta({ id: 'ChangedDataMode' }),
)

const amount = (description: string) => z.int().min(0).nullable().meta({ description })

const windowUsage = (window: '10 s' | '60 s' | '3600 s' | 'calendar month') =>
  z.strictObject({
    used: amount('Null without a limit: the requests are not counted then.'),
    allowed: amount('Null: unlimited.'),
    window: z.literal(window),
  })

const stored = {
  used: z.int().min(0),
  allowed: amount('Null: unlimited.'),
  window: z.null().meta({ description: 'Null: stored content counts until it is deleted.' }),
}

export const Usage = enveloped(
  z
    .strictObject({
      requests: z.strictObject({
        burst: windowUsage('10 s'),
        minute: windowUsage('60 s'),
        hour: windowUsage('3600 s'),
        month: windowUsage('calendar month'),
        create_page: windowUsage('60 s'),
        update_page: windowUsage('60 s'),
        create_project: windowUsage('60 s'),
        visits: windowUsage('60 s').meta({
          description: 'Requests for `/public/*` and `/render/*`, which are counted apart from the others.',
        }),
      }),
      account: z.strictObject({
        projects: z.strictObject(stored),
        pages_per_project: z.strictObject({
          ...stored,
          project_id: prefixedId('proj')
            .nullable()
            .meta({ description: 'The project with the most pages; null without any project.' }),
        }),
        draft_bytes: z.strictObject(stored).meta({ description: 'Bytes of all pages as they are now.' }),
        release_bytes: z
          .strictObject(stored)
          .meta({ description: 'Bytes that releases store for rollbacks and repairs, compressed.' }),
        media_bytes: z.strictObject(stored).meta({
          description:
            'Bytes of pictures and files as they were uploaded; equal ones of a project count once.',
        }),
        webhooks: z.strictObject(stored),
        members: z.strictObject(stored),
        unfinished_jobs: z
          .strictObject(stored)
          .meta({ description: 'Bulk and scheduled publishes that have not ended.' }),
      }),
    })
    .meta({ id: 'Usage' }),
)

export const User = enveloped(
  z
    .strictObject({
      id: prefixedId('usr'),
      email: z.string().meta({ examples: ['owner@example.com'] }),
      api_key_id: prefixedId('key'),
      project_scope: prefixedId('proj').nullable(),
    })
    .meta({ id: 'User' }),
)
