import type { Diagnostic } from '../domain/diagnostic.ts'
import type { DiagnosticCode } from '../domain/diagnostic-codes.ts'
import type { JsonObject } from '../domain/json.ts'
import type { SourcePage } from './page/source-front-matter.ts'

export const GENERATORS = [
  'docusaurus',
  'starlight',
  'vitepress',
  'nextra',
  'mkdocs',
  'mdbook',
  'hugo',
  'hexo',
  'jekyll',
  'eleventy',
  'notion',
  'markdown',
] as const
export type GeneratorName = (typeof GENERATORS)[number]

/** The files of a source site, by path relative to its folder, with forward slashes. */
export interface SourceFiles {
  readonly paths: readonly string[]
  /** Entries of the folder that cannot be read. */
  readonly diagnostics: readonly Diagnostic[]
  /** The text of a file. Null when the file is missing or larger than 5 MiB. */
  text(path: string): string | null
}

/** The address and type of a page in the converted site. */
export interface PageTarget {
  /** Without leading and trailing slashes, e.g. `guide/start`. Empty for the front page. */
  readonly route: string
  /** A `list` is generated from the articles below it and gets no file. */
  readonly type: 'docs' | 'article' | 'page' | 'list'
  /** The path of the page in the source site, below its base, e.g. `/2024/05/01/start.html`. Absent when unknown. */
  readonly originalPath?: string
  /** Directives for search engines, e.g. `noindex`. The type keeps a page out of lists. */
  readonly robots?: string
  /** The folder of the blog whose articles the page lists. */
  readonly lists?: string
  /** The folder of the blog of an article that its route does not say. */
  readonly blog?: string
  /** The reason why the source site does not publish the page, as a sentence. The page becomes a draft. */
  readonly hidden?: string
  /** The language tag of a page in another language than the site's. */
  readonly lang?: string
}

/** An entry of a sidebar: a page, a group of entries, or both. */
export interface NavItem {
  /** The label. Null for the title of the page. */
  readonly title: string | null
  /** The route of a page. Null for a group. */
  readonly route: string | null
  readonly children: readonly NavItem[]
}

/** A source site, before its pages are converted. */
export interface SourceSite {
  /** The folder of the pages, with a trailing slash. Empty when pages are anywhere. */
  readonly contentRoot: string
  /** Fields of `site.yaml`. */
  readonly fields: JsonObject
  /** The target of each file that is a page. */
  readonly pages: ReadonlyMap<string, PageTarget>
  /** The path at which each asset is served, by its path in the source folder. */
  readonly assets: ReadonlyMap<string, string>
  /** The position of docs pages among each other, by route. */
  readonly order: ReadonlyMap<string, number>
  /** Front matter that replaces the page's own, such as a date in another form. */
  readonly overrides?: (path: string) => JsonObject
  /** The sidebar of the docs, from the top. Absent when it follows from folders and `order`. */
  readonly nav?: readonly NavItem[]
  /** The path below which the source site is served, e.g. `/docs`. Absent when its URL says so. */
  readonly base?: string
  /** Front matter that the configuration sets for a page. The page's own fields win. */
  readonly defaults?: (path: string) => JsonObject
  /** Folders of languages whose missing pages the source site shows in the main language. */
  readonly fallbackFolders?: readonly string[]
  /** Redirects: the address of a page of the source site, by the path that redirects to it. */
  readonly redirects?: ReadonlyMap<string, string>
  /** Published pages that cannot be converted, such as programs: the address by the file. */
  readonly unread?: ReadonlyMap<string, string>
  /** The file by which the theme generates a front page of articles, where no page is one. */
  readonly frontList?: string
  /** The Markdown of a front page that no file of the source site has. */
  readonly frontText?: string
  /** Reads the text of a page that is not split by front matter. Absent when every page is. */
  readonly readPage?: (path: string, text: string) => SourcePage
  /** Files that say something about pages, and are neither pages nor assets. */
  readonly dataFiles?: ReadonlySet<string>
  /** The path of the file that configures the site. */
  readonly config?: string
  /** Positions of redirects and labels in other files than `config`, by path or label. */
  readonly places?: ReadonlyMap<string, { readonly file: string; readonly line: number | null }>
  /** The labels of all menus of the configuration. Absent when `fields` has all of them. */
  readonly menus?: readonly string[]
  /** The tags of the languages that the configuration names. Absent when `fields` and pages have all of them. */
  readonly languages?: readonly string[]
  /** The content of `data/authors.yaml` of the new site: authors by their short names. */
  readonly authors?: JsonObject
  /** Redirects of hosts that no redirect of the new site stands for, such as patterns. */
  readonly unreadRedirects?: readonly UnreadRedirect[]
  /** Feeds and lists that the generator makes. Absent for none. */
  readonly lists?: SourceLists
  /** Folders that names of files begin with, by their abbreviations such as `@site/`. */
  readonly aliases?: ReadonlyMap<string, string>
  /** The source site shows `--` and `---` as dashes. */
  readonly drawsDashes?: boolean
  /** Terms of definition lists have ids, built from their texts. */
  readonly hasTermIds?: boolean
  /** Values that templates may print, e.g. `site.title`, as an object of objects. */
  readonly values?: JsonObject
  readonly diagnostics: readonly Diagnostic[]
}

