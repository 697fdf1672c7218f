import type { ProjectId, UserId } from './ids.ts'
import { prefixed } from './ids.ts'
import type { JsonObject } from './json.ts'
import { normalForm } from './normal-form.ts'
import type { SlugAlphabet } from './slug.ts'

export type ProjectStatus = 'active' | 'archived' | 'suspended'
export type HostingMode = 'full_host' | 'rewrite' | 'data_mode'

export interface Hosting {
  readonly mode: HostingMode
  readonly subdomain: string | null
  /** Unique over all projects. */
  readonly customDomain: string | null
  readonly sslEnabled: boolean
  readonly cdnEnabled: boolean
  /** Path of the site on the customer's own domain in `rewrite` mode: `/`, or `/help` without a trailing slash. */
  readonly basePath: string
  /** The share of each page that `_index.json` contains in Data Mode. */
  readonly manifest: 'full' | 'minimal'
  /** The characters of the addresses of its pages. */
  readonly slugs: SlugAlphabet
}

export const DEFAULT_HOSTING: Hosting = {
  mode: 'full_host',
  subdomain: null,
  customDomain: null,
  sslEnabled: false,
  cdnEnabled: true,
  basePath: '/',
  manifest: 'full',
  slugs: 'standard',
}

/** One site: the owner of pages and settings, with its hosting. */
export interface Project {
  readonly id: ProjectId
  readonly userId: UserId
  readonly name: string
  /** Derived from the first name and unique for its owner; a rename does not change it. */
  readonly slug: string
  readonly status: ProjectStatus
  /** Legacy: a description for AI generation, stored without use. */
  readonly context: string
  /** Legacy project settings without an effect, stored as they were sent. */
  readonly legacySettings: JsonObject
  readonly hosting: Hosting
  /** Time when Data Mode was last switched on; null when it never was. */
  readonly dataModeEnabledAt: string | null
  readonly createdAt: string
  readonly updatedAt: string
  readonly version: number
}

/** Addresses of published sites, from the operator's configuration. */
export interface PublicAddresses {
  /** Base URL of the published objects, without a trailing slash. */
  readonly contentUrl: string
  /** The domain whose subdomains are sites; null when none is configured. */
  readonly sitesDomain: string | null
}

/**
 * The absolute URL of the project's path `/`, without a trailing slash.
 *
 * The base path of `rewrite` counts on the customer's own domain only: on its subdomain and under the content URL the
 * site starts at `/`.
 */
export function siteOrigin(project: Pick<Project, 'id' | 'hosting'>, addresses: PublicAddresses): string {
  const { customDomain, subdomain } = project.hosting
  if (customDomain !== null) return `https://${customDomain}${sitePrefix(project.hosting)}`
  if (subdomain !== null && addresses.sitesDomain !== null)
    return `https://${subdomain}.${addresses.sitesDomain}`
  return `${addresses.contentUrl}/${prefixed('proj', project.id)}`
}

/** Path of the site on the customer's own domain: empty, or a path such as `/help` in `rewrite` mode. */
export function sitePrefix({ mode, basePath }: Pick<Hosting, 'mode' | 'basePath'>): string {
  return mode === 'rewrite' && basePath !== '/' ? basePath : ''
}

/** Converts a name to a slug: `Söhne & Co.` becomes `sohne-co`, and a name without letters or digits `project`. */
export function projectSlug(name: string): string {
  const slug = normalForm(name, 'NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 80)
  return slug === '' ? 'project' : slug
}
