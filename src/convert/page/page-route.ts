import { createHash } from 'node:crypto'
import { normalForm } from '../../domain/normal-form.ts'
import { readSlug } from '../../domain/slug.ts'

/** Converts a path of the source site to a route, with each name as it is where it can be an address. */
export function routeOf(path: string): string {
  return path
    .split('/')
    .map((segment) => readSlug(segment, 'wide') ?? segmentOf(segment))
    .filter((segment) => segment !== '')
    .join('/')
}

/** A name without Latin letters or digits becomes a hash of itself, so that two such names stay different. */
function segmentOf(segment: string): string {
  const plain = plainSegment(segment)
  if (plain !== '' || !/[\p{L}\p{N}]/u.test(segment)) return plain
  return `page-${createHash('sha256').update(segment).digest('hex').slice(0, 6)}`
}

function plainSegment(segment: string): string {
  return normalForm(segment, 'NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 100)
}

/** Maps `guide/index.md` and `guide/README.md` to `guide`, and `guide/start.md` to `guide/start`. */
export function bareName(path: string): string {
  return path.replace(/\.(md|markdown|html)$/, '').replace(/(^|\/)_?(index|README)$/, '')
}

/** The folders above a path, from the top: `a` and `a/b` for `a/b/c`. */
export function foldersOf(path: string): readonly string[] {
  const segments = path.split('/')
  return segments.slice(1).map((_, index) => segments.slice(0, index + 1).join('/'))
}
