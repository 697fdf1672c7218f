import type { Theme, ThemeAsset } from '../../src/theme/theme.ts'
import type {
  ListingView,
  NavPageView,
  NotFoundView,
  PageView,
  SectionView,
  TagsView,
} from '../../src/theme/view.ts'

/** A theme that writes its view as JSON. */
export interface PlainTheme extends Theme {
  /** All views so far, in order. */
  readonly views: {
    readonly sections: SectionView[]
    readonly pages: PageView[]
    readonly notFound: NotFoundView[]
    readonly navPages: NavPageView[]
    readonly listings: ListingView[]
    readonly tags: TagsView[]
  }
}

export function createPlainTheme(): PlainTheme {
  const views: PlainTheme['views'] = {
    sections: [],
    pages: [],
    notFound: [],
    navPages: [],
    listings: [],
    tags: [],
  }
  return {
    name: 'plain',
    digest: 'plain',
    assets: {
      style: asset('_assets/theme.0000.css', 'body { color: black }'),
      sectionStyle: asset('_assets/sections.0000.css', 'section { color: black }'),
      script: asset('_assets/site.0000.js', 'void 0'),
      search: asset('_assets/search.0000.js', 'void 0'),
      searchStyle: asset('_assets/search.0000.css', 'dialog { color: black }'),
      analytics: asset('_assets/analytics.0000.js', 'void 0'),
      visits: asset('_assets/visits.0000.js', 'void 0'),
    },
    colours: {
      scheme: 'light dark',
      brand: { light: '#1f4fe0', dark: '#3a67f2' },
      background: { light: '#ffffff', dark: '#0e1014' },
    },
    formOrigins: [],
    files: new Map(),
    layouts: ['wide'],
    ownSections: new Set(),
    types: { fields: {}, sections: {} },
    samples: new Map(),
    components: new Map(),
    notFoundScript: 'void 1',
    stemmers: new Map(),
    stemmer: () => null,
    views,
    readsField: () => false,
    labels: () => ({}),
    section: (view) => write(view, views.sections),
    component: ({ html }) => html,
    page: (view) => write(view, views.pages),
    notFound: (view) => write(view, views.notFound),
    navPage: (view) => write(view, views.navPages),
    listing: (view) => write(view, views.listings),
    tags: (view) => write(view, views.tags),
  }
}

function asset(key: string, text: string): ThemeAsset {
  return { key, body: Buffer.from(text) }
}

function write<View>(view: View, views: View[]): string {
  views.push(view)
  return JSON.stringify(view, null, 2)
}
