import type { CardView, ImageView, SectionView } from '../../src/theme/view.ts'

export const SCREEN: ImageView = {
  src: '/images/app.svg',
  alt: 'The list of pages, with a state beside each.',
  width: 1200,
  height: 750,
  dark: '/images/app-dark.svg',
}

const COVER: ImageView = {
  src: '/images/cover.svg',
  alt: 'Hills at dusk.',
  width: 1600,
  height: 900,
  dark: null,
}

const BARE = {
  lang: 'en',
  filesHref: '/_assets/',
  href: String,
  data: {},
  markdown: String,
  headingLevel: 2,
  title: null,
  subtitleHtml: null,
  tagline: null,
  actions: [],
  background: 'default',
  backgroundImage: null,
  align: 'left',
} as const satisfies Partial<SectionView>

const START = {
  text: 'Start publishing',
  href: '/start/',
  variant: 'primary',
  external: false,
  icon: null,
  iconHtml: null,
} as const
const READ = {
  text: 'Read the docs',
  href: '/docs/',
  variant: 'secondary',
  external: false,
  icon: null,
  iconHtml: null,
} as const
const CODE = {
  text: 'See the source',
  href: 'https://example.org/',
  variant: 'link',
  external: true,
  icon: null,
  iconHtml: null,
} as const

function card(fields: Partial<CardView>): CardView {
  return {
    title: null,
    html: null,
    icon: null,
    iconHtml: null,
    image: null,
    href: null,
    linkText: null,
    external: false,
    wide: false,
    ...fields,
  }
}

const REASONS: readonly CardView[] = [
  card({
    icon: '⚡',
    iconHtml: '⚡',
    title: 'Written once',
    html: '<p>Pages are rendered when you publish, not when somebody reads. The median page arrives in 38 ms.</p>',
  }),
  card({
    icon: '↺',
    iconHtml: '↺',
    title: 'Back in one request',
    html: '<p>Every release is kept. Putting an earlier one live again takes a single call.</p>',
  }),
  card({
    icon: '⌘',
    iconHtml: '⌘',
    title: 'An API first',
    html: '<p>Everything the dashboard does is an endpoint, with a <code>dry_run</code> for the careful.</p>',
  }),
  card({
    icon: '✓',
    iconHtml: '✓',
    title: 'Nothing half-made',
    html: '<p>Assets, then pages, then indexes: no reader ever meets a link to a page that is not there yet.</p>',
  }),
  card({
    icon: '∞',
    iconHtml: '∞',
    title: 'Yours to keep',
    html: '<p>Plain files in your own bucket. Stop paying us and the site stays where it is.</p>',
  }),
  card({
    icon: 'A',
    iconHtml: 'A',
    title: 'Readable by all',
    html: '<p>Semantic HTML, every script direction, light and dark, keyboard and screen reader.</p>',
  }),
]

export const SPLIT_HERO: SectionView = {
  ...BARE,
  type: 'hero',
  id: 'hero-1',
  headingLevel: 1,
  tagline: 'New: rollbacks in one request',
  title: 'Publish a site that is already there when readers ask',
  subtitleHtml:
    'Quoin turns your pages into plain files and keeps them on <em>your</em> CDN. Fast everywhere, and never half-published.',
  actions: [START, READ],
  props: {
    image: SCREEN,
    video: null,
    codeHtml: null,
    layout: 'split',
    frame: 'none',
    titleStyle: 'plain',
    noteHtml: 'Free for one project. No card needed.',
  },
}

export const CENTER_HERO: SectionView = {
  ...SPLIT_HERO,
  align: 'center',
  title: 'Documentation your users finish reading',
  actions: [START, CODE],
  props: {
    image: SCREEN,
    video: null,
    codeHtml: null,
    layout: 'center',
    frame: 'none',
    titleStyle: 'plain',
    noteHtml: null,
  },
}

