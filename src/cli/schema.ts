import { Argument, Command } from 'commander'
import type { SchemaKind } from '../content-folder/json-schema.ts'

/** `theme` is the `theme.json` of a theme. */
type EditorSchema = SchemaKind | 'theme'
export const EDITOR_SCHEMAS: readonly EditorSchema[] = ['site', 'page', 'article', 'docs', 'item', 'theme']

export function schemaCommand(): Command {
  return new Command('schema')
    .description('print the JSON Schema of a file of a content folder or a theme, for editors')
    .addArgument(
      new Argument('<kind>', 'site for site.yaml, theme for theme.json, or the type of a page').choices(
        EDITOR_SCHEMAS,
      ),
    )
    .addHelpText('after', '\nExample:\n  quoin schema page > page.schema.json\n')
    .action(async (kind: EditorSchema) => console.log(await editorSchema(kind)))
}

/** The text of a schema, as the package has it in `dist/schemas/` too. */
export async function editorSchema(kind: EditorSchema): Promise<string> {
  const { fileJsonSchema } = await import('../content-folder/json-schema.ts')
  const { themeJsonSchema } = await import('../theme/theme-manifest.ts')
  return JSON.stringify(kind === 'theme' ? themeJsonSchema() : fileJsonSchema(kind), null, 2)
}
