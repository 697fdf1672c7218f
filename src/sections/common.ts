import {
  boolean,
  choice,
  choiceOrImage,
  inline,
  link,
  list,
  number,
  object,
  type Props,
  type Shape,
  text,
  token,
} from './prop.ts'

export const BACKGROUNDS = ['default', 'muted', 'accent', 'dark'] as const
export const ALIGNMENTS = ['left', 'center'] as const
export const VARIANTS = ['primary', 'secondary', 'link'] as const

export const IMAGE: Shape = {
  props: {
    src: link('url', 'href'),
    alt: token('alt_text'),
    width: number(1, 20_000),
    height: number(1, 20_000),
    dark: link('src_dark'),
  },
  requires: ['src'],
  shorthand: 'src',
}

export const ACTION: Shape = {
  props: {
    text: text('label', 'title'),
    link: link('href', 'url'),
    variant: choice(VARIANTS),
    target: token(),
    icon: token(),
  },
  requires: ['text', 'link'],
  shorthand: null,
}

/** A named link: a profile, a map, a second address. */
export const NAMED_LINK: Shape = {
  props: { label: text('text', 'title', 'name'), link: link('href', 'url'), icon: token() },
  requires: ['link'],
  shorthand: 'link',
}

/** Props of every section type. */
export const COMMON: Props = {
  title: text('heading', 'headline'),
  subtitle: inline('subheading', 'sub_heading', 'subheadline', 'description'),
  tagline: text('eyebrow', 'kicker', 'badge'),
  actions: list(object(ACTION), 'buttons', 'ctas', 'cta'),
  background: choiceOrImage(BACKGROUNDS, IMAGE),
  align: choice(ALIGNMENTS),
  hidden: boolean(),
}

/** Prefixes of actions written as two flat keys, `cta_text` and `cta_url` (or `cta_link`). */
export const FLAT_ACTIONS = ['cta', 'button'] as const

export function flatAction(prefix: (typeof FLAT_ACTIONS)[number]): Props {
  return { [`${prefix}_text`]: text(), [`${prefix}_url`]: link(`${prefix}_link`) }
}

/** All flat keys. */
export const FLAT_PROPS: Props = Object.assign({}, ...FLAT_ACTIONS.map(flatAction))