export const BACKGROUND_HERO: SectionView = {
  ...SPLIT_HERO,
  tagline: 'Field notes',
  title: 'Ship words the way you ship code',
  backgroundImage: COVER.src,
  props: {
    image: null,
    video: null,
    codeHtml: null,
    layout: 'background',
    frame: 'none',
    titleStyle: 'plain',
    noteHtml: null,
  },
}

export const PLAIN_HERO: SectionView = {
  ...SPLIT_HERO,
  title: 'A wedge that locks every page in place',
  actions: [START, CODE],
  props: {
    image: null,
    video: null,
    codeHtml: null,
    layout: 'split',
    frame: 'none',
    titleStyle: 'plain',
    noteHtml: 'Set in minutes.',
  },
}

export const GRID: SectionView = {
  ...BARE,
  type: 'features',
  id: 'features-1',
  tagline: 'Why Quoin',
  title: 'Everything a publisher needs, nothing a reader waits for',
  subtitleHtml: 'Built for teams who write a lot and cannot afford a slow page.',
  props: { items: REASONS, columns: 3, layout: 'grid' },
}

export const LINKED_GRID: SectionView = {
  ...GRID,
  id: 'features-linked',
  background: 'muted',
  align: 'center',
  title: 'Start where you are',
  props: {
    columns: 3,
    layout: 'grid',
    items: [
      card({
        image: COVER,
        title: 'From a folder',
        html: '<p>Markdown and YAML in, a site out.</p>',
        href: '/docs/folder/',
        linkText: 'Build a folder',
      }),
      card({
        image: SCREEN,
        title: 'From your own tool',
        html: '<p>Send pages through the API.</p>',
        href: '/docs/api/',
        linkText: 'Read the reference',
      }),
      card({
        image: COVER,
        title: 'From another CMS',
        html: '<p>Import keeps ids, slugs and <a href="/docs/redirects/">redirects</a>.</p>',
        href: 'https://example.org/',
        external: true,
      }),
    ],
  },
}

export const LIST: SectionView = {
  ...GRID,
  id: 'features-list',
  tagline: 'In detail',
  title: 'What happens when you publish',
  subtitleHtml: null,
  actions: [CODE],
  props: { items: REASONS.slice(0, 4), columns: 3, layout: 'list' },
}

export const ALTERNATING: SectionView = {
  ...GRID,
  id: 'features-alternating',
  tagline: null,
  title: 'See it before your readers do',
  subtitleHtml: null,
  props: {
    columns: 3,
    layout: 'alternating',
    items: [
      card({
        image: SCREEN,
        title: 'One list for every page',
        html: '<p>What is live, what is not, and what would change if you published now.</p>',
        href: '/docs/list/',
        linkText: 'How the list works',
      }),
      card({
        image: { ...SCREEN, alt: '' },
        title: 'A plan instead of a surprise',
        html: '<p>Each object with its size and the reason it is uploaded, kept or removed.</p>',
      }),
    ],
  },
}

export const BANNER: SectionView = {
  ...BARE,
  type: 'cta',
  id: 'cta-1',
  align: 'center',
  title: 'Your next page could be live in a minute',
  subtitleHtml: 'Create a project, send a page, publish it.',
  actions: [START, READ],
  props: { image: null, layout: 'banner' },
}

export const CTA_CARD: SectionView = {
  ...BANNER,
  id: 'cta-card',
  align: 'left',
  background: 'muted',
  props: { image: null, layout: 'card' },
}
export const CTA_SPLIT: SectionView = {
  ...BANNER,
  id: 'cta-split',
  title: 'See what would change, then change it',
  align: 'left',
  props: { image: SCREEN, layout: 'split' },
}
export const CTA_ACCENT: SectionView = {
  ...BANNER,
  id: 'cta-accent',
  title: 'Two minutes to your first page',
  background: 'accent',
}
export const CTA_DARK: SectionView = {
  ...CTA_SPLIT,
  id: 'cta-dark',
  title: 'Try it on one page',
  background: 'dark',
  props: { image: null, layout: 'split' },
}

