import { transform } from 'lightningcss'
import { type Diagnostic, diagnostic } from '../domain/diagnostic.ts'
import { didYouMean } from '../domain/nearest-name.ts'
import type { ThemeParts } from '../theme/create-theme.ts'
import { positionInJson } from '../theme/theme-files.ts'
import { isToken, TOKENS, type Token, type TokenKind } from '../theme/tokens.ts'
import { readColour } from './colours.ts'
import { type OwnFiles, styleText } from './own-files.ts'
import { resolvedValue } from './root-properties.ts'

const TOKEN_NAMES = TOKENS.map(({ name }) => name)

/** Checks the tokens in `theme.json`: each is used and has a valid value, and a theme that extends none needs all. */
export function checkTokens(
  parts: ThemeParts,
  properties: ReadonlyMap<string, string>,
  { manifest }: OwnFiles,
): readonly Diagnostic[] {
  const css = styleText(parts)
  const ownTokens: object = Object(JSON.parse(manifest.text)).tokens ?? {}
  const { tokens } = parts.manifest
  const error = (name: string | null, message: string) =>
    diagnostic('QN-BAD-TOKEN', manifest.path, message, {
      line: positionInJson(manifest.text, name === null ? ['tokens'] : ['tokens', name]).line,
    })
  const unused = Object.keys(ownTokens).filter((name) => !isToken(name) && !isUsed(name, css))
  const set = TOKENS.filter(({ name }) => Object.hasOwn(ownTokens, name))
  const missing = TOKENS.filter(({ name, isOptional }) => !isOptional && tokens[name] === undefined)
  return [
    ...unused.map((name) =>
      error(name, `No style uses the token "${name}".${didYouMean(name, TOKEN_NAMES)}`),
    ),
    ...set
      .filter((token) => !isValid(token, properties))
      .map(({ name, kind }) => error(name, `${name} must be ${RULES[kind]}.`)),
    ...missing.map(({ name }) => error(null, `The token "${name}" is missing. The shared styles need it.`)),
  ]
}

function isUsed(name: string, css: string): boolean {
  return new RegExp(`var\\(\\s*--${name}\\s*[,)]`).test(css)
}

const RULES: Readonly<Record<TokenKind, string>> = {
  colour: 'a colour',
  length: 'a length, such as 0.5rem',
  weight: 'a font weight, such as 700',
  font: 'a list of fonts',
  shadow: 'a shadow',
}

function isValid({ name, kind }: Token, properties: ReadonlyMap<string, string>): boolean {
  return (['light', 'dark'] as const).every((scheme) => {
    const value = resolvedValue(`var(--${name})`, properties, scheme)
    if (value === null) return false
    if (kind === 'colour') return readColour(value) !== null
    if (kind === 'length') return isValueOf('margin-left', value)
    return kind !== 'weight' || isValueOf('font-weight', value)
  })
}

/** The parser leaves a value that it does not understand unparsed. */
function isValueOf(property: string, value: string): boolean {
  let isUnderstood = true
  try {
    transform({
      filename: 'token.css',
      code: Buffer.from(`a{${property}:${value}}`),
      visitor: {
        Declaration({ property }) {
          if (property === 'unparsed') isUnderstood = false
        },
      },
    })
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return false
  }
  return isUnderstood
}
