import { join } from 'node:path'
import { type ComponentSchema, readAttributes, sampleMarkdown } from '../domain/component.ts'
import { type Diagnostic, diagnostic } from '../domain/diagnostic.ts'
import { readComponentLine } from '../page-text/component-directive.ts'
import type { ThemeParts } from '../theme/create-theme.ts'
import { typeFaults } from '../theme/value-types.ts'
import type { OwnFiles } from './own-files.ts'

/** Compares the samples of the theme's own sections and components with what the theme declares of them. */
export function checkSamples(
  { samples, manifest, components }: ThemeParts,
  { folder, names }: OwnFiles,
): readonly Diagnostic[] {
  const ofComponents = [...components].filter(([name]) => names.includes(`components/${name}.yaml`))
  return [
    ...ofSections(samples, manifest, folder),
    ...ofComponents.flatMap(([name, schema]) =>
      faultsIn(sampleMarkdown(name, schema), name, schema).map((message) =>
        diagnostic('QN-WRONG-TYPE', join(folder, `components/${name}.yaml`), message, { field: 'sample' }),
      ),
    ),
  ]
}

/** Why the component is not shown as its sample says. */
function faultsIn(sample: string, name: string, schema: ComponentSchema): readonly string[] {
  const lines = sample.split('\n').flatMap((line) => readComponentLine(line) ?? [])
  const uses = lines.filter(({ component }) => component.name === name)
  if (uses.length === 0) return [`sample does not show the component, with a line ::${name} or :::${name}.`]
  return uses.flatMap(({ component, label }) => {
    const { errors, unused } = readAttributes(schema, component.attributes)
    const missing = schema.label === 'required' && label === '' ? ['it needs a label in brackets.'] : []
    return [...missing, ...errors, ...unused].map((fault) => `sample: ${fault}`)
  })
}

function ofSections(
  samples: ThemeParts['samples'],
  manifest: ThemeParts['manifest'],
  folder: string,
): readonly Diagnostic[] {
  return [...samples].flatMap(([type, sample]) =>
    typeFaults(sample, manifest.types.sections[type] ?? {}).map(({ name, message }) =>
      diagnostic('QN-WRONG-TYPE', join(folder, `sections/${type}.json`), `${name} ${message}`, {
        field: name,
      }),
    ),
  )
}
