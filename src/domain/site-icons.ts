/** Keys of the icons of a site, and of the file that describes them to systems. */
export const SITE_ICONS = {
  /** The icon that browsers request for documents without one, such as a PDF. */
  favicon: 'favicon.ico',
  vector: '_icons/icon.svg',
  /** The icon that iOS requests. */
  touch: 'apple-touch-icon.png',
  small: '_icons/192.png',
  large: '_icons/512.png',
  manifest: 'site.webmanifest',
} as const

export const SITE_ICON_KEYS: readonly string[] = Object.values(SITE_ICONS)

/** The file of `static/` that is the icon of a site without the setting, the best one first. */
export const STATIC_FAVICONS: readonly string[] = ['favicon.svg', 'favicon.png', SITE_ICONS.favicon]
