import { syntaxTree } from '@codemirror/language'

/** Reports whether a position is in code, where marks of Markdown are plain text. */
export function isInCode(state, position) {
  for (let node = syntaxTree(state).resolveInner(position, -1); node !== null; node = node.parent)
    if (/^(FencedCode|CodeBlock|InlineCode)$/.test(node.name)) return true
  return false
}
