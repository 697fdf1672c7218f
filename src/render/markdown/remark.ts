import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import { unified } from 'unified'
import type { MarkdownParser, Syntax } from './markdown-parser.ts'

/** The JavaScript parser: slower than the native one, but available on every platform. */
export function remarkParser(syntax: Syntax): MarkdownParser {
  const processor =
    syntax === 'gfm'
      ? unified().use(remarkParse).use(remarkGfm).freeze()
      : unified().use(remarkParse).freeze()
  return (source) => processor.parse(source)
}
