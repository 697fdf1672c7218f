/** Texts of a site by name. Pages show them with `{{ name }}`. */
export type Variables = Readonly<Record<string, string>>

export const MAX_VARIABLES = 100
export const MAX_VARIABLE_LENGTH = 500

const NAME = /^[\p{L}_][\p{L}\p{N}_.-]{0,63}$/u
const USE = /(?<!\\)\{\{[ \t]*([\p{L}_][\p{L}\p{N}_.-]{0,63})[ \t]*\}\}/gu

export function isVariableName(name: string): boolean {
  return NAME.test(name)
}

/**
 * The text with the values of its variables. Names that are not declared stay as they are written.
 *
 * @param fits whether a value may be put in; asked for each in turn.
 */
export function withValues(
  text: string,
  variables: Variables,
  fits: (value: string) => boolean = () => true,
): string {
  if (!text.includes('{{')) return text
  return text.replace(USE, (written, name: string) => {
    const value = Object.hasOwn(variables, name) ? variables[name] : undefined
    return value !== undefined && fits(value) ? value : written
  })
}

/** Names in `{{ }}` that are not declared. */
export function undeclaredNames(text: string, variables: Variables): readonly string[] {
  if (!text.includes('{{')) return []
  const names = [...text.matchAll(USE)].map(([, name = '']) => name)
  return [...new Set(names)].filter((name) => !Object.hasOwn(variables, name))
}
