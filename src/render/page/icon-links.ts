import { SITE_ICONS } from '../../domain/site-icons.ts'
import type { IconView } from '../../theme/view.ts'
import type { Links } from '../links/links.ts'

/**
 * The icons that a document names. Of several, browsers choose by themselves: where the site has a picture for it, that
 * is the only one for tabs.
 *
 * @param favicon URL of the picture that the setting names; null for none.
 */
export function iconLinks(favicon: string | null, links: Links): readonly IconView[] {
  const own = { rel: 'icon', type: null, sizes: null } as const
  const forTabs: readonly IconView[] =
    favicon === null
      ? [
          { ...own, href: links.file(SITE_ICONS.favicon), sizes: '32x32' },
          { ...own, href: links.file(SITE_ICONS.vector), type: 'image/svg+xml' },
        ]
      : [{ ...own, href: favicon }]
  return [...forTabs, { ...own, rel: 'apple-touch-icon', href: links.file(SITE_ICONS.touch) }]
}
