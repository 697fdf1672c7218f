import { basename, join } from 'node:path'

import { z } from 'zod'

import { ThemeError } from './theme-error.ts'
import { parseThemeJson, readThemeFile } from './theme-files.ts'

/** A token's value, or one for readers on light and one for readers on dark. */
const Token = z.union([z.string(), z.tuple([z.string(), z.string()])])

const Manifest = z.strictObject({
  name: z.string(),
  title: z.string(),
  /** One sentence for who chooses a theme. */
  description: z.string(),
  /** `light dark` follows the reader's preference; the others hold whatever it is. */
  color_scheme: z.enum(['light dark', 'light', 'dark']),
  /** CSS custom properties without their leading dashes. */
  tokens: z.record(z.string().regex(/^[a-z][a-z0-9-]*$/), Token),
})

export type ThemeManifest = z.infer<typeof Manifest>

/**
 * The `theme.json` of a theme's folder.
 *
 * @throws {ThemeError} if it is missing, is no JSON, does not say what it must or has another name than the folder.
 */
export async function readThemeManifest(folder: string): Promise<ThemeManifest> {
  const file = await readThemeFile(join(folder, 'theme.json'))
  const manifest = parseThemeJson(Manifest, file)
  if (manifest.name === basename(folder)) return manifest
  throw new ThemeError({
    file: file.path,
    line: null,
    message: `name: must be ${basename(folder)}, like the folder.`,
  })
}

/** The colour scheme and the tokens as a rule on `:root`. */
export function tokenStyle({ color_scheme, tokens }: ThemeManifest): string {
  const properties = Object.entries(tokens).map(([name, value]) => `--${name}: ${tokenValue(value)};`)
  return `:root { color-scheme: ${color_scheme}; ${properties.join(' ')} }`
}

function tokenValue(value: z.infer<typeof Token>): string {
  return typeof value === 'string' ? value : `light-dark(${value.join(', ')})`
}
