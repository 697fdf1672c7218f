import type { LivePage, NavStep } from '../../domain/live-page.ts'
import { frontPath, localeOf } from '../../domain/locale.ts'
import { pagePath } from '../links/links.ts'

/**
 * The pages above an item: the front page of its language, and the pages linked in the header. Other pages of the site
 * are not read, so that publishing them never makes an item stale.
 */
export function itemSteps(live: LivePage): readonly NavStep[] {
  const { page, path, site, settings, context } = live
  const locale = localeOf(live)
  const front = context.surroundings?.home ?? (locale === null ? '/' : frontPath(locale))
  if (page.type !== 'item' || path === front) return []
  const links = settings.navLinks.flatMap((entry) => ('links' in entry ? entry.links : [entry]))
  const above = new Map<string, string>()
  for (const { label, href } of links) {
    const target = href.includes('#') ? null : pagePath(href)
    if (
      target !== null &&
      target !== front &&
      target !== '/' &&
      path.startsWith(`${target}/`) &&
      !above.has(target)
    )
      above.set(target, label)
  }
  const steps = [...above].map(([target, title]) => ({ title, path: target }))
  return [
    { title: site.name, path: front },
    ...steps.sort((one, other) => one.path.length - other.path.length),
  ]
}
