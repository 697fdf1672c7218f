import { createHash } from 'node:crypto'

/** A former address as segments that an address here may have: lower-case letters, digits and hyphens. */
export function routeOf(path: string): string {
  return path
    .split('/')
    .map(segmentOf)
    .filter((segment) => segment !== '')
    .join('/')
}

/** A name that none of these letters are left of is told apart by others that are made of it. */
function segmentOf(segment: string): string {
  const plain = plainSegment(segment)
  if (plain !== '' || !/[\p{L}\p{N}]/u.test(segment)) return plain
  return `page-${createHash('sha256').update(segment).digest('hex').slice(0, 6)}`
}

function plainSegment(segment: string): string {
  return segment
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 100)
}

/** `guide/index.md` and `guide/README.md` as `guide`, `guide/start.md` as `guide/start`. */
export function bareName(path: string): string {
  return path.replace(/\.(md|markdown|html)$/, '').replace(/(^|\/)_?(index|README)$/, '')
}

/** The folders that a path lies in, from the top: `a` and `a/b` of `a/b/c`. */
export function foldersOf(path: string): readonly string[] {
  const segments = path.split('/')
  return segments.slice(1).map((_, index) => segments.slice(0, index + 1).join('/'))
}
