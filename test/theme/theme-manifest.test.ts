import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ThemeError } from '../../src/theme/theme-error.ts'
import {
  customTokenStyle,
  readThemeManifest,
  resolvedManifest,
  tokenStyle,
} from '../../src/theme/theme-manifest.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const WHOLE = {
  name: 'mine',
  title: 'Mine',
  description: 'A theme.',
  color_scheme: 'light',
  tokens: { brand: '#0b6e4f', 'my-gap': '1rem' },
}

async function themeWith(json: unknown): Promise<string> {
  const folder = join(await temporaryFolder(), 'mine')
  await mkdir(folder)
  await writeFile(join(folder, 'theme.json'), typeof json === 'string' ? json : JSON.stringify(json, null, 2))
  return folder
}

async function errorOf(json: unknown): Promise<ThemeError> {
  const error = await readThemeManifest(await themeWith(json)).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(ThemeError)
  return error as ThemeError
}

describe('theme.json', () => {
  test('sets shared tokens and tokens of its own in a standalone theme', async () => {
    const manifest = resolvedManifest(await readThemeManifest(await themeWith(WHOLE)), null)
    expect(manifest.tokens).toEqual({ brand: '#0b6e4f' })
    expect(manifest.customTokens).toEqual({ 'my-gap': '1rem' })
    expect(tokenStyle(manifest)).toBe(':root { color-scheme: light; --brand: #0b6e4f; }')
    expect(customTokenStyle(manifest)).toBe(':root { --my-gap: 1rem; }')
  })

  test('contains only differences in an extending theme', async () => {
    const parent = await readThemeManifest(await themeWith(WHOLE))
    const child = await readThemeManifest(
      await themeWith({ extends: 'mine', tokens: { brand: ['#000', '#fff'] } }),
    )
    expect(child.extends).toBe('mine')
    const manifest = resolvedManifest(child, parent)
    expect(manifest).toMatchObject({ title: 'Mine', color_scheme: 'light' })
    expect(tokenStyle(manifest)).toContain('--brand: light-dark(#000, #fff);')
    expect(manifest.customTokens).toEqual({ 'my-gap': '1rem' })
  })

  test('without tokens of its own adds no rule to the style', async () => {
    const { 'my-gap': _, ...tokens } = WHOLE.tokens
    const manifest = resolvedManifest(await readThemeManifest(await themeWith({ ...WHOLE, tokens })), null)
    expect(customTokenStyle(manifest)).toBe('')
  })

  test('with another name than its folder is refused at the position of the name', async () => {
    const error = await errorOf({ ...WHOLE, name: 'yours' })
    expect(error.message).toContain('must be mine')
    expect(error).toMatchObject({ line: 2, column: 3 })
  })

  test.each([
    [{ ...WHOLE, tokens: { brand: 'red; } body { display: none' } }, 'tokens.brand'],
    [{ ...WHOLE, tokens: { brand: ['red'] } }, 'tokens.brand'],
    [{ ...WHOLE, tokens: { 'Not-A-Name': 'red' } }, 'Not-A-Name'],
    [{ ...WHOLE, color_scheme: 'sepia' }, 'color_scheme'],
    [{ ...WHOLE, title: '' }, 'title'],
    [{ ...WHOLE, colour: 'red' }, 'colour'],
    [{ name: 'mine', title: 'Mine' }, 'tokens'],
  ])('%j is refused, and the error names the field', async (json, field) => {
    const error = await errorOf(json)
    expect(error.message).toContain(field)
    expect(error.line).toBeGreaterThan(0)
  })

  test.each(['', '[]', '{', '{"name": "mine",}', 'null'])('is refused when it is %j', async (text) => {
    expect((await errorOf(text)).file).toMatch(/mine[/\\]theme\.json$/)
  })

  test('behind a symbolic link is refused', async () => {
    const folder = join(await temporaryFolder(), 'mine')
    await mkdir(folder)
    await symlink(join(await themeWith(WHOLE), 'theme.json'), join(folder, 'theme.json'))
    await expect(readThemeManifest(folder)).rejects.toThrow(/[Ss]ymbolic link/)
  })
})
