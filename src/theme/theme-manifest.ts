import { basename, join } from 'node:path'

import { z } from 'zod'

import { parseUrl } from '../domain/parse-url.ts'
import { ThemeError } from './theme-error.ts'
import { parseThemeJson, positionInJson, readThemeFile, type ThemeFile } from './theme-files.ts'
import { isToken } from './tokens.ts'
import { type DeclaredTypes, ValueTypes } from './value-types.ts'

/**
 * A token's value, or a pair for light and dark mode. It is printed into a style sheet and must not end the
 * declaration.
 */
const Value = z
  .string()
  .max(1000)
  .regex(/^[^;{}<>]*$/, 'must be one CSS value without ; { } < and >')
const Token = z.union([Value, z.tuple([Value, Value])], 'must be one value, or a pair for light and dark')

/** An origin as a Content-Security-Policy has it, e.g. `https://forms.example`. */
const FormOrigin = z
  .string()
  .max(300)
  .refine(
    (text) => /^https:\/\/[a-z\d.-]+(:\d+)?$/.test(text) && parseUrl(text)?.origin === text,
    'must be https:// and a host, without path',
  )

const fields = {
  title: z.string().min(1).max(100),
  /** One sentence for users who choose a theme. */
  description: z.string().max(500),
  /** `light dark` follows the reader's preference; the others are fixed. */
  color_scheme: z.enum(['light dark', 'light', 'dark']),
  /** CSS custom properties without leading dashes. */
  tokens: z.record(z.string().regex(/^[a-z][a-z0-9-]{0,63}$/), Token),
  /** Other origins that forms of the templates are sent to. Every page allows them. */
  form_origins: z.array(FormOrigin).max(20).optional(),
  /** Types of custom fields of pages. */
  fields: ValueTypes.optional(),
  /** Types of the props of the theme's own sections, by type of section. */
  sections: z.record(z.string(), ValueTypes).optional(),
}

/** A theme that extends no other. */
const StandaloneManifest = z.strictObject({ name: z.string(), ...fields })

/** A theme that takes everything it omits from another. */
const ExtendingManifest = z
  .strictObject({ name: z.string(), ...fields })
  .partial()
  .extend({ extends: z.string() })

/** The JSON Schema (2020-12) of `theme.json`, for editors. A theme that extends no other has to say everything. */
export function themeJsonSchema(): object {
  return {
    ...z.toJSONSchema(ExtendingManifest.partial({ extends: true }), { io: 'input', unrepresentable: 'any' }),
    title: 'theme.json',
    description: 'The name, the tokens and the fields of a theme.',
    if: { not: { required: ['extends'] } },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
    then: { required: ['name', 'title', 'description', 'color_scheme', 'tokens'] },
  }
}

export interface ThemeManifest
  extends Omit<z.infer<typeof StandaloneManifest>, 'name' | 'fields' | 'sections' | 'form_origins'> {
  readonly form_origins: readonly string[]
  readonly types: DeclaredTypes
  /** Tokens that the shared style does not define. */
  readonly customTokens: Tokens
}

export type Tokens = z.infer<typeof fields.tokens>

/** A parsed `theme.json`. */
export interface ParsedManifest {
  readonly file: ThemeFile
  readonly fields: Omit<z.infer<typeof ExtendingManifest>, 'name' | 'extends'>
  /** Name of the theme it extends; null for none. */
  readonly extends: string | null
}

/**
 * Reads the `theme.json` in a theme's folder.
 *
 * @throws {ThemeError} when it is missing, not JSON, incomplete, or names another theme than the folder.
 */
export async function readThemeManifest(folder: string): Promise<ParsedManifest> {
  const file = await readThemeFile(join(folder, 'theme.json'))
  const isExtending = Object.hasOwn(Object(parseThemeJson(z.unknown(), file)), 'extends')
  const written: z.infer<typeof StandaloneManifest | typeof ExtendingManifest> = isExtending
    ? parseThemeJson(ExtendingManifest, file)
    : parseThemeJson(StandaloneManifest, file)
  const { name = basename(folder), ...rest } = written
  if (name !== basename(folder)) {
    throw new ThemeError({
      file: file.path,
      ...positionInJson(file.text, ['name']),
      message: `name: must be ${basename(folder)}, the name of the folder.`,
    })
  }
  const { extends: parent, ...own } = 'extends' in rest ? rest : { ...rest, extends: null }
  return { file, fields: own, extends: parent }
}

/** Merges a manifest over the one of the theme it extends. */
export function resolvedManifest({ fields }: ParsedManifest, parent: ParsedManifest | null): ThemeManifest {
  const { fields: types = {}, sections = {}, form_origins = [], ...own } = fields
  const whole = { ...parent?.fields, ...own } as Omit<ThemeManifest, 'customTokens' | 'types'>
  const tokens = { ...parent?.fields.tokens, ...fields.tokens }
  const origins = [...(parent?.fields.form_origins ?? []), ...form_origins]
  return {
    ...whole,
    form_origins: [...new Set(origins)],
    types: { fields: types, sections },
    tokens: pickTokens(tokens, isToken),
    customTokens: pickTokens(tokens, (name) => !isToken(name)),
  }
}

function pickTokens(tokens: Tokens, isWanted: (name: string) => boolean): Tokens {
  return Object.fromEntries(Object.entries(tokens).filter(([name]) => isWanted(name)))
}

/** The colour scheme and the tokens as a `:root` rule. It precedes the shared style, which reads them. */
export function tokenStyle({ color_scheme, tokens }: ThemeManifest): string {
  return `:root { color-scheme: ${color_scheme}; ${propertiesOf(tokens)} }`
}

/**
 * The theme's other tokens as a `:root` rule, or an empty string. It follows the shared style, so that it
 * overrides derived properties.
 */
export function customTokenStyle({ customTokens }: ThemeManifest): string {
  return Object.keys(customTokens).length === 0 ? '' : `:root { ${propertiesOf(customTokens)} }`
}

function propertiesOf(tokens: Tokens): string {
  return Object.entries(tokens)
    .map(
      ([name, value]) =>
        `--${name}: ${typeof value === 'string' ? value : `light-dark(${value.join(', ')})`};`,
    )
    .join(' ')
}
