import type { JsonValue } from '../../domain/json.ts'
import { distinctTags, isTagName, MAX_TAGS } from '../../domain/tag.ts'

/** The tags that a page can have, and the others. A text is one tag. */
export function tagsOf(given: JsonValue | undefined): {
  kept: readonly string[]
  others: readonly JsonValue[]
} {
  const all = [given ?? []].flat().map((tag) => (typeof tag === 'number' ? String(tag) : tag))
  const names = all.filter((tag) => typeof tag === 'string').map((tag) => tag.trim())
  const kept = distinctTags(names.filter(isTagName)).slice(0, MAX_TAGS)
  const isUsed = (tag: JsonValue) =>
    typeof tag === 'string' && distinctTags([...kept, tag.trim()]).length === kept.length
  return {
    kept,
    others: all.filter((tag) => tag !== null && !(isUsed(tag) && isTagName(String(tag).trim()))),
  }
}
