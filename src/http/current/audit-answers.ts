import { z } from 'zod'
import { ACT_NAMES, ACTS, AUDIT_TARGETS, type AuditTarget, REFUSAL_REASONS } from '../../domain/audit.ts'
import { moment, prefixedId } from '../answer-fields.ts'
import { listMeta } from './envelopes.ts'

const TARGETS = Object.keys(AUDIT_TARGETS) as [AuditTarget, ...AuditTarget[]]

const state = (description: string) =>
  z
    .strictObject({
      version: z
        .int()
        .min(1)
        .nullable()
        .meta({ description: 'Its version; null where it is not told apart by that.' }),
      release_id: prefixedId('rel').nullable().meta({ description: 'The release that was live.' }),
      digest: z
        .string()
        .nullable()
        .meta({ description: 'SHA-256 of its bytes, hex.', examples: [null] }),
    })
    .nullable()
    .meta({ description })

const item = z
  .strictObject({
    id: prefixedId('aud'),
    created_at: moment,
    act: z.enum(ACT_NAMES).meta({
      description: ACT_NAMES.map((name) => `\`${name}\`: ${ACTS[name].meaning}`).join(' '),
      examples: ['page.publish'],
    }),
    project_id: prefixedId('proj')
      .nullable()
      .meta({ description: 'Null for what belongs to no project. The project may have been deleted.' }),
    target: z
      .strictObject({
        type: z.enum(TARGETS).meta({ examples: ['page'] }),
        id: z.string().meta({ examples: ['page_k3v9q2m7x4tz8wpa'] }),
      })
      .meta({ description: 'The record that was changed. It may have been deleted.' }),
    actor: z
      .strictObject({
        type: z.enum(['key', 'session', 'operator', 'service']).meta({
          description:
            '`operator`: the command line. `service`: the service itself, such as a domain that was proved.',
          examples: ['key'],
        }),
        user_id: prefixedId('usr').nullable().meta({ description: 'Null for the operator and the service.' }),
        credential_id: z
          .string()
          .nullable()
          .meta({ description: 'The API key or the session.', examples: ['key_k3v9q2m7x4tz8wpa'] }),
        job_id: prefixedId('job')
          .nullable()
          .meta({ description: 'The bulk or scheduled publish that did it on request of the actor.' }),
        client_address: z
          .string()
          .nullable()
          .meta({
            description: 'An IPv4 address, or the first 64 bits of an IPv6 address.',
            examples: ['192.0.2.7'],
          }),
        request_id: z
          .string()
          .nullable()
          .meta({ description: 'Id of the request in the log of the service.' }),
      })
      .meta({ description: 'Who did it. Of a job: who started it.' }),
    before: state('What it was before; null where it did not exist, or was not live.'),
    after: state('What it is after; null where it does not exist, or is not live.'),
    fields: z
      .array(z.string())
      .meta({ description: 'Names of the fields that changed.', examples: [['title', 'markdown']] }),
    reason: z
      .enum(REFUSAL_REASONS)
      .nullable()
      .meta({ description: 'Why sign-ins were refused; null for other acts.', examples: [null] }),
    count: z
      .int()
      .min(1)
      .nullable()
      .meta({ description: 'Number of refused sign-ins. Null for other acts.', examples: [null] }),
  })
  .meta({ id: 'AuditEntry' })

export const AuditList = z.strictObject({ data: z.array(item), meta: z.strictObject(listMeta) })
