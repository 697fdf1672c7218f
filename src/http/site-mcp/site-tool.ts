import type { JsonObject } from '../../domain/json.ts'
import type { Settings } from '../../domain/settings.ts'
import type { SiteFiles } from './site-files.ts'

/** The site that a tool reads. */
export interface ToolSite {
  /** Absolute URL of the path `/`, without a trailing slash. */
  readonly origin: string
  readonly settings: Pick<Settings, 'branding' | 'locales'>
  readonly files: SiteFiles
}

/** A tool that reads a published site. */
export interface SiteTool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly inputSchema: JsonObject
  /** Number of further requests that a call counts as. */
  readonly cost: number
  /** @throws {ToolError} */
  call(given: JsonObject, site: ToolSite): Promise<string>
}
