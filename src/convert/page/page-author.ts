import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts'
import type { FieldProblem } from '../conversion.ts'
import { fieldText } from './field-text.ts'

/** The name of the first author. */
export function authorOf({ author, authors }: JsonObject): string | undefined {
  const [first] = [author ?? authors].flat()
  return fieldText(isJsonObject(first) ? first['name'] : (first as JsonValue | undefined))
}

/** Diagnostics about omitted authors: only the name of the first is converted. */
export function authorProblems({ author, authors }: JsonObject): readonly FieldProblem[] {
  const problem = (field: string, message: string): FieldProblem => ({
    code: 'QN-PARTLY-CONVERTED',
    field,
    message,
  })
  const [first] = [author ?? authors].flat()
  const others = Object.entries({ author, authors }).filter(
    ([, value]) => Array.isArray(value) && value.length > 1,
  )
  return [
    ...others.map(([field]) =>
      problem(field, `Only the first of \`${field}\` is converted: an article has one author.`),
    ),
    ...(isJsonObject(first) && Object.keys(first).some((name) => name !== 'name')
      ? [problem(author === undefined ? 'authors' : 'author', 'Only the name of an author is converted.')]
      : []),
  ]
}
