import { LOCALE_SETTING_KEYS } from '../../src/domain/by-locale.ts'
import { LOCALE_SETTINGS, type Settings } from '../../src/domain/settings.ts'

/** Another value than the default for each setting, so that a test of all settings includes each new one. */
const OTHER_SETTINGS: { readonly [Key in keyof Settings]: Settings[Key] } = {
  theme: 'minimal',
  faviconUrl: '/images/dot.svg',
  logoUrl: '/images/dot.svg',
  ogImageUrl: '/images/dot.png',
  siteName: 'Rails',
  socialCards: 'pages',
  mcp: 'read',
  metaTitle: 'Trains',
  metaDescription: 'By train.',
  googleAnalyticsId: 'G-ABC1234567',
  customCss: 'h1 { color: teal }',
  customHeadHtml: '<meta name="author" content="Ines">',
  footerText: 'Made by Ines.',
  announcement: { text: 'New: maps' },
  navLinks: [{ label: 'Blog', href: '/blog' }],
  docsNav: [
    { title: 'Rules', slug: 'docs/rules' },
    { title: 'Install', slug: 'docs/install' },
  ],
  sharedFooter: { links: [{ label: 'Home', href: '/' }], copyright: 'Ines' },
  branding: { primary_color: '#008080', lang: 'de' },
  siteRoutes: { docs: '/help' },
  data: { authors: { ines: { name: 'Ines M.' } }, colour: 'teal' },
  locales: [
    { code: 'en', label: 'English', dir: 'ltr', subroute: '' },
    { code: 'de', label: 'Deutsch', dir: 'ltr', subroute: 'de', home: '/de/blog' },
  ],
  byLocale: { de: { footer_text: 'Von Ines.' } },
  versions: [
    { name: '2.0', label: '2.0', subroute: '', latest: true },
    { name: '1.0', label: '1.0', subroute: '1.0', latest: false },
  ],
  variables: { product: 'Trellis' },
  mediaRefresh: 'manual',
  visits: 'count',
  logoDarkUrl: '/images/dot.svg',
  feedGuid: 'https://other.example.com/',
}

/** Every setting with its other value. */
export const SETTING_CHANGES = Object.entries(OTHER_SETTINGS).map(([key, other]) => ({
  key: key as keyof Settings,
  other,
}))

/** Every setting that a language may have, with its other value in the second language of a site, and in all of it. */
export const LOCALE_CHANGES = LOCALE_SETTING_KEYS.flatMap(
  (key): readonly { readonly name: string; readonly fields: Partial<Settings> }[] => {
    const { locales, [key]: other } = OTHER_SETTINGS
    return [
      {
        name: `${key} of a language`,
        fields: { locales, byLocale: { de: { [LOCALE_SETTINGS[key]]: other } } },
      },
      { name: `${key} of a site in two languages`, fields: { locales, [key]: other } },
    ]
  },
)
