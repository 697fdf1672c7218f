import type { JsonObject } from '../domain/json.ts'
import { ALIGNMENTS, BACKGROUNDS, VARIANTS } from '../sections/common.ts'
import { CTA_LAYOUTS } from '../sections/cta.ts'
import { FEATURE_LAYOUTS } from '../sections/features.ts'
import { HERO_LAYOUTS } from '../sections/hero.ts'
import type {
  ActionView,
  CtaProps,
  FeaturesProps,
  GenericProps,
  HeroProps,
  ImageView,
  SectionView,
} from '../theme/view.ts'
import { cardViews } from './card-views.ts'
import { imageView } from './image-view.ts'
import { leadsAway } from './links.ts'
import type { PlacedSection } from './placed-section.ts'
import { blockHtml, inlineHtml, type TextProp } from './prop-html.ts'
import { choiceIn, numberIn, objectIn, objectsIn, textIn } from './props.ts'
import type { Rendering } from './rendering.ts'

export function sectionView(placed: PlacedSection, rendering: Rendering): SectionView {
  const { section, at, id, headingLevel } = placed
  const { props } = section
  const own = ownView(placed, rendering)
  return {
    type: section.type,
    id,
    headingLevel,
    title: textIn(props, 'title'),
    subtitleHtml: inlineHtml(textProp(placed, 'subtitle'), rendering),
    tagline: textIn(props, 'tagline'),
    actions: objectsIn(props, 'actions').flatMap((action, index) =>
      actionViews(action, index, `${at}.actions[${index}]`, rendering),
    ),
    background: choiceIn(props, 'background', BACKGROUNDS) ?? 'default',
    backgroundImage: backgroundImage(placed, rendering),
    align: choiceIn(props, 'align', ALIGNMENTS) ?? own.align,
    props: own.props,
  }
}

/** The type's own props, and how it stands when its author does not say. */
interface OwnView {
  readonly props: SectionView['props']
  readonly align: SectionView['align']
}

function ownView(placed: PlacedSection, rendering: Rendering): OwnView {
  const { type, known } = placed.section
  if (known && type === 'hero') return heroView(placed, rendering)
  if (known && type === 'features') return { props: featuresProps(placed, rendering), align: 'left' }
  if (known && type === 'cta') return ctaView(placed, rendering)
  return { props: genericProps(placed, rendering), align: 'left' }
}

function heroView(placed: PlacedSection, rendering: Rendering): OwnView {
  const { props } = placed.section
  const image = imageIn(placed, 'image', rendering)
  const video = videoUrl(placed, rendering)
  const fitting = image !== null || video !== null ? 'split' : 'center'
  const layout = choiceIn(props, 'layout', HERO_LAYOUTS) ?? fitting
  const view: HeroProps = { image, video, layout, noteHtml: inlineHtml(textProp(placed, 'note'), rendering) }
  return { props: view, align: layout === 'split' ? 'left' : 'center' }
}

function featuresProps(placed: PlacedSection, rendering: Rendering): FeaturesProps {
  const { props } = placed.section
  return {
    items: cardViews(placed, rendering),
    columns: COLUMNS.find((columns) => columns === numberIn(props, 'columns')) ?? 3,
    layout: choiceIn(props, 'layout', FEATURE_LAYOUTS) ?? 'grid',
  }
}

const COLUMNS = [1, 2, 3, 4] as const

function ctaView(placed: PlacedSection, rendering: Rendering): OwnView {
  const image = imageIn(placed, 'image', rendering)
  const layout =
    choiceIn(placed.section.props, 'layout', CTA_LAYOUTS) ?? (image === null ? 'banner' : 'split')
  const view: CtaProps = { image, layout }
  return { props: view, align: layout === 'split' ? 'left' : 'center' }
}

function genericProps(placed: PlacedSection, rendering: Rendering): GenericProps {
  return {
    html: blockHtml(textProp(placed, 'body'), rendering),
    image: imageIn(placed, 'image', rendering),
    items: cardViews(placed, rendering),
  }
}

/** Nothing without a text and somewhere to go. */
function actionViews(action: JsonObject, index: number, at: string, rendering: Rendering): ActionView[] {
  const text = textIn(action, 'text')
  const link = textIn(action, 'link')
  const href = link === null ? null : rendering.url(link, 'link', `${at}.link`)
  if (text === null || link === null || href === null) return []
  const variant = choiceIn(action, 'variant', VARIANTS) ?? (index === 0 ? 'primary' : 'secondary')
  return [{ text, href, variant, external: leadsAway(link), icon: textIn(action, 'icon') }]
}

function backgroundImage(placed: PlacedSection, rendering: Rendering): string | null {
  const names = ['background_image', 'background'] as const
  const images = names.map((name) => imageIn(placed, name, rendering))
  return images.find((image) => image !== null)?.src ?? null
}

function imageIn({ section, at }: PlacedSection, name: string, rendering: Rendering): ImageView | null {
  return imageView(objectIn(section.props, name), `${at}.${name}`, rendering)
}

function videoUrl({ section, at }: PlacedSection, rendering: Rendering): string | null {
  const video = textIn(section.props, 'video')
  return video === null ? null : rendering.url(video, 'image', `${at}.video`)
}

function textProp({ section, at, id }: PlacedSection, name: string): TextProp {
  return { props: section.props, name, at, id }
}
