import type { JsonObject, JsonValue } from '../../domain/json.ts'
import { distinctTags, isTagName, MAX_TAGS } from '../../domain/tag.ts'

/** Fields whose values become tags, since pages have no other terms. */
const TERM_FIELDS = ['tags', 'categories', 'category']

/** The tags that a page can have, its categories among them, and the others. A text is one tag. */
export function termsOf(fields: JsonObject): {
  readonly kept: readonly string[]
  readonly others: readonly JsonValue[]
} {
  const given = TERM_FIELDS.flatMap((field) => [fields[field] ?? []].flat())
  const all = given.map((tag) => (typeof tag === 'number' ? String(tag) : tag))
  const names = all.filter((tag) => typeof tag === 'string').map((tag) => tag.trim())
  const kept = distinctTags(names.filter(isTagName)).slice(0, MAX_TAGS)
  const isUsed = (tag: JsonValue) =>
    typeof tag === 'string' && distinctTags([...kept, tag.trim()]).length === kept.length
  return {
    kept,
    others: all.filter((tag) => tag !== null && !(isUsed(tag) && isTagName(String(tag).trim()))),
  }
}
