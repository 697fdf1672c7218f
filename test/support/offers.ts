import { PERMISSIONS } from '../../src/domain/caller.ts'
import type { UserId } from '../../src/domain/ids.ts'
import type { TestService } from './service.ts'

/** Accepts everything that is offered to a user, who has a verified address. */
export async function acceptOffers(service: TestService, user: UserId): Promise<void> {
  const key = await service.newKey({ user, permissions: PERMISSIONS })
  const { body } = await service.call('GET', '/users/me/offers', undefined, { key })
  for (const { id } of body.data as readonly { readonly id: string }[]) {
    const { status } = await service.call('POST', `/users/me/offers/${id}/accept`, undefined, { key })
    if (status !== 200) throw new Error(`The offer ${id} was answered ${status}.`)
  }
}
