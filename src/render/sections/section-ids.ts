import { slug } from 'github-slugger'
import type { Section } from '../../domain/section.ts'
import { LAYOUT_IDS } from '../page/rendering.ts'

const MAX_LENGTH = 80

/**
 * Gives each section an HTML id: its own one as a slug, else `{type}-{n}` where n counts the sections of its
 * type. Own ids are assigned first, so that links to them survive when sections are added.
 */
export function withSectionIds<Read extends { readonly section: Section }>(
  read: readonly Read[],
): readonly (Read & { readonly id: string })[] {
  const taken = new Set(LAYOUT_IDS)
  const counts = new Map<string, number>()
  return read
    .map((one) => ({ one, own: explicitId(one.section, taken) }))
    .map(({ one, own }) => ({ ...one, id: own ?? uniqueId(defaultId(one.section, counts), taken) }))
}

function explicitId({ id }: Section, taken: Set<string>): string | null {
  const wanted = slug(id ?? '').slice(0, MAX_LENGTH)
  return wanted === '' ? null : uniqueId(wanted, taken)
}

function defaultId({ type }: Section, counts: Map<string, number>): string {
  const count = (counts.get(type) ?? 0) + 1
  counts.set(type, count)
  return `${type.slice(0, MAX_LENGTH)}-${count}`
}

function uniqueId(wanted: string, taken: Set<string>): string {
  let id = wanted
  for (let n = 2; taken.has(id); n += 1) id = `${wanted}-${n}`
  taken.add(id)
  return id
}
