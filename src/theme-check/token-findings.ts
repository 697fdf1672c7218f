import { transform } from 'lightningcss'
import { questionOfNearest } from '../domain/nearest-name.ts'
import type { ThemeParts } from '../theme/create-theme.ts'
import { placeInJson } from '../theme/theme-files.ts'
import { isToken, TOKENS, type Token, type TokenKind } from '../theme/tokens.ts'
import { readColour } from './colours.ts'
import type { Finding } from './finding.ts'
import { type OwnFiles, styleText } from './own-files.ts'
import { resolvedValue } from './root-properties.ts'

const TOKEN_NAMES = TOKENS.map(({ name }) => name)

/** Tokens that nothing uses, that are no colour, length or weight where one is meant, and those that a theme which extends none leaves out. */
export function tokenFindings(
  parts: ThemeParts,
  properties: ReadonlyMap<string, string>,
  { manifest }: OwnFiles,
): readonly Finding[] {
  const css = styleText(parts)
  const written: object = Object(JSON.parse(manifest.text)).tokens ?? {}
  const { tokens } = parts.manifest
  const told = (severity: Finding['severity'], name: string | null, message: string): Finding => ({
    ...{ severity, rule: 'token', message, on: null, file: manifest.path },
    line: placeInJson(manifest.text, name === null ? ['tokens'] : ['tokens', name]).line,
  })
  const unused = Object.keys(written).filter((name) => !isToken(name) && !isUsed(name, css))
  const set = TOKENS.filter(({ name }) => Object.hasOwn(written, name))
  const missing = TOKENS.filter(({ name, isOptional }) => !isOptional && tokens[name] === undefined)
  return [
    ...unused.map((name) =>
      told('error', name, `No style uses the token ${name}.${questionOfNearest(name, TOKEN_NAMES)}`),
    ),
    ...set
      .filter((token) => !isRight(token, properties))
      .map(({ name, kind }) => told('error', name, `${name} must be ${RULES[kind]}.`)),
    ...missing.map(({ name }) =>
      told('error', null, `The token ${name} is missing: the shared style needs it.`),
    ),
  ]
}

function isUsed(name: string, css: string): boolean {
  return new RegExp(`var\\(\\s*--${name}\\s*[,)]`).test(css)
}

const RULES: Readonly<Record<TokenKind, string>> = {
  colour: 'a colour',
  length: 'a length, such as 0.5rem',
  weight: 'a weight of a font, such as 700',
  font: 'fonts',
  shadow: 'a shadow',
}

function isRight({ name, kind }: Token, properties: ReadonlyMap<string, string>): boolean {
  return (['light', 'dark'] as const).every((scheme) => {
    const value = resolvedValue(`var(--${name})`, properties, scheme)
    if (value === null) return false
    if (kind === 'colour') return readColour(value) !== null
    if (kind === 'length') return isValueOf('margin-left', value)
    return kind !== 'weight' || isValueOf('font-weight', value)
  })
}

/** What a parser does not understand of a value it leaves as it was written. */
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
