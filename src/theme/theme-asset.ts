import { createHash } from 'node:crypto'
import type { Theme, ThemeAsset } from './theme.ts'

/** A file that is published under a name with a hash of its bytes. @param extension without a dot. */
export function createThemeAsset(name: string, extension: string, content: string | Uint8Array): ThemeAsset {
  const body = typeof content === 'string' ? Buffer.from(content) : content
  const hash = createHash('sha256').update(body).digest('hex').slice(0, 16)
  return { key: `_assets/${name}.${hash}.${extension}`, body }
}

/** Every file that pages of a theme may reference. */
export function assetsOf({
  assets,
  files,
  stemmers,
}: Pick<Theme, 'assets' | 'files' | 'stemmers'>): readonly ThemeAsset[] {
  return [...Object.values<ThemeAsset>({ ...assets }), ...files.values(), ...stemmers.values()]
}

/** URL of a file relative to the style sheet. */
export function urlInStyle({ key }: ThemeAsset): string {
  return key.slice('_assets/'.length)
}
