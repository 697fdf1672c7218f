import type { Caller } from '../../domain/caller.ts'
import type { Control } from '../frame/controls.ts'
import type { ViewPorts } from '../ports.ts'

/** Maximum number of images of the library proposed for a field, newest first. */
const PROPOSED_PICTURES = 50

/** Proposals of an image field: the newest images of the library. */
export async function proposedPictures(
  { assets }: Pick<ViewPorts, 'assets'>,
  caller: Caller,
  project: string,
): Promise<Control['options']> {
  const paging = { sort: 'created_at', order: 'desc', limit: PROPOSED_PICTURES, offset: 0 } as const
  const { items } = await assets.list(caller, project, { kind: 'image', name: null, unused: false }, paging)
  return items.map(({ asset: { name } }) => ({ value: `/media/${name}`, label: name }))
}
