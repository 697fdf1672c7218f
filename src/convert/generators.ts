import type { Generator, GeneratorName, SourceFiles } from './conversion.ts'
import { docusaurus } from './docusaurus/docusaurus.ts'
import { eleventy } from './eleventy/eleventy.ts'
import { hexo } from './hexo/hexo.ts'
import { hugo } from './hugo/hugo.ts'
import { jekyll } from './jekyll/jekyll.ts'
import { markdown } from './markdown/markdown.ts'
import { mdbook } from './mdbook/mdbook.ts'
import { mkdocs } from './mkdocs/mkdocs.ts'
import { nextra } from './nextra/nextra.ts'
import { notion } from './notion/notion.ts'
import { starlight } from './starlight/starlight.ts'
import { unsupportedGenerator } from './unsupported-generators.ts'
import { vitepress } from './vitepress/vitepress.ts'

/** In the order in which they look for their files: those with the most specific ones first. */
const ALL_GENERATORS: readonly Generator[] = [
  vitepress,
  docusaurus,
  starlight,
  mkdocs,
  mdbook,
  nextra,
  hugo,
  eleventy,
  hexo,
  jekyll,
  notion,
  markdown,
]

/**
 * The generator of this name, or the one that detects these files as its site. Null when none does, and for a site of
 * an unsupported generator.
 */
export function detectGenerator(files: SourceFiles, name: GeneratorName | null): Generator | null {
  if (name !== null) return ALL_GENERATORS.find((generator) => generator.name === name) ?? null
  const found = ALL_GENERATORS.find((generator) => generator.detects(files)) ?? null
  // Any folder with Markdown is one of Markdown.
  return found === markdown && unsupportedGenerator(files) !== null ? null : found
}
