import type { BlockContent, DefinitionContent, Literal, Parent, PhrasingContent } from 'mdast'

/* Nodes of Quoin's Markdown that the syntax tree of Markdown does not have. */

/** A line of a directive between blocks: `:::note `, a label, and the rest. */
export interface DirectiveLine extends Parent {
  type: 'directiveLine'
  before: string
  after: string
  children: PhrasingContent[]
}

/** A term, and what it means. */
export interface DefinitionText extends Parent {
  type: 'definitionText'
  children: (BlockContent | DefinitionContent)[]
}

/** `==marked==`. */
export interface Marked extends Parent {
  type: 'marked'
  children: PhrasingContent[]
}

/** `H~2~O` or `x^2^`, and as elements where that would stay text. */
export interface ScriptText extends Literal {
  type: 'scriptText'
  sign: '~' | '^'
}

declare module 'mdast' {
  interface RootContentMap {
    directiveLine: DirectiveLine
    definitionText: DefinitionText
    marked: Marked
    scriptText: ScriptText
  }
  interface BlockContentMap {
    directiveLine: DirectiveLine
    definitionText: DefinitionText
  }
  interface PhrasingContentMap {
    marked: Marked
    scriptText: ScriptText
  }
}
