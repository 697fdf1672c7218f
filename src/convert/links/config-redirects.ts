import { type Diagnostic, diagnostic } from '../../domain/diagnostic.ts'
import type { SourceSite } from '../conversion.ts'
import type { ResolveLink } from './link-resolver.ts'

/** The redirects of a configuration. */
export interface ConfigRedirects {
  /** The paths that lead to each page, by its route. */
  readonly byRoute: ReadonlyMap<string, readonly string[]>
  /** One for each redirect that leads to no page. */
  readonly diagnostics: readonly Diagnostic[]
}

export function configRedirects(site: SourceSite, resolve: ResolveLink): ConfigRedirects {
  const routes = new Set([...site.pages.values()].map(({ route }) => route))
  const byRoute = new Map<string, readonly string[]>()
  const diagnostics: Diagnostic[] = []
  for (const [from, to] of site.redirects ?? []) {
    const route = resolve(to, '', { route: '', type: 'page' })?.replace(/^\/|[?#].*$/g, '')
    if (route === undefined || !routes.has(route)) diagnostics.push(redirectLeftOut(from, to))
    else byRoute.set(route, [...(byRoute.get(route) ?? []), from])
  }
  return { byRoute, diagnostics }
}

function redirectLeftOut(from: string, to: string): Diagnostic {
  const message = `The redirect from ${from} is left out: ${to} is no page of the new site.`
  return diagnostic('QN-UNUSED-REDIRECT', 'site.yaml', message, { field: 'redirects' })
}
