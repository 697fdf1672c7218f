import type { ThemeParts } from '../theme/create-theme.ts'
import { placeInJson } from '../theme/theme-files.ts'
import { isToken, TOKENS } from '../theme/tokens.ts'
import { readColour } from './colours.ts'
import type { Finding } from './finding.ts'
import { type OwnFiles, styleText } from './own-files.ts'
import { resolvedValue } from './root-properties.ts'

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
    ...unused.map((name) => told('error', name, `No style uses the token ${name}.${nearest(name)}`)),
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

function nearest(name: string): string {
  const near = TOKENS.map((token) => ({ name: token.name, steps: stepsBetween(name, token.name) }))
    .filter(({ steps }) => steps <= 2)
    .sort((a, b) => a.steps - b.steps)
  return near[0] === undefined ? '' : ` Is it ${near[0].name}?`
}

/** How many letters have to be put in, left out or changed. */
function stepsBetween(one: string, other: string): number {
  let row = [...Array(other.length + 1).keys()]
  for (const [at, letter] of [...one].entries()) {
    const next = [at + 1]
    for (const [place, against] of [...other].entries()) {
      const changed = (row[place] ?? 0) + (letter === against ? 0 : 1)
      next.push(Math.min(changed, (row[place + 1] ?? 0) + 1, (next[place] ?? 0) + 1))
    }
    row = next
  }
  return row.at(-1) ?? 0
}
