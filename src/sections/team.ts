import { IMAGE, NAMED_LINK } from './common.ts'
import { list, markdown, object, type SectionType, type Shape, text } from './prop.ts'

const MEMBER: Shape = {
  props: {
    name: text(),
    role: text('title', 'position'),
    avatar: object(IMAGE, 'image', 'photo'),
    bio: markdown('description'),
    links: list(object(NAMED_LINK), 'socials'),
  },
  requires: ['name'],
  shorthand: 'name',
}

export const team: SectionType = {
  name: 'team',
  aliases: ['people', 'members', 'staff'],
  shape: { props: { members: list(object(MEMBER), 'items') }, requires: ['members'], shorthand: null },
}
