import type { JsonObject } from '../domain/json.ts'

export const GENERATORS = ['vitepress', 'hugo', 'jekyll', 'eleventy', 'markdown'] as const
export type GeneratorName = (typeof GENERATORS)[number]

/** Something of the former site that its new folder does not have. */
export interface Loss {
  /** In the former folder, relative to it, with forward slashes. */
  readonly file: string
  /** From 1; null when it is about the file as a whole. */
  readonly line: number | null
  readonly what: string
}

/** The files of a former site, by path relative to its folder. */
export interface SourceFiles {
  readonly paths: readonly string[]
  /** The text of a file; null when there is none. */
  text(path: string): string | null
}

/** Where a page is in the new site. */
export interface PageTarget {
  /** Its address without slashes at either end, e.g. `guide/start`; empty for the front page. */
  readonly route: string
  /** A `list` is made by itself of the articles beneath it, and has no file. */
  readonly type: 'docs' | 'article' | 'page' | 'list'
  /** The address that a pattern of the former site gave it, e.g. `/2024/05/01/start.html`; absent where none did. */
  readonly originalPath?: string
  /** The language tag of a page that is not in the site's own; absent for others. */
  readonly lang?: string
}

/** What is known of a former site before its pages are read. */
export interface SourceSite {
  /** The folder that pages lie in, with a slash at its end; empty for the whole. */
  readonly contentRoot: string
  /** Fields of `site.yaml`. */
  readonly fields: JsonObject
  /** Files that are pages, where they go. */
  readonly pages: ReadonlyMap<string, PageTarget>
  /** Files that are served as they are: from the path in the former folder, at what path of the site. */
  readonly assets: ReadonlyMap<string, string>
  /** Where a docs page stands among the others, by its route. */
  readonly order: ReadonlyMap<string, number>
  /** What the configuration says of pages that do not say it themselves. */
  readonly defaults?: (path: string) => JsonObject
  readonly losses: readonly Loss[]
}

/** A construct of a template language that stands in Markdown. */
export interface TemplateTag {
  /** Global; finds it outside of code. */
  readonly pattern: RegExp
  /** What takes its place; null where nothing does, which is a loss. */
  readonly replace: (found: RegExpExecArray, context: TagContext) => string | PartialReplacement | null
}

/** What takes the place of a construct that could not be carried over as a whole. */
export interface PartialReplacement {
  readonly text: string
  /** What was lost of it, and what stayed. */
  readonly message: string
}

export interface TagContext {
  /** The whole page, without front matter, as it was. */
  readonly body: string
  /** The text of a file that a page names: relative to the page, or with `@/` or `/` to the pages' folder. */
  readonly textOf: (name: string) => string | null
  /** The address of another page that the text names as the generator does; null when there is none. */
  readonly linkTo: (name: string) => string | null
}

/**
 * The body of a page without the marks of what its author wanted to be read as it is.
 *
 * @param keep takes a piece that is not to be looked at, and returns what stands for it meanwhile.
 */
export type ProtectVerbatim = (body: string, keep: (text: string) => string) => string

export interface Generator {
  readonly name: GeneratorName
  /** As people know it. */
  readonly title: string
  /** Whether a folder with these files is one of its sites. */
  detects(files: SourceFiles): boolean
  read(files: SourceFiles): SourceSite
  readonly protectVerbatim: ProtectVerbatim
  readonly tags: readonly TemplateTag[]
}
