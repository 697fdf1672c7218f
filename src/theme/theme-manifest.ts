import { basename, join } from 'node:path'

import { z } from 'zod'

import { ThemeError } from './theme-error.ts'
import { parseThemeJson, placeInJson, readThemeFile, type ThemeFile } from './theme-files.ts'
import { isToken } from './tokens.ts'

/** A token's value, or one for readers on light and one for readers on dark. It stands in a style sheet, and must end where it ends. */
const Value = z
  .string()
  .max(1000)
  .regex(/^[^;{}<>]*$/, 'is one value of CSS: without ; { } < and >')
const Token = z.union([Value, z.tuple([Value, Value])], 'is one value, or two: for light and for dark')

const fields = {
  title: z.string().min(1).max(100),
  /** One sentence for who chooses a theme. */
  description: z.string().max(500),
  /** `light dark` follows the reader's preference; the others hold whatever it is. */
  color_scheme: z.enum(['light dark', 'light', 'dark']),
  /** CSS custom properties without their leading dashes. */
  tokens: z.record(z.string().regex(/^[a-z][a-z0-9-]{0,63}$/), Token),
}

/** A theme that stands for itself. */
const Whole = z.strictObject({ name: z.string(), ...fields })

/** A theme that has everything it does not say from another. */
const Extending = z
  .strictObject({ name: z.string(), ...fields })
  .partial()
  .extend({ extends: z.string() })

export interface ThemeManifest extends Omit<z.infer<typeof Whole>, 'name'> {
  /** Tokens that are no part of the shared style's, as the theme itself sets them. */
  readonly ownTokens: Tokens
}

export type Tokens = z.infer<typeof fields.tokens>

/** A `theme.json` as it is written. */
export interface WrittenManifest {
  readonly file: ThemeFile
  readonly said: Omit<z.infer<typeof Extending>, 'name' | 'extends'>
  /** The theme that it has all else from; null for one that stands for itself. */
  readonly extends: string | null
}

/**
 * The `theme.json` of a theme's folder.
 *
 * @throws {ThemeError} if it is missing, is no JSON, does not say what it must or has another name than the folder.
 */
export async function readThemeManifest(folder: string): Promise<WrittenManifest> {
  const file = await readThemeFile(join(folder, 'theme.json'))
  const isExtending = Object.hasOwn(Object(parseThemeJson(z.unknown(), file)), 'extends')
  const written: z.infer<typeof Whole | typeof Extending> = isExtending
    ? parseThemeJson(Extending, file)
    : parseThemeJson(Whole, file)
  const { name = basename(folder), ...rest } = written
  if (name !== basename(folder)) {
    throw new ThemeError({
      file: file.path,
      ...placeInJson(file.text, ['name']),
      message: `name: must be ${basename(folder)}, like the folder.`,
    })
  }
  const { extends: parent, ...said } = 'extends' in rest ? rest : { ...rest, extends: null }
  return { file, said, extends: parent }
}

/** What a theme says over what its parent does, if it has one; then it need not say everything. */
export function resolvedManifest({ said }: WrittenManifest, parent: WrittenManifest | null): ThemeManifest {
  const whole = { ...parent?.said, ...said } as Omit<ThemeManifest, 'ownTokens'>
  const tokens = { ...parent?.said.tokens, ...said.tokens }
  return {
    ...whole,
    tokens: pickTokens(tokens, isToken),
    ownTokens: pickTokens(tokens, (name) => !isToken(name)),
  }
}

function pickTokens(tokens: Tokens, isWanted: (name: string) => boolean): Tokens {
  return Object.fromEntries(Object.entries(tokens).filter(([name]) => isWanted(name)))
}

/** The colour scheme and the tokens as a rule on `:root`: before the shared style, which looks at them. */
export function tokenStyle({ color_scheme, tokens }: ThemeManifest): string {
  return `:root { color-scheme: ${color_scheme}; ${propertiesOf(tokens)} }`
}

/** What the theme sets besides, after the shared style, so that it wins over what that works out. Empty for nothing. */
export function ownTokenStyle({ ownTokens }: ThemeManifest): string {
  return Object.keys(ownTokens).length === 0 ? '' : `:root { ${propertiesOf(ownTokens)} }`
}

function propertiesOf(tokens: Tokens): string {
  return Object.entries(tokens)
    .map(
      ([name, value]) =>
        `--${name}: ${typeof value === 'string' ? value : `light-dark(${value.join(', ')})`};`,
    )
    .join(' ')
}
