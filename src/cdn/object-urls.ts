import type { ProjectId } from '../domain/ids.ts'
import { DEFAULT_HOSTING, type Hosting, type PublicAddresses, siteOrigin } from '../domain/project.ts'
import { urlPath } from '../domain/route.ts'

/**
 * All URLs at which a site is served, without a trailing slash: below the content URL, on its subdomain, and on its own
 * domain.
 *
 * @param hosting null for a deleted project, whose hosts are free again.
 */
export function siteUrls(
  id: ProjectId,
  hosting: Hosting | null,
  addresses: PublicAddresses,
): readonly string[] {
  const at = (hosts: Partial<Hosting>) =>
    siteOrigin({ id, hosting: { ...DEFAULT_HOSTING, ...hosting, ...hosts } }, addresses)
  return [...new Set([at({ customDomain: null, subdomain: null }), at({ customDomain: null }), at({})])]
}

/** The URLs of an object: of a page also its folder, with and without the slash. */
export function objectUrls(key: string, sites: readonly string[]): readonly string[] {
  const [, folder] = /^(|.*\/)index\.html$/.exec(key) ?? []
  const paths =
    folder === undefined ? [`/${key}`] : [`/${key}`, `/${folder}`, `/${folder}`.replace(/(?<=.)\/$/, '')]
  return sites.flatMap((site) => [...new Set(paths)].map((path) => site + urlPath(path)))
}
