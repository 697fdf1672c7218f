import { z } from 'zod'
import { isJsonObject, type JsonObject, type JsonValue } from '../domain/json.ts'
import { PAGE_TYPES } from '../domain/page.ts'
import { sectionsJsonSchema } from '../sections/json-schema.ts'
import { PAGE_SCHEMAS } from './page-fields.ts'
import { SITE_SCHEMA } from './site-fields.ts'

/** `site` is `site.yaml`; the others are the file of a page of that type. */
export const SCHEMA_KINDS = ['site', ...PAGE_TYPES] as const
export type SchemaKind = (typeof SCHEMA_KINDS)[number]

/**
 * The JSON Schema (2020-12) of one kind of file. Editors complete and validate YAML, JSON and front matter with
 * it. Everything that it rejects, reading the folder rejects too.
 */
export function fileJsonSchema(kind: SchemaKind): JsonObject {
  const schema = kind === 'site' ? SITE_SCHEMA : PAGE_SCHEMAS[kind]
  const converted = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonObject
  const described = {
    ...objectOf(withNumbersAsTexts(converted)),
    ...TITLES[kind],
    ...requiredIn(kind, converted),
  }
  if (kind === 'site') return described
  // Pages may have fields of their own.
  const page = { ...described, additionalProperties: true }
  return kind === 'page' ? withSections(page) : page
}

/** A Markdown file is called by its first heading. */
function requiredIn(kind: SchemaKind, { required }: JsonObject): JsonObject {
  return kind !== 'site' && Array.isArray(required)
    ? { required: required.filter((name) => name !== 'title') }
    : {}
}

/** Wherever a text is expected, a number or a boolean is the text that is written. */
function withNumbersAsTexts(schema: JsonValue): JsonValue {
  if (Array.isArray(schema)) return schema.map(withNumbersAsTexts)
  if (!isJsonObject(schema)) return schema
  const inner = Object.fromEntries(
    Object.entries(schema).map(([name, value]) => [name, withNumbersAsTexts(value)]),
  )
  const isText = schema['type'] === 'string' && schema['enum'] === undefined && schema['const'] === undefined
  return isText ? { ...inner, type: ['string', 'number', 'boolean'] } : inner
}

/** Moves definitions to the top level, because editors resolve references only from there. */
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

const TITLES: Readonly<Record<SchemaKind, { readonly title: string; readonly description: string }>> = {
  site: { title: 'site.yaml', description: 'The name and the settings of a site.' },
  page: { title: 'A page', description: 'A page made of sections, or of Markdown.' },
  article: { title: 'An article', description: 'A page with a date and an author, listed with its like.' },
  docs: { title: 'A docs page', description: 'A page with a place in the tree of the docs.' },
  item: { title: 'An item', description: 'A page that shows fields of your own, written beside its title.' },
}
