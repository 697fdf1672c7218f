import type { Section } from '../domain/section.ts'
import { COMMON } from './common.ts'
import { contact } from './contact.ts'
import { content } from './content.ts'
import { cta } from './cta.ts'
import { faq } from './faq.ts'
import { features } from './features.ts'
import { gallery } from './gallery.ts'
import { generic } from './generic.ts'
import { hero } from './hero.ts'
import { logos } from './logos.ts'
import { posts } from './posts.ts'
import { pricing } from './pricing.ts'
import type { SectionType, Shape } from './prop.ts'
import { stats } from './stats.ts'
import { steps } from './steps.ts'
import { team } from './team.ts'
import { testimonials } from './testimonials.ts'

/** All section types. */
export const SECTION_TYPES: readonly SectionType[] = [
  hero,
  features,
  cta,
  content,
  pricing,
  testimonials,
  faq,
  stats,
  logos,
  steps,
  gallery,
  team,
  contact,
  posts,
]

const BY_NAME: ReadonlyMap<string, SectionType> = new Map(
  SECTION_TYPES.flatMap((type) => [type.name, ...type.aliases].map((name) => [name, type] as const)),
)

/** All names and aliases, for suggestions. */
export const SECTION_TYPE_NAMES: readonly string[] = [...BY_NAME.keys()]

export type MatchedType = Pick<Section, 'type' | 'known'>

/** The type that a client means, e.g. `hero` for `Jumbotron Section`. */
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

/** Props of a section: the common ones and those of its type, or the generic ones. */
export function shapeOf({ type, known }: MatchedType): Shape {
  const { shape } = (known ? BY_NAME.get(type) : undefined) ?? generic
  return { ...shape, props: { ...COMMON, ...shape.props } }
}
