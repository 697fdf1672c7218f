import { Document, type Scalar, visit } from 'yaml'
import type { JsonObject } from '../domain/json.ts'

/** In a text shown over several lines, some of these would be taken for indentation. */
const SPACES_ALONE = /^[ \t]|\n[ \t]+$|\n[ \t]+\n/

/**
 * A Markdown document with YAML front matter, as `splitFrontMatter` reads it: within its bounds, the
 * same values and the very same body come back.
 *
 * @param comments for whoever reads the file, of one line each; they stand above the values.
 */
export function writeFrontMatter(values: JsonObject, body: string, comments: readonly string[] = []): string {
  const document = new Document(values, { version: '1.2', schema: 'core', aliasDuplicateObjects: false })
  visit(document, { Scalar: (_, scalar: Scalar) => quoteSpaces(scalar) })
  const yaml = document.toString({ lineWidth: 0, doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER })
  return `---\n${comments.map((comment) => `# ${comment}\n`).join('')}${yaml}---\n${body}`
}

function quoteSpaces(scalar: Scalar): void {
  if (typeof scalar.value === 'string' && SPACES_ALONE.test(scalar.value)) scalar.type = 'QUOTE_DOUBLE'
}
