import type { Diagnostic } from '../../domain/diagnostic.ts'
import type { JsonObject } from '../../domain/json.ts'
import type { SourceLists } from '../conversion.ts'

export const EXPORTS = ['wordpress', 'ghost', 'substack', 'medium'] as const
export type ExportName = (typeof EXPORTS)[number]

/** A post or a page of an export without its text, so that all of them fit in memory. */
export interface EntryOutline {
  /** Distinct in the export. */
  readonly id: string
  /** From 1. Null where the format has no lines. */
  readonly line: number | null
  readonly type: 'article' | 'page'
  /** Path on the source site, e.g. `/2024/05/hello/`. Drafts have the path of their publication. */
  readonly address: string
  /** The reason why the site does not show it to everybody, as a sentence. It becomes a draft. */
  readonly hidden?: string
  /** The list of posts is at this page, which has no text of its own. */
  readonly isPostList?: boolean
}

/** An entry with its text. */
export interface ExportedEntry extends EntryOutline {
  readonly title: string
  readonly html: string
  /** Fields of the page in the new folder, besides its type, its address and its blog. */
  readonly fields: JsonObject
  /** Texts of footnotes as HTML, by the ids that the text refers to. */
  readonly footnotes?: ReadonlyMap<string, string>
  /** Parts that the new page does not have. */
  readonly losses: readonly EntryLoss[]
  readonly comments?: readonly JsonObject[]
  /** Fields for lists of the source site: `tags`, `author`, `date`. By default those of the page. */
  readonly terms?: JsonObject
}

export interface EntryLoss {
  readonly code: Diagnostic['code']
  readonly message: string
}

/** A page or file of the source site. */
export interface LinkTarget {
  readonly kind: 'link' | 'file'
  /** A path of the site, or an address of another one. */
  readonly address: string
}

/** An export, after its file was read once. */
export interface ExportedSite {
  readonly name: ExportName
  /** The name in messages, e.g. `WordPress`. */
  readonly title: string
  /** The name of the file, or of that with the posts in a folder. */
  readonly file: string
  /** Fields of `site.yaml`. */
  readonly fields: JsonObject
  /** The address of the site without a slash at its end. Null when the export does not say it. */
  readonly url: string | null
  readonly outlines: readonly EntryOutline[]
  readonly lists: SourceLists
  /** Redirects: the target by the path. */
  readonly redirects: ReadonlyMap<string, string>
  /** The content of `data/authors.yaml`. */
  readonly authors: JsonObject
  /** The labels of all menus. */
  readonly menus: readonly string[]
  /** Paths of uploaded files, below the address of the site. */
  readonly uploads: readonly string[]
  /** Addresses of pictures that the service holds for its sites, on hosts of its own. */
  readonly imageHosts?: RegExp
  /** What a path of the site shows under another address, e.g. `/` with `?p=12`. Null for others. */
  readonly targetOf?: (path: string, query: string) => LinkTarget | null
  readonly diagnostics: readonly Diagnostic[]
  /** Reads the file again, one entry at a time, in the order of `outlines`. */
  readonly entries: () => Iterable<ExportedEntry>
}
