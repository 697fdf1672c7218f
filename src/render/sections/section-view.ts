import { ALIGNMENTS, BACKGROUNDS } from '../../sections/common.ts'
import { choiceIn, objectsIn, textIn } from '../../sections/values.ts'
import type { SectionView } from '../../theme/view.ts'
import { assetsHref, hrefIn } from '../links/links.ts'
import { inlineHtml, markdownIn } from '../page/prop-html.ts'
import type { Rendering } from '../page/rendering.ts'
import { contactView } from './contact-view.ts'
import { contentView } from './content-view.ts'
import { ctaView } from './cta-view.ts'
import { faqView } from './faq-view.ts'
import { featuresView } from './features-view.ts'
import { galleryView } from './gallery-view.ts'
import { genericView } from './generic-view.ts'
import { heroView } from './hero-view.ts'
import { logosView } from './logos-view.ts'
import { actionViews, imageIn, textProp } from './parts.ts'
import type { PlacedSection } from './placed-section.ts'
import { postsView } from './posts-view.ts'
import { pricingView } from './pricing-view.ts'
import { statsView } from './stats-view.ts'
import { stepsView } from './steps-view.ts'
import { teamView } from './team-view.ts'
import { testimonialsView } from './testimonials-view.ts'
import type { TypeView } from './type-view.ts'

/** Views by section type. A type without one is shown as an unknown type is. */
export const TYPE_VIEWS: ReadonlyMap<string, (placed: PlacedSection, rendering: Rendering) => TypeView> =
  new Map([
    ['hero', heroView],
    ['features', featuresView],
    ['cta', ctaView],
    ['content', contentView],
    ['pricing', pricingView],
    ['testimonials', testimonialsView],
    ['faq', faqView],
    ['stats', statsView],
    ['logos', logosView],
    ['steps', stepsView],
    ['gallery', galleryView],
    ['team', teamView],
    ['contact', contactView],
    ['posts', postsView],
  ])

export function sectionView(placed: PlacedSection, rendering: Rendering): SectionView {
  const { section, at, id, headingLevel, lang } = placed
  const { props } = section
  const own = typeView(placed, rendering)
  return {
    type: section.type,
    id,
    lang,
    filesHref: assetsHref(rendering.links),
    href: hrefIn(rendering.links),
    data: rendering.data,
    markdown: markdownIn(rendering, `${id}-text`),
    headingLevel,
    title: textIn(props, 'title'),
    subtitleHtml: inlineHtml(textProp(placed, 'subtitle'), rendering),
    tagline: textIn(props, 'tagline'),
    actions: objectsIn(props, 'actions').flatMap((action, index) =>
      actionViews(action, index === 0 ? 'primary' : 'secondary', `${at}.actions[${index}]`, rendering),
    ),
    background: choiceIn(props, 'background', BACKGROUNDS) ?? 'default',
    backgroundImage: backgroundImage(placed, rendering),
    align: choiceIn(props, 'align', ALIGNMENTS) ?? own.align,
    props: own.props,
  }
}

function typeView(placed: PlacedSection, rendering: Rendering): TypeView {
  const { type, known } = placed.section
  if (placed.own !== null) return { props: placed.own, align: 'left' }
  const view = known ? TYPE_VIEWS.get(type) : undefined
  return (view ?? genericView)(placed, rendering)
}

function backgroundImage(placed: PlacedSection, rendering: Rendering): string | null {
  const names = ['background_image', 'background'] as const
  const images = names.map((name) => imageIn(placed, name, rendering))
  return images.find((image) => image !== null)?.src ?? null
}
