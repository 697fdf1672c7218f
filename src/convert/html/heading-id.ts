import { slug } from 'github-slugger'
import type { Element } from 'hast'
import { anchorId } from './blocks.ts'
import { isElement, lineOf } from './elements.ts'

/** Ids that a heading may state. */
const ID = /^[\p{L}\p{N}_][\p{L}\p{N}_.:-]{0,99}$/u

/** The id of links to the heading. Empty where it follows from the text. */
export function headingId(heading: Element): string {
  const anchors = heading.children.filter((child) => isElement(child, 'a', 'span')).map(anchorId)
  const id = [anchorId(heading), ...anchors].find((each) => each !== '') ?? ''
  return ID.test(id) && id !== slug(lineOf(heading)) ? id : ''
}
