import { z } from 'zod'
import { ruleOf } from '../domain/invalid-field.ts'
import { isJsonObject } from '../domain/json.ts'
import type { DocsNavEntry } from '../domain/settings.ts'
import { href, line } from './values.ts'

/*
 * Lists of links in settings. The legacy surface ignores unknown keys of an entry and the others refuse them,
 * so each schema is built by `z.object` or `z.strictObject`.
 */

type ObjectOf = typeof z.object | typeof z.strictObject

const label = line(1, 100)
const external = z.boolean().exactOptional()
const icon = line(1, 100)
  .exactOptional()
  .meta({ examples: ['rocket'] })

function navLink(object: ObjectOf) {
  return object({ label, href, external, icon })
}

/** Links of the header: plain ones, buttons, and menus of at most 20 links. */
export function navLinks(object: ObjectOf) {
  const inMenu = object({ label, href, external, icon, description: line(1, 200).exactOptional() })
  const menu = object({ label, links: z.array(inMenu).min(1).max(20) })
  const link = object({ label, href, external, icon, style: z.enum(['link', 'button']).exactOptional() })
  return z.array(z.union([link, menu])).max(50, 'must have at most 50 links.')
}

/** Profiles of the owner elsewhere. */
export function socialLinks(object: ObjectOf) {
  return z.array(object({ href, label: label.exactOptional(), icon })).max(20, 'must have at most 20 links.')
}

/** Links next to the copyright line. */
export function legalLinks(object: ObjectOf) {
  return z.array(navLink(object)).max(10, 'must have at most 10 links.')
}

/** Links of the footer: plain ones, and groups of them with a title. */
export function footerLinks(object: ObjectOf) {
  const link = navLink(object)
  const group = object({ title: line(0, 100), links: z.array(link).max(50) })
  return z.array(z.union([group, link])).max(50, 'must have at most 50 entries.')
}

const MAX_ENTRIES = 2000
const MAX_DEPTH = 8

/**
 * A docs sidebar in the owner's order.
 *
 * @param id names the schema of an entry in the OpenAPI document.
 */
export function docsNav(object: ObjectOf, id: string) {
  const entry: z.ZodType<DocsNavEntry> = z
    .lazy(() =>
      object({
        title: line(1, 200).meta({ examples: ['Install'] }),
        slug: z.string().max(911).exactOptional(),
        badge: line(1, 20).exactOptional(),
        icon,
        children: z.array(entry).exactOptional(),
      }),
    )
    .meta({ id })
  // Entries are counted before they are validated: hostile input could cause an error for each of millions of them.
  return z.preprocess(
    (given, context) => {
      if (countEntries(given) <= MAX_ENTRIES) return given
      context.addIssue({
        code: 'custom',
        message: `must have at most ${MAX_ENTRIES} entries.`,
        ...ruleOf('wrong_length'),
      })
      return z.NEVER
    },
    z
      .array(entry)
      .refine((entries) => depthOf(entries) <= MAX_DEPTH, `must be nested at most ${MAX_DEPTH} levels deep.`),
  )
}

function countEntries(given: unknown): number {
  if (!Array.isArray(given)) return 0
  return given.reduce(
    (sum, entry) => sum + 1 + (isJsonObject(entry) ? countEntries(entry['children']) : 0),
    0,
  )
}

function depthOf(entries: readonly DocsNavEntry[]): number {
  return entries.reduce((deepest, { children = [] }) => Math.max(deepest, 1 + depthOf(children)), 0)
}
