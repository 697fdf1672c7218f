import { isSharedKey } from './artifact.ts'

/**
 * The assets among these keys that nothing references.
 *
 * @param references groups of referenced keys, such as those of one page. Read only as far as needed.
 */
export function orphanedAssets(
  keys: Iterable<string>,
  references: Iterable<Iterable<string>>,
): ReadonlySet<string> {
  const orphans = new Set<string>()
  for (const key of keys) if (isSharedKey(key)) orphans.add(key)
  if (orphans.size === 0) return orphans
  for (const group of references) {
    for (const key of group) orphans.delete(key)
    if (orphans.size === 0) break
  }
  return orphans
}
