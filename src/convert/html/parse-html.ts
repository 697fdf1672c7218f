import type { Root } from 'hast'
import { fromParse5 } from 'hast-util-from-parse5'
import { defaultTreeAdapter, parseFragment } from 'parse5'

/** The most elements and comments of a page. Formatting that is never closed is repeated in each block. */
const MAX_NODES = 50_000
/** The most elements inside of each other. Parsers walk all of them for each tag. */
const MAX_DEPTH = 128

class TooComplex extends Error {}

/**
 * Parses HTML as browsers do.
 *
 * @returns null when it is nested too deeply, or has too many elements.
 */
export function parseHtml(html: string): Root | null {
  try {
    const fragment = parseFragment(html, { treeAdapter: boundedAdapter(), scriptingEnabled: false })
    const tree = fromParse5(fragment)
    return tree.type === 'root' && depthWithin(tree, MAX_DEPTH) ? tree : null
  } catch (error) {
    if (error instanceof TooComplex) return null
    throw error
  }
}

/** The usual tree, which refuses to grow beyond the limits. */
function boundedAdapter(): typeof defaultTreeAdapter {
  let nodes = 0
  let open = 0
  const count = () => {
    nodes += 1
    if (nodes > MAX_NODES) throw new TooComplex()
  }
  return {
    ...defaultTreeAdapter,
    createElement(...given) {
      count()
      return defaultTreeAdapter.createElement(...given)
    },
    createCommentNode(text) {
      count()
      return defaultTreeAdapter.createCommentNode(text)
    },
    onItemPush() {
      open += 1
      if (open > MAX_DEPTH) throw new TooComplex()
    },
    onItemPop() {
      open -= 1
    },
  } satisfies typeof defaultTreeAdapter & Record<string, unknown> as typeof defaultTreeAdapter
}

/** Elements that were closed in another order may be deeper than those that were open. */
function depthWithin(root: Root, limit: number): boolean {
  let level: readonly (Root | Root['children'][number])[] = [root]
  for (let depth = 0; depth <= limit; depth++) {
    level = level.flatMap((node) => ('children' in node ? node.children : []))
    if (level.length === 0) return true
  }
  return false
}
