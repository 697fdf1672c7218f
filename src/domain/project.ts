import type { ProjectId, UserId } from './ids.ts'
import { prefixed } from './ids.ts'
import type { JsonObject } from './json.ts'

export type ProjectStatus = 'active' | 'archived' | 'suspended'
export type HostingMode = 'full_host' | 'rewrite' | 'data_mode'

export interface Hosting {
  readonly mode: HostingMode
  readonly subdomain: string | null
  /** Unique over all projects. */
  readonly customDomain: string | null
  readonly sslEnabled: boolean
  readonly cdnEnabled: boolean
  /** Where the site lies on the customer's own domain in `rewrite` mode; `/` or `/help`, without a slash at its end. */
  readonly basePath: string
  /** How much `_index.json` tells in Data Mode. */
  readonly manifest: 'full' | 'minimal'
}

export const DEFAULT_HOSTING: Hosting = {
  mode: 'full_host',
  subdomain: null,
  customDomain: null,
  sslEnabled: false,
  cdnEnabled: true,
  basePath: '/',
  manifest: 'full',
}

/** The top-level container: pages, settings and where they are published. */
export interface Project {
  readonly id: ProjectId
  readonly userId: UserId
  readonly name: string
  /** Comes from the first name, unique for its owner, stays on a rename. */
  readonly slug: string
  readonly status: ProjectStatus
  /** Legacy: a description for AI generation, kept as it is. */
  readonly context: string
  /** Legacy project settings without a meaning here, kept as they are. */
  readonly legacySettings: JsonObject
  readonly hosting: Hosting
  /** When Data Mode was last switched on; null when it never was. */
  readonly dataModeEnabledAt: string | null
  readonly createdAt: string
  readonly updatedAt: string
  readonly version: number
}

/** Where sites are served from, as the operator configured it. */
export interface PublicAddresses {
  /** Base URL of the published objects, without a slash at its end. */
  readonly contentUrl: string
  /** The domain whose subdomains are sites, if there is one. */
  readonly sitesDomain: string | null
}

/**
 * The absolute URL under which the project's path `/` is found, without a slash at its end.
 *
 * The base path of `rewrite` is a path of the customer's own domain: on its subdomain, and under the
 * content URL, the same site lies at `/`.
 */
export function siteOrigin(project: Pick<Project, 'id' | 'hosting'>, addresses: PublicAddresses): string {
  const { customDomain, subdomain } = project.hosting
  if (customDomain !== null) return `https://${customDomain}${sitePrefix(project.hosting)}`
  if (subdomain !== null && addresses.sitesDomain !== null)
    return `https://${subdomain}.${addresses.sitesDomain}`
  return `${addresses.contentUrl}/${prefixed('proj', project.id)}`
}

/** Where the site lies on the customer's own domain: empty, or a path such as `/help` in `rewrite` mode. */
export function sitePrefix({ mode, basePath }: Pick<Hosting, 'mode' | 'basePath'>): string {
  return mode === 'rewrite' && basePath !== '/' ? basePath : ''
}

/** A name in the form a URL takes: `Söhne & Co.` becomes `sohne-co`. Empty names become `project`. */
export function projectSlug(name: string): string {
  const slug = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 80)
  return slug === '' ? 'project' : slug
}
