import type { User } from '../../db/repositories/accounts.ts'
import type { Repositories } from '../../db/repositories.ts'
import type { Caller } from '../../domain/caller.ts'
import { addressKey } from '../../domain/email-address.ts'
import { ServiceError } from '../../domain/errors.ts'
import { fieldFailure } from '../../domain/field-errors.ts'
import { type MemberId, type OfferId, type ProjectId, readId } from '../../domain/ids.ts'
import { isOpenAt, type Member } from '../../domain/member.ts'
import type { Role } from '../../domain/roles.ts'
import { TRANSFER_MS, type TransferOffer } from '../../domain/transfer-offer.ts'
import { accessOwn, accessProject, assertWritable } from '../access.ts'
import { recordAct } from '../audit/record-act.ts'
import type { ServiceContext } from '../context.ts'
import { withIdempotency } from '../idempotency.ts'
import type { MailOutbox } from '../mail/mail-outbox.ts'
import { declineInvitation, joinProject } from './join-project.ts'
import { transferProject } from './transfer-project.ts'

/** Offers that are listed. Answering some shows the next ones. */
const MAX_LISTED = 100

/** Something that others offer to a person: to work on a project, or to have it. */
export interface Offer {
  readonly id: OfferId
  readonly kind: 'membership' | 'transfer'
  readonly project: { readonly id: ProjectId; readonly name: string }
  /** Role in the project, once the offer is accepted. */
  readonly role: Role
  /** The address of the person who offers it; null when that person is deleted. */
  readonly from: string | null
  readonly expiresAt: string
}

/** An offer of a caller's project to another account. */
export type OwnOffer = Pick<TransferOffer, 'projectId' | 'email' | 'expiresAt'>

export type OfferService = ReturnType<typeof createOfferService>

/**
 * Invitations and projects that are offered to a person, who accepts or declines them. They wait for an address that is
 * verified: an account that merely claims it sees none.
 */
