import type { JsonObject } from '../../domain/json.ts'
import { readSourceDate } from './source-date.ts'

/** The reason why the source site does not publish a page yet, or no longer, as a sentence. Undefined when it does. */
export function hiddenByDate(
  fields: JsonObject,
  now: Date,
  { starts, ends = [] }: { readonly starts: readonly string[]; readonly ends?: readonly string[] },
): string | undefined {
  const start = firstDate(fields, starts)
  if (start !== null && Date.parse(start) > now.getTime())
    return `Its date, ${start.slice(0, 10)}, is in the future.`
  const end = firstDate(fields, ends)
  if (end !== null && Date.parse(end) <= now.getTime()) return `It expired on ${end.slice(0, 10)}.`
  return undefined
}

/** The date of the first field that is present. */
function firstDate(fields: JsonObject, names: readonly string[]): string | null {
  const name = names.find((each) => readSourceDate(fields[each]) !== null)
  return name === undefined ? null : readSourceDate(fields[name])
}
