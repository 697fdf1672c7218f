import type { Generator, GeneratorName, SourceFiles } from './conversion.ts'
import { docusaurus } from './docusaurus.ts'
import { eleventy } from './eleventy.ts'
import { hugo } from './hugo.ts'
import { jekyll } from './jekyll.ts'
import { markdown } from './markdown.ts'
import { mdbook } from './mdbook.ts'
import { mkdocs } from './mkdocs.ts'
import { nextra } from './nextra.ts'
import { starlight } from './starlight.ts'
import { vitepress } from './vitepress.ts'

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
  jekyll,
  markdown,
]

/** The generator of this name, or the one that detects these files as its site. Null when none does. */
export function detectGenerator(files: SourceFiles, name: GeneratorName | null): Generator | null {
  return (
    ALL_GENERATORS.find((generator) =>
      name === null ? generator.detects(files) : generator.name === name,
    ) ?? null
  )
}
