import { type Diagnostic, diagnostic } from '../../domain/diagnostic.ts'
import type { SourceSite } from '../conversion.ts'
import type { ResolveLink } from './link-resolver.ts'

/** The redirects of a configuration. */
export interface ConfigRedirects {
  /** The paths that lead to each page, by its route. */
  readonly byRoute: ReadonlyMap<string, readonly string[]>
  /** The targets of other paths: a part of a page, a file, or another site. */
  readonly ofSite: ReadonlyMap<string, string>
  /** A diagnostic for each redirect that leads nowhere. */
  readonly diagnostics: readonly Diagnostic[]
}

export function configRedirects(site: SourceSite, resolve: ResolveLink): ConfigRedirects {
  const routes = new Set([...site.pages.values()].map(({ route }) => route))
  const byRoute = new Map<string, readonly string[]>()
  const ofSite = new Map<string, string>()
  const diagnostics: Diagnostic[] = []
  for (const [from, to] of site.redirects ?? []) {
    const target = /^https:/i.test(to) ? to : resolve(to, '', { route: '', type: 'page' })
    const route = target?.replace(/^\/|\?.*$/g, '') ?? ''
    if (target === null) diagnostics.push(redirectLeftOut(site, from, to))
    else if (routes.has(route)) byRoute.set(route, [...(byRoute.get(route) ?? []), from])
    else ofSite.set(from, target)
  }
  return { byRoute, ofSite, diagnostics }
}

function redirectLeftOut({ places, config = 'site.yaml' }: SourceSite, from: string, to: string): Diagnostic {
  const message = `The redirect from ${from} is left out: ${to} is no page or file of the new site.`
  const { file, line } = places?.get(from) ?? { file: config, line: null }
  return diagnostic('QN-UNUSED-REDIRECT', file, message, { line, field: 'redirects' })
}
