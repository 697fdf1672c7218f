import { z } from 'zod'
import {
  ADDRESS_ATTRIBUTES,
  ATTRIBUTE_TYPES,
  type AttributeSchema,
  BUILT_IN_DIRECTIVES,
  type ComponentSchema,
  readValue,
} from '../domain/component.ts'
import { ThemeError } from './theme-error.ts'
import { parseThemeYaml, positionInJson, type ThemeFile, type ThemeFiles } from './theme-files.ts'

/*
 * The components of a theme: `components/{name}.eta` with the description of its attributes in
 * `components/{name}.yaml`.
 *
 * An author's text reaches a template as values that passed its schema, and as HTML from the sanitiser. The output of
 * the template is not sanitised again, because themes may use elements that authors may not. So that no text of an
 * author becomes markup in it, `<%~ %>` prints only HTML that Quoin made.
 */

const Presence = z.enum(['required', 'optional', 'none'])
const Value = z.union([z.string().max(1_000), z.number(), z.boolean()]).nullable()

const Attribute = z.strictObject({
  type: z.enum(ATTRIBUTE_TYPES).default('text'),
  description: z.string().max(500).default(''),
  required: z.boolean().default(false),
  default: Value.default(null),
  enum: z.array(z.string().min(1).max(100)).min(1).max(100).nullable().default(null),
  min: z.number().nullable().default(null),
  max: z.number().nullable().default(null),
  sample: Value.default(null),
})

const Description = z.strictObject({
  description: z.string().max(500).default(''),
  label: Presence.default('optional'),
  body: Presence.default('optional'),
  attributes: z
    .record(
      z.string().regex(/^[a-z][a-z0-9_-]{0,39}$/, 'must be a name of small letters, digits, - and _'),
      Attribute,
    )
    .refine((attributes) => Object.keys(attributes).length <= 40, 'must have at most 40 attributes')
    .default({}),
  sample: z.string().max(10_000).nullable().default(null),
}) satisfies z.ZodType<ComponentSchema>

/** An empty file describes a component without attributes. */
const DescriptionOrNone = z.preprocess((value) => value ?? {}, Description)

const NAME = /^[a-z][a-z0-9-]{0,49}$/

/**
 * The schemas of the components that a theme has templates for, by name.
 *
 * @param templates all templates of the theme.
 * @param descriptions files in `components/` that end in `.yaml`.
 * @throws {ThemeError} when a name is reserved, a description is missing or invalid, or a template prints a text
 *   unescaped.
 */
export function readComponents(
  templates: ThemeFiles,
  descriptions: ThemeFiles,
): ReadonlyMap<string, ComponentSchema> {
  const components = new Map<string, ComponentSchema>()
  for (const [path, template] of templates) {
    const [, name] = /^components\/(.+)\.eta$/.exec(path) ?? []
    if (name === undefined) continue
    refuseName(name, template)
    const description = descriptions.get(`components/${name}.yaml`)
    if (description === undefined) {
      const message = `There is no components/${name}.yaml, which describes the attributes of the component.`
      throw new ThemeError({ file: template.path, line: null, message })
    }
    refuseRawOutput(template)
    components.set(name, schemaIn(description))
  }
  for (const [path, { path: file }] of descriptions)
    if (!templates.has(path.replace(/yaml$/, 'eta')))
      throw new ThemeError({
        file,
        line: null,
        message: `There is no template ${path.replace(/yaml$/, 'eta')}.`,
      })
  return components
}

function refuseName(name: string, { path: file }: ThemeFile): void {
  if (!NAME.test(name)) {
    const message =
      'The name of a component has up to 50 small letters, digits and hyphens, and begins with a letter.'
    throw new ThemeError({ file, line: null, message })
  }
  if (!BUILT_IN_DIRECTIVES.has(name)) return
  throw new ThemeError({ file, line: null, message: `The name ${name} is built in. Choose another one.` })
}

/** A tag that prints without escaping, and its code. */
const RAW = /<%[-_]?\s*~([\s\S]*?)[-_]?%>/g
/** Code that prints HTML of Quoin, or of another template. */
const SAFE = /^(?:it\.html|it\.labelHtml|it\.attributes\.\w+Html)(?:\s*\?\?\s*'')?$/

/** Reports whether the code is one call of `include` with nothing after it. False for code that is hard to read. */
function isInclude(code: string): boolean {
  if (!code.startsWith('include(') || /\/[/*]|`/.test(code)) return false
  const text = code.replace(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/g, "''")
  // A regular expression may hold quotes, so that code looked like a text.
  if (/[/\\]/.test(text) || /\/['"]|['"]\//.test(code)) return false
  let open = 0
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '(') open += 1
    if (text[at] === ')') open -= 1
    if (text[at] === ')' && open === 0) return at === text.length - 1
  }
  return false
}

function refuseRawOutput({ path: file, text }: ThemeFile): void {
  for (const { 1: code = '', index } of text.matchAll(RAW)) {
    if (SAFE.test(code.trim()) || isInclude(code.trim())) continue
    const message = `${code.trim()} may hold text of an author. Print it with <%= %>: in a component, <%~ %> prints only it.html, it.labelHtml, the drawing of an icon (it.attributes.iconHtml) and include(…).`
    throw new ThemeError({ file, line: text.slice(0, index).split('\n').length, message })
  }
}

/** @throws {ThemeError} when it is invalid or contradicts itself. */
function schemaIn(file: ThemeFile): ComponentSchema {
  const schema = parseThemeYaml(DescriptionOrNone, file)
  for (const [name, attribute] of Object.entries(schema.attributes)) {
    const fault = contradiction(name, attribute)
    if (fault === null) continue
    const at = positionInJson(file.text, ['attributes', name])
    throw new ThemeError({ file: file.path, ...at, message: `attributes.${name}: ${fault}` })
  }
  return schema
}

function contradiction(name: string, schema: AttributeSchema): string | null {
  const { type } = schema
  const isAddress = type === 'url' || type === 'image'
  if (isAddress !== ADDRESS_ATTRIBUTES.has(name))
    return isAddress
      ? `an address must be named ${[...ADDRESS_ATTRIBUTES].join(', ')}, so that its path is followed in folders.`
      : `attributes of this name hold addresses. Set its type to url or image, or rename it.`
  if (schema.enum !== null && type !== 'text') return 'only attributes of the type text have an enum.'
  if (schema.required && schema.default !== null) return 'a required attribute has no default.'
  const isLimited = schema.min !== null || schema.max !== null
  if (isLimited && !['text', 'number', 'integer'].includes(type))
    return `the type ${type} has no min and max.`
  for (const field of ['default', 'sample'] as const) {
    const value = schema[field]
    if (value !== null && readValue(String(value), schema) !== value)
      return `${field} is not a value of the type ${type}.`
  }
  return null
}
