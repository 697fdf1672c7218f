import { z } from 'zod'
import { isJsonObject, type JsonObject } from '../domain/json.ts'
import { PAGE_TYPES } from '../domain/page.ts'
import { sectionsJsonSchema } from '../sections/json-schema.ts'
import { PAGE_SCHEMAS } from './page-fields.ts'
import { SITE_SCHEMA } from './site-fields.ts'

/** `site` is `site.yaml`; the others are the file of a page of that type. */
export const FILE_KINDS = ['site', ...PAGE_TYPES] as const
export type FileKind = (typeof FILE_KINDS)[number]

/**
 * What a file of a content folder may say, as JSON Schema 2020-12: an editor completes and checks with
 * it what is written in YAML, JSON or front matter. What it refuses, reading the folder refuses too.
 */
export function fileJsonSchema(kind: FileKind): JsonObject {
  const schema = kind === 'site' ? SITE_SCHEMA : PAGE_SCHEMAS[kind]
  const converted = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonObject
  const described = { ...converted, ...TITLES[kind] }
  if (kind === 'page') return withSections(described)
  // The fields of an item may stand beside its title.
  return kind === 'item' ? { ...described, additionalProperties: true } : described
}

/** Editors know references to the top of the document alone. */
function withSections(schema: JsonObject): JsonObject {
  const { $schema: _, $defs, title: __, ...sections } = sectionsJsonSchema()
  return {
    ...schema,
    properties: {
      ...objectOf(schema['properties']),
      sections: { ...objectOf(objectOf(schema['properties'])['sections']), ...sections },
    },
    $defs: { ...objectOf(schema['$defs']), ...objectOf($defs) },
  }
}

function objectOf(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {}
}

const TITLES: Readonly<Record<FileKind, { readonly title: string; readonly description: string }>> = {
  site: { title: 'site.yaml', description: 'The name and the settings of a site.' },
  page: { title: 'A page', description: 'A page made of sections, or of Markdown.' },
  article: { title: 'An article', description: 'A page with a date and an author, listed with its like.' },
  docs: { title: 'A docs page', description: 'A page with a place in the tree of the docs.' },
  item: { title: 'An item', description: 'A page that shows fields of your own, written beside its title.' },
}
