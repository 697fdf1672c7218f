import type { Root } from 'hast'
import rehypeStringify from 'rehype-stringify'
import { unified } from 'unified'

const printer = unified().use(rehypeStringify).freeze()

/** A tree as HTML. */
export function printHtml(children: Root['children']): string {
  return printer.stringify({ type: 'root', children })
}