export function createOfferService(
  context: Pick<ServiceContext, 'db' | 'accountLimits' | 'newId' | 'now'> & {
    /** The outbox; null where no mail is sent. */
    readonly outbox: MailOutbox | null
    /** Called when a project has another owner, so that this process uses no limits of the former one. */
    readonly onTransferred: () => void
  },
) {
  const { db, accountLimits, newId, now, outbox, onTransferred } = context

  return {
    /** The number of offers, at most 100 of each kind. */
    async count(caller: Caller): Promise<number> {
      const { members, transfers } = await waiting(caller)
      return members.length + transfers.length
    },

    /** Invitations first, then projects. */
    async list(caller: Caller): Promise<readonly Offer[]> {
      const { members, transfers } = await waiting(caller)
      const offers = [
        ...(await Promise.all(members.map((member) => membershipOffer(db.read, member)))),
        ...(await Promise.all(transfers.map((transfer) => transferOffer(db.read, transfer)))),
      ]
      return offers.filter((offer) => offer !== null).slice(0, MAX_LISTED)
    },

    /**
     * Accepts an invitation, or takes a project into the caller's account. Its previous owner stays as a member with
     * the role `owner`.
     *
     * @param ref an offer's id in either form.
     * @param check validates the rest of the request.
     * @throws {ServiceError} `not_found`; `conflict` when the caller works on the project already; `forbidden` naming
     *   the limit of the caller's account that the project would exceed.
     */
    async accept(caller: Caller, ref: string, check: () => void = () => {}): Promise<OfferId> {
      const id = await answer(caller, ref, check, async (repositories, { person, member, transfer }) => {
        if (member !== null) await joinProject(repositories, context, { member, user: person, actor: caller })
        if (transfer !== null) await take(repositories, caller, person, transfer)
      })
      onTransferred()
      return id
    },

    /** @throws {ServiceError} `not_found`. */
    decline: (caller: Caller, ref: string, check: () => void = () => {}): Promise<OfferId> =>
      answer(caller, ref, check, async (repositories, { member, transfer }) => {
        if (member !== null) await declineInvitation(repositories, context, { member, actor: caller })
        if (transfer !== null) await endOffer(repositories, caller, transfer)
      }),

    /**
     * Offers a project to the person with an address, in place of an earlier offer of it.
     *
     * @param readEmail reads the address; called once the project is known to be the caller's.
     * @param language of the mail.
     * @throws {ServiceError} `forbidden` unless the project belongs to the caller's account; `conflict` for the
     *   caller's own address.
     */
    async offerProject(
      caller: Caller,
      project: string,
      readEmail: () => string,
      language = 'en',
    ): Promise<OwnOffer> {
      const offer = await db.write(async (repositories) => {
        const id = await ownProject(repositories, caller, project)
        const email = addressKey(readEmail())
        if (email === addressKey(caller.email))
          throw fieldFailure('conflict', [{ path: 'email', message: 'is your own.', code: 'invalid' }])
        const createdAt = now()
        const expiresAt = new Date(Date.parse(createdAt) + TRANSFER_MS).toISOString()
        const wanted: TransferOffer = { id: newId<'off'>(), projectId: id, email, createdAt, expiresAt }
        const offerId = await withIdempotency(repositories, caller, createdAt, async () => {
          await repositories.transferOffers.put(wanted)
          await recordOffer(repositories, caller, id)
          const content = { kind: 'transfer', projectId: id, offerId: wanted.id } as const
          const from = { userId: caller.userId }
          await outbox?.put(repositories, { recipient: email, language, content, from })
          return wanted.id
        })
        // A repeated request answers what the first one did, as long as the offer is open.
        return (await repositories.transferOffers.find(offerId)) ?? wanted
      })
      outbox?.wake()
      return offer
    },

    /** The open offer of a project of the caller's account; null for none. @throws {ServiceError} as `offerProject`. */
    async offerOf(caller: Caller, project: string): Promise<OwnOffer | null> {
      const offer = await db.read.transferOffers.ofProject(await ownProject(db.read, caller, project))
      return offer !== null && now() < offer.expiresAt ? offer : null
    },

    /** @throws {ServiceError} `not_found` when the project is offered to no one; as `offerProject`. */
    async withdraw(caller: Caller, project: string): Promise<ProjectId> {
      return db.write(async (repositories) => {
        const id = await ownProject(repositories, caller, project)
        const offer = await repositories.transferOffers.ofProject(id)
        if (offer === null || offer.expiresAt <= now())
          throw new ServiceError('not_found', 'The project is offered to no one.')
        await endOffer(repositories, caller, offer)
        return id
      })
    },
  }

  async function waiting(caller: Caller) {
    accessOwn(caller, ['read'])
    const person = await verified(db.read, caller)
    if (person === null) return { members: [], transfers: [] }
    const key = addressKey(person.email)
    return {
      members: await db.read.members.invitationsTo(key, now(), MAX_LISTED),
      transfers: await db.read.transferOffers.offersTo(key, now(), MAX_LISTED),
    }
  }

  /** The user of the caller; null while the address is not verified, or is another account's in another spelling. */
  async function verified({ users }: Repositories, { userId }: Caller): Promise<User | null> {
    const user = await users.find(userId)
    if (user === null || user.verifiedAt === null || user.lockedAt !== null) return null
    return (await users.findByAddress(user.email))?.id === user.id ? user : null
  }

  async function answer(
    caller: Caller,
    ref: string,
    check: () => void,
    act: (repositories: Repositories, found: Awaited<ReturnType<typeof find>>) => Promise<void>,
  ): Promise<OfferId> {
    accessOwn(caller, ['manage'])
    return db.write((repositories) =>
      withIdempotency(repositories, caller, now(), async () => {
        const found = await find(repositories, caller, ref)
        check()
        await act(repositories, found)
        return found.offer.id
      }),
    )
  }

  async function find(repositories: Repositories, caller: Caller, ref: string) {
    const id = readId('off', ref)
    const person = await verified(repositories, caller)
    if (id === null || person === null) throw noSuchOffer(ref)
    const key = addressKey(person.email)
    // Every invitation is an offer with the same id.
    const member = await repositories.members.findById(id as string as MemberId)
    const transfer = await repositories.transferOffers.find(id)
    if (member?.email === key && isOpenAt(member, now())) {
      const offer = await membershipOffer(repositories, member)
      if (offer !== null) return { offer, person, member, transfer: null }
    }
    if (transfer?.email === key && now() < transfer.expiresAt) {
      const offer = await transferOffer(repositories, transfer)
      if (offer !== null) return { offer, person, member: null, transfer }
    }
    throw noSuchOffer(ref)
  }

  async function membershipOffer(
    { projects, users }: Repositories,
    { id, projectId, role, invitedBy, expiresAt }: Member,
  ): Promise<Offer | null> {
    const found = await projects.find(projectId)
    if (found === null || expiresAt === null) return null
    const from = invitedBy === null ? null : await users.find(invitedBy)
    return {
      id: id as string as OfferId,
      kind: 'membership',
      project: { id: projectId, name: found.project.name },
      role,
      from: from?.email ?? null,
      expiresAt,
    }
  }

  async function transferOffer(
    { projects, users }: Repositories,
    { id, projectId, expiresAt }: TransferOffer,
  ): Promise<Offer | null> {
    const found = await projects.find(projectId)
    if (found === null) return null
    const from = await users.find(found.project.userId)
    const project = { id: projectId, name: found.project.name }
    return { id, kind: 'transfer', project, role: 'owner', from: from?.email ?? null, expiresAt }
  }

  async function take(
    repositories: Repositories,
    caller: Caller,
    person: User,
    { projectId }: TransferOffer,
  ): Promise<void> {
    const { projects, members, users } = repositories
    const found = await projects.find(projectId)
    const from = found === null ? null : await users.find(found.project.userId)
    if (from === null) throw new ServiceError('not_found', 'The project does not exist any more.')
    if (!person.canCreateProjects)
      throw new ServiceError(
        'forbidden',
        'Your account may have no projects of its own (projects: 0). Ask the operator of the service.',
      )
    const invited = (await members.list(projectId)).find(
      (member) => member.email === addressKey(person.email),
    )
    if (invited !== undefined) await members.delete(invited.id)
    await transferProject(repositories, context, { id: projectId, from, to: person.id })
    await accountLimits.assertWithin(repositories, { userId: person.id }, [
      ...(['projects', 'pages_per_project', 'draft_bytes', 'release_bytes', 'media_bytes'] as const),
      ...(['webhooks', 'members'] as const),
    ])
    const act = { act: 'project.transfer', of: { projectId }, target: projectId } as const
    await recordAct(repositories, context, caller, act)
  }

  async function endOffer(repositories: Repositories, caller: Caller, offer: TransferOffer): Promise<void> {
    if (await repositories.transferOffers.delete(offer.id))
      await recordOffer(repositories, caller, offer.projectId)
  }

  function recordOffer(repositories: Repositories, caller: Caller, projectId: ProjectId): Promise<void> {
    const act = { act: 'project.offer', of: { projectId }, target: projectId } as const
    return recordAct(repositories, context, caller, act)
  }
}

/** @throws {ServiceError} as `accessProject`; `forbidden` unless the project belongs to the caller's account. */
async function ownProject(repositories: Repositories, caller: Caller, ref: string): Promise<ProjectId> {
  const { project } = await accessProject(repositories, caller, ref, ['members'])
  if (project.userId !== caller.userId)
    throw new ServiceError('forbidden', 'Only the account that the project belongs to can hand it over.')
  assertWritable(project)
  return project.id
}

function noSuchOffer(ref: string): ServiceError {
  return new ServiceError('not_found', `No offer has the id ${JSON.stringify(ref.slice(0, 64))}.`)
}