export const GENERIC: SectionView = {
  ...BARE,
  type: 'comparison',
  id: 'comparison-1',
  title: 'What people say',
  subtitleHtml: 'From teams who moved last year.',
  props: {
    html: '<p>We asked forty teams what changed. Most said the same thing: they <strong>stopped thinking</strong> about publishing.</p><ul><li>Fewer meetings</li><li>Fewer caches</li></ul>',
    image: COVER,
    items: [
      card({ title: 'Amina Haddad', html: '<p>“We deleted our cache and the pages got faster.”</p>' }),
      card({ title: 'Jonas Lindqvist', html: '<p>“The dry run alone is worth it.”</p>' }),
    ],
  },
}

export const ACCENT_GRID: SectionView = {
  ...GRID,
  id: 'features-accent',
  background: 'accent',
  props: { items: REASONS.slice(0, 4), columns: 4, layout: 'grid' },
}
export const DARK_GRID: SectionView = {
  ...LINKED_GRID,
  id: 'features-dark',
  background: 'dark',
  align: 'left',
}

export const ARABIC_HERO: SectionView = {
  ...SPLIT_HERO,
  tagline: 'جديد',
  title: 'انشر موقعًا جاهزًا قبل أن يطلبه القارئ',
  subtitleHtml: 'يحوّل كوين صفحاتك إلى ملفات ثابتة ويضعها على شبكتك.',
  actions: [
    { ...START, text: 'ابدأ النشر' },
    { ...CODE, text: 'اقرأ التوثيق' },
  ],
  props: {
    image: SCREEN,
    video: null,
    codeHtml: null,
    layout: 'split',
    frame: 'none',
    titleStyle: 'plain',
    noteHtml: null,
  },
}

export const ARABIC_LIST: SectionView = {
  ...LIST,
  id: 'features-ar',
  tagline: 'التفاصيل',
  title: 'ماذا يحدث عند النشر',
  actions: [{ ...CODE, text: 'شاهد المصدر' }],
  props: {
    columns: 3,
    layout: 'list',
    items: [
      card({
        icon: '⚡',
        iconHtml: '⚡',
        title: 'تُكتب مرة واحدة',
        html: '<p>تُصنع الصفحات عند النشر لا عند القراءة.</p>',
      }),
      card({
        icon: '✓',
        iconHtml: '✓',
        title: 'لا شيء ناقص',
        html: '<p>الأصول ثم الصفحات ثم الفهارس.</p>',
        href: '/ar/docs/',
        linkText: 'اقرأ المزيد',
      }),
    ],
  },
}

/** Texts far longer than anyone designs for, some without a place to break. */
export const OVERLONG: readonly SectionView[] = [SPLIT_HERO, GRID, CTA_CARD, GENERIC].map((section) => ({
  ...section,
  id: `${section.id}-overlong`,
  headingLevel: 2,
  tagline: 'An eyebrow that somebody took for a paragraph and wrote a whole sentence into, and then one more',
  title: `${'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft '.repeat(2)}${'and on it goes '.repeat(12)}`,
  subtitleHtml: 'A subtitle that never ends. '.repeat(20),
  actions: [START, READ, CODE, START].map((action) => ({
    ...action,
    text: `${action.text} with quite a few more words than a button takes`,
  })),
}))

/** Every type without any content. */
export const EMPTY: readonly SectionView[] = [
  {
    ...BARE,
    type: 'hero',
    id: 'hero-empty',
    props: {
      image: null,
      video: null,
      codeHtml: null,
      layout: 'center',
      frame: 'none',
      titleStyle: 'plain',
      noteHtml: null,
    },
  },
  {
    ...BARE,
    type: 'features',
    id: 'features-empty',
    props: { items: [card({})], columns: 2, layout: 'grid' },
  },
  { ...BARE, type: 'cta', id: 'cta-empty', props: { image: null, layout: 'banner' } },
  { ...BARE, type: 'map', id: 'map-1', props: { html: null, image: null, items: [] } },
]
