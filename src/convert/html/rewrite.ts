import type { Element, ElementContent } from 'hast'
import type { DiagnosticCode } from '../../domain/diagnostic-codes.ts'

/* Rewrites elements of editors and themes into the few that Markdown has, before the tree becomes Markdown. */

/** Surroundings of an element. */
export interface Scope {
  /** The number of containers (`:::columns`) around it. */
  readonly containers: number
  /** A cell of a table holds one line: no containers and no players. */
  readonly isInCell: boolean
  readonly isInList: boolean
}

export interface HtmlOptions {
  /** The new address of a link or a file. Null for one that pages cannot have. */
  readonly addressOf: (address: string, kind: 'link' | 'file') => string | null
  /** Texts of footnotes as HTML, by the ids that the page refers to. */
  readonly footnotes?: ReadonlyMap<string, string>
}

/** Adds a diagnostic. Equal ones of a page are counted and written once. */
export type ReportHtml = (code: DiagnosticCode, message: string) => void

export interface Rewriting {
  readonly options: HtmlOptions
  readonly report: ReportHtml
  /** Rewrites nodes inside of the element. */
  readonly rewriteAll: (nodes: readonly ElementContent[], scope: Scope) => readonly ElementContent[]
}

/** The nodes that replace an element. Null for an element that it does not know. */
export type Rewriter = (
  element: Element,
  scope: Scope,
  rewriting: Rewriting,
) => readonly ElementContent[] | null

/** Applies the first rewriter that knows an element, from the outside in. */
export function rewriteWith(
  rewriters: readonly Rewriter[],
  options: HtmlOptions,
  report: ReportHtml,
): Rewriting['rewriteAll'] {
  const rewriting: Rewriting = { options, report, rewriteAll }
  return rewriteAll

  function rewriteAll(nodes: readonly ElementContent[], scope: Scope): readonly ElementContent[] {
    return nodes.flatMap((node) => (node.type === 'element' ? rewriteOne(node, scope) : [node]))
  }

  function rewriteOne(node: Element, scope: Scope): readonly ElementContent[] {
    for (const rewriter of rewriters) {
      const replaced = rewriter(node, scope, rewriting)
      if (replaced !== null) return replaced
    }
    return [{ ...node, children: [...rewriteAll(node.children, innerScope(node, scope))] }]
  }
}

function innerScope({ tagName }: Element, scope: Scope): Scope {
  if (tagName === 'td' || tagName === 'th') return { ...scope, isInCell: true }
  return tagName === 'li' ? { ...scope, isInList: true } : scope
}
