import { Document, type Scalar, visit } from 'yaml'
import type { JsonObject } from '../domain/json.ts'

/** In a text shown over several lines, spaces alone would be taken for indentation, and readers mend line ends. */
const HARD_TO_SHOW = /^[ \t]|\n[ \t]+$|\n[ \t]+\n|\r/

/** YAML of a mapping, from which readers of YAML 1.2 get the very same values. It ends with a line break. */
export function writeYaml(values: JsonObject): string {
  const document = new Document(values, { version: '1.2', schema: 'core', aliasDuplicateObjects: false })
  visit(document, { Scalar: (_, scalar: Scalar) => quoteHard(scalar) })
  return document.toString({ lineWidth: 0, doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER })
}

function quoteHard(scalar: Scalar): void {
  if (typeof scalar.value === 'string' && HARD_TO_SHOW.test(scalar.value)) scalar.type = 'QUOTE_DOUBLE'
}
