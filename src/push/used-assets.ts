import { linkedFile } from '../content-folder/file-links.ts'
import { withPlainLineEnds } from '../content-folder/file-text.ts'
import { readParts } from '../content-folder/page-parts.ts'
import type { SiteAsset } from '../content-folder/site.ts'
import { isParseIssue, type Path, type YamlSource } from '../content-folder/yaml-source.ts'
import type { JsonValue } from '../domain/json.ts'
import { normalForm } from '../domain/normal-form.ts'
import { mapCssUrls } from '../page-text/css-links.ts'
import { fileReferences } from '../page-text/file-references.ts'
import { mapLinks } from '../page-text/map-links.ts'
import { mapProse } from '../page-text/map-prose.ts'

/** A line of a text file that names an asset. */
export interface AssetUse {
  /** The text file, relative to the folder. */
  readonly file: string
  /** From 1. */
  readonly line: number
  /** The asset, relative to the folder. */
  readonly asset: string
}

/**
 * Finds the assets that pages and `site.yaml` use: in links, images and HTML outside of code, in fields that consist of
 * a path, and in CSS. A path is one in the folder, relative to the text, or one on the site, absolute or relative. In
 * the order of the texts.
 *
 * @param texts `site.yaml` and the pages, by path.
 */
export function usedAssets(
  texts: ReadonlyMap<string, string>,
  assets: readonly SiteAsset[],
): readonly AssetUse[] {
  if (assets.length === 0) return []
  const assetAt = assetFinder(assets)
  return [...texts].flatMap(([file, text]) => {
    const uses = targetsIn(file, withPlainLineEnds(text)).flatMap(({ target, line }) => {
      const asset = assetAt(target, file)
      return asset === undefined ? [] : [{ file, line: line(), asset }]
    })
    const distinct = new Map(uses.map((use) => [`${use.line} ${use.asset}`, use]))
    return [...distinct.values()].sort((a, b) => a.line - b.line)
  })
}

/** Finds the assets that style sheets and SVGs need. @param texts these files, by path. */
export function usedByFiles(
  texts: ReadonlyMap<string, string>,
  assets: readonly SiteAsset[],
): readonly AssetUse[] {
  const assetAt = assetFinder(assets)
  return [...texts].flatMap(([file, text]) =>
    fileReferences(file, text).flatMap(({ target, line }) => {
      const asset = assetAt(target, file)
      return asset === undefined ? [] : [{ file, line, asset }]
    }),
  )
}

/** Finds the source of the asset that a target in a file names. */
function assetFinder(assets: readonly SiteAsset[]): (target: string, file: string) => string | undefined {
  const bySource = new Map(assets.map(({ source }) => [normalForm(source), source]))
  const byPath = new Map(assets.map(({ path, source }) => [normalForm(path), source]))
  return (target, file) => {
    const named = linkedFile(target, file)
    if (named === null) return undefined
    return bySource.get(named) ?? (/^\.{0,2}\//.test(target) ? byPath.get(named) : undefined)
  }
}

interface Target {
  readonly target: string
  /** Its line in the text. Asked for assets only, because finding it takes time. */
  readonly line: () => number
}

function targetsIn(file: string, text: string): readonly Target[] {
  const { fields, markdown } = readParts(file, text)
  const lines = text.split('\n')
  const first = lines.length - markdown.split('\n').length + 1
  return [
    ...(isParseIssue(fields) ? [] : targetsInFields(fields, lines)),
    ...targetsInProse(markdown).map(({ target, line }) => ({ target, line: () => first + line })),
  ]
}

/** The targets of Markdown and HTML outside of code. Their lines count from 0. */
function targetsInProse(markdown: string) {
  const found: { readonly target: string; readonly line: number }[] = []
  mapProse(markdown, (prose, first) => {
    const lines = prose.split('\n')
    const inLines = new Set<string>()
    // An attribute follows a blank or a line break.
    for (const [index, text] of lines.entries())
      mapLinks(` ${text}`, (target) => {
        inLines.add(target)
        found.push({ target, line: first + index })
        return target
      })
    // Targets in an attribute of several lines, such as a `srcset`.
    mapLinks(` ${prose}`, (target) => {
      if (!inLines.has(target)) found.push({ target, line: first + lineFrom(1, target, lines) - 1 })
      return target
    })
    return prose
  })
  return found
}

function targetsInFields({ value, placeOf }: YamlSource, lines: readonly string[]): readonly Target[] {
  return textsIn(value, []).flatMap(({ text, path }) => {
    const inText = [...targetsInProse(text).map(({ target }) => target), ...targetsInCss(text)]
    // A single word may be the name of a file by accident.
    const targets = /[./]/.test(text) ? [text, ...inText] : inText
    return targets.map((target) => ({ target, line: () => lineFrom(placeOf(path).line, target, lines) }))
  })
}

function targetsInCss(text: string): readonly string[] {
  const found: string[] = []
  mapCssUrls(text, (target) => {
    found.push(target)
    return target
  })
  return found
}

/** The first line with the target, from this line on. The target may be in a text of several lines. */
function lineFrom(start: number, target: string, lines: readonly string[]): number {
  const within = lines.slice(start - 1).findIndex((line) => line.includes(target))
  return start + Math.max(within, 0)
}

function textsIn(value: JsonValue, path: Path): readonly { readonly text: string; readonly path: Path }[] {
  if (typeof value === 'string') return [{ text: value, path }]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => textsIn(inner, [...path, name]))
}
