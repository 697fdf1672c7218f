import type { Section } from '../domain/section.ts'
import { COMMON } from './common.ts'
import { cta } from './cta.ts'
import { features } from './features.ts'
import { generic } from './generic.ts'
import { hero } from './hero.ts'
import type { SectionType, Shape } from './prop.ts'

/** Every type there is; an alias counts only once its type is listed here. */
export const SECTION_TYPES: readonly SectionType[] = [hero, features, cta]

const BY_NAME: ReadonlyMap<string, SectionType> = new Map(
  SECTION_TYPES.flatMap((type) => [type.name, ...type.aliases].map((name) => [name, type] as const)),
)

export type MatchedType = Pick<Section, 'type' | 'known'>

/** What a client means by a type, e.g. `hero` by `Jumbotron Section`. */
export function matchType(written: string): MatchedType {
  const name = written
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .replace(/-(section|block)$/, '')
  const type = BY_NAME.get(name)
  return type === undefined
    ? { type: name === '' ? 'section' : name, known: false }
    : { type: type.name, known: true }
}

/** The props a section may have: those of every section and its type's own, or the generic ones. */
export function shapeOf({ type, known }: MatchedType): Shape {
  const { shape } = (known ? BY_NAME.get(type) : undefined) ?? generic
  return { ...shape, props: { ...COMMON, ...shape.props } }
}
