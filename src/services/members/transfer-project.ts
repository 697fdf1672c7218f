import type { User } from '../../db/repositories/accounts.ts'
import type { Repositories } from '../../db/repositories.ts'
import { addressKey } from '../../domain/email-address.ts'
import type { ProjectId, UserId } from '../../domain/ids.ts'
import { NEVER_INVITED } from '../../domain/member.ts'
import type { ServiceContext } from '../context.ts'

interface Transfer {
  readonly id: ProjectId
  readonly from: Pick<User, 'id' | 'email'>
  readonly to: UserId
}

/** Gives a project to another account. The previous owner stays as a member with the role `owner`. */
export async function transferProject(
  { projects, members }: Pick<Repositories, 'projects' | 'members'>,
  { newId, now }: Pick<ServiceContext, 'newId' | 'now'>,
  { id, from, to }: Transfer,
): Promise<void> {
  await projects.transfer(id, to)
  const createdAt = now()
  await members.insert({
    id: newId<'mem'>(),
    projectId: id,
    email: addressKey(from.email),
    userId: from.id,
    role: 'owner',
    ...NEVER_INVITED,
    createdAt,
    updatedAt: createdAt,
    version: 1,
  })
}
