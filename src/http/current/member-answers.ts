import { z } from 'zod'
import { MAIL_PROBLEMS } from '../../domain/mail-problem.ts'
import { MAIL_STATUSES, MEMBER_SOURCES, MEMBER_STATES } from '../../domain/member.ts'
import { ROLES } from '../../domain/roles.ts'
import { moment, prefixedId } from '../answer-fields.ts'
import { enveloped } from './envelopes.ts'

const mail = z.strictObject({
  status: z.enum(MAIL_STATUSES).meta({ description: 'Status of the last mail of the invitation.' }),
  at: moment.nullable().meta({ description: 'Since when; null for none.' }),
  problem: z
    .enum(MAIL_PROBLEMS)
    .nullable()
    .meta({
      description:
        'Why it failed: the mail server refused the recipient or the mail for good, could not be reached, or went on refusing it for a day. Null otherwise.',
      examples: [null],
    }),
})

const expiresAt = moment
  .nullable()
  .meta({ description: 'When the invitation ends; null once it was accepted.' })

const fields = {
  id: prefixedId('mem'),
  email: z.string().meta({
    description: 'In lower case: the invited address, and then that of the person who accepted.',
    examples: ['ada@example.com'],
  }),
  role: z.enum(ROLES).meta({ examples: ['editor'] }),
  state: z.enum(MEMBER_STATES).meta({
    description: '`active` once the person has accepted. Only then the member has the rights of the role.',
  }),
  invited_at: moment.nullable().meta({ description: 'Time of the last invitation; null without one.' }),
  expires_at: expiresAt,
  source: z
    .enum(MEMBER_SOURCES)
    .meta({ description: 'Who made the person a member: an owner, or a sign-in provider by its groups.' }),
  mail,
  created_at: moment,
  updated_at: moment,
}

const item = z.strictObject(fields).meta({ id: 'Member' })

const url = z.string().meta({
  description:
    'Lets its holder join this project: after signing in, or with a new account. Shown in this answer only.',
  examples: ['https://quoin.example.com/dashboard/invitation?token=…'],
})

export const MemberAnswer = enveloped(item)

export const InvitedMemberAnswer = enveloped(
  z.strictObject({ ...fields, invitation_url: url.optional() }).meta({ id: 'InvitedMember' }),
)

export const InvitationAnswer = enveloped(
  z.strictObject({ invitation_url: url.nullable(), expires_at: expiresAt, mail }).meta({ id: 'Invitation' }),
)

export const MemberList = z.strictObject({ data: z.array(item) })

export const DeletedMember = enveloped(z.strictObject({ id: prefixedId('mem'), deleted: z.literal(true) }))
