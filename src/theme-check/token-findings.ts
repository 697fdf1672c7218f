import { questionOfNearest } from '../domain/nearest-name.ts'
import type { ThemeParts } from '../theme/create-theme.ts'
import { placeInJson } from '../theme/theme-files.ts'
import { isToken, TOKENS } from '../theme/tokens.ts'
import { readColour } from './colours.ts'
import type { Finding } from './finding.ts'
import { type OwnFiles, styleText } from './own-files.ts'
import { resolvedValue } from './root-properties.ts'

const TOKEN_NAMES = TOKENS.map(({ name }) => name)

/** Tokens that nothing uses, that are no colour where one is meant, and those that a theme which extends none leaves out. */
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
  const colours = TOKENS.filter(({ name, kind }) => kind === 'colour' && Object.hasOwn(written, name))
  const missing = TOKENS.filter(({ name, isOptional }) => !isOptional && tokens[name] === undefined)
  return [
    ...unused.map((name) =>
      told('error', name, `No style uses the token ${name}.${questionOfNearest(name, TOKEN_NAMES)}`),
    ),
    ...colours
      .filter(({ name }) => isNoColour(name, properties))
      .map(({ name }) => told('error', name, `${name} must be a colour.`)),
    ...missing.map(({ name }) =>
      told('error', null, `The token ${name} is missing: the shared style needs it.`),
    ),
  ]
}

function isUsed(name: string, css: string): boolean {
  return new RegExp(`var\\(\\s*--${name}\\s*[,)]`).test(css)
}

function isNoColour(name: string, properties: ReadonlyMap<string, string>): boolean {
  return (['light', 'dark'] as const).some((scheme) => {
    const value = resolvedValue(`var(--${name})`, properties, scheme)
    return value === null || readColour(value) === null
  })
}