/** A redirect of a host, where it is written. */
export interface UnreadRedirect {
  readonly from: string
  readonly file: string
  readonly line: number | null
}

/**
 * Feeds and lists of articles that a generator makes. Paths are below the base of the source site and, in other languages
 * than the main one, below the folder of the language.
 */
export interface SourceLists {
  /** The folder of the new site whose articles a feed has, by the path of the feed. Empty for the whole site. */
  readonly feeds: ReadonlyMap<string, string>
  /** The fields of front matter whose values have lists of their own. */
  readonly terms: readonly SourceTerms[]
  /** Numbered pages, archives by date, and other lists of the articles of a folder. */
  readonly others?: readonly SourceList[]
}

export interface SourceList {
  /** The folder of the new site whose articles the lists have. Empty for all. */
  readonly folder: string
  /** The paths of the lists. @param articles the front matter of the articles. */
  readonly pathsOf: (articles: readonly JsonObject[]) => readonly string[]
}

export interface SourceTerms {
  readonly field: string
  /** The paths of the list of a value, and of its feeds. */
  readonly pathsOf: (term: string) => { readonly list: string; readonly feeds: readonly string[] }
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
  /**
   * The text of a file that a page names, relative to the page, or with `@/` or `/` to the content root.
   * Null when there is none, and when the page has included 20 MiB.
   *
   * @param from the file whose folder the name is relative to; by default the page.
   */
  readonly textOf: (name: string, from?: string) => string | null
  /**
   * The path of the page or asset that a link names as the source generator does. Null when there is none.
   *
   * @param from the file whose folder the link is relative to; by default the page.
   */
  readonly linkTo: (name: string, from?: string) => string | null
}

/** Adds a diagnostic at a line of the body of a page, from 0. */
export type Report = (line: number, code: DiagnosticCode, message: string) => void

/** An error in the front matter of a page. */
export type FieldProblem = Pick<Diagnostic, 'code' | 'field' | 'message'>

/**
 * Removes the marks of verbatim text, such as `{% raw %}`, from the body of a page.
 *
 * @param protect stores a piece of text that must not be converted, and returns its placeholder.
 */
export type ProtectVerbatim = (body: string, protect: (text: string) => string) => string

/** A page whose body is rewritten before its template tags are replaced. */
export interface BodyContext extends TagContext {
  /** The path of the file in the source folder. */
  readonly path: string
  readonly fields: JsonObject
  readonly target: PageTarget
  readonly site: SourceSite
  /** The path in the source folder of a file that another one names. */
  readonly pathOf: (name: string, from: string) => string
  readonly report: Report
  /** Stores a piece of text that must not be converted, and returns its placeholder. */
  readonly protect: (text: string) => string
}

/** A converter for the sites of one generator. */
export interface Generator {
  readonly name: GeneratorName
  /** The name in messages, e.g. `VitePress`. */
  readonly title: string
  /** Reports whether these files are a site of this generator. */
  detects(files: SourceFiles): boolean
  /** @param now decides which pages are future or expired. */
  read(files: SourceFiles, now: Date): SourceSite
  /**
   * The id of an article in the feed of the source site, from the path of its address. Absent when the ids of the
   * generator are unknown.
   */
  readonly feedGuid?: (address: string) => string
  /** Fields of front matter by the names that they have here; by default as they are written. */
  readonly fieldsOf?: (frontMatter: JsonObject) => JsonObject
  readonly protectVerbatim: ProtectVerbatim
  /** Converts syntax that spans lines or is in code, such as components, admonitions and includes. */
  readonly rewrite?: (body: string, context: BodyContext) => string
  readonly tags: readonly TemplateTag[]
}
