import type { Diagnostic } from '../domain/diagnostic.ts'
import type { DiagnosticCode } from '../domain/diagnostic-codes.ts'
import type { JsonObject } from '../domain/json.ts'

export const GENERATORS = ['vitepress', 'hugo', 'jekyll', 'eleventy', 'markdown'] as const
export type GeneratorName = (typeof GENERATORS)[number]

/** The files of a source site, by path relative to its folder, with forward slashes. */
export interface SourceFiles {
  readonly paths: readonly string[]
  /** The text of a file. Null when the file is missing or larger than 5 MiB. */
  text(path: string): string | null
}

/** The address and type of a page in the converted site. */
export interface PageTarget {
  /** Without slashes at the ends, e.g. `guide/start`. Empty for the front page. */
  readonly route: string
  /** A `list` is generated from the articles below it and gets no file. */
  readonly type: 'docs' | 'article' | 'page' | 'list'
  /** The path that a permalink pattern gave the page, e.g. `/2024/05/01/start.html`. Absent without a pattern. */
  readonly originalPath?: string
  /** The language tag of a page in another language than the site's. */
  readonly lang?: string
}

/** A source site, before its pages are converted. */
export interface SourceSite {
  /** The folder of the pages, with a slash at its end. Empty when pages are anywhere. */
  readonly contentRoot: string
  /** Fields of `site.yaml`. */
  readonly fields: JsonObject
  /** The target of each file that is a page. */
  readonly pages: ReadonlyMap<string, PageTarget>
  /** The path at which each asset is served, by its path in the source folder. */
  readonly assets: ReadonlyMap<string, string>
  /** The position of docs pages among each other, by route. */
  readonly order: ReadonlyMap<string, number>
  /** Front matter that the configuration sets for a page. The page's own fields win. */
  readonly defaults?: (path: string) => JsonObject
  readonly diagnostics: readonly Diagnostic[]
}

/** A tag of a template language in Markdown, e.g. a shortcode, and how to convert it. */
export interface TemplateTag {
  /** Global. It is matched outside of code only. */
  readonly pattern: RegExp
  /** The Markdown that replaces the tag. Null drops the tag and reports it. */
  readonly replace: (found: RegExpExecArray, context: TagContext) => string | PartialReplacement | null
}

/** The replacement of a tag that has no full counterpart. */
export interface PartialReplacement {
  readonly text: string
  /** Names the part that is left out. */
  readonly message: string
}

export interface TagContext {
  /** The unconverted page without front matter. */
  readonly body: string
  /** The text of a file that a page names, relative to the page, or with `@/` or `/` to the content root. */
  readonly textOf: (name: string) => string | null
  /** The path of the page or asset that a link names as the source generator does. Null when there is none. */
  readonly linkTo: (name: string) => string | null
}

/** Adds a diagnostic at a line of the body of a page, from 0. */
export type Report = (line: number, code: DiagnosticCode, message: string) => void

/** A problem in the front matter of a page. */
export type FieldProblem = Pick<Diagnostic, 'code' | 'field' | 'message'>

/**
 * Removes the marks of verbatim text, such as `{% raw %}`, from the body of a page.
 *
 * @param protect stores a piece of text that must not be converted, and returns its placeholder.
 */
export type ProtectVerbatim = (body: string, protect: (text: string) => string) => string

/** A converter for the sites of one generator. */
export interface Generator {
  readonly name: GeneratorName
  /** The name in messages, e.g. `VitePress`. */
  readonly title: string
  /** Whether these files are a site of this generator. */
  detects(files: SourceFiles): boolean
  read(files: SourceFiles): SourceSite
  readonly protectVerbatim: ProtectVerbatim
  readonly tags: readonly TemplateTag[]
}
