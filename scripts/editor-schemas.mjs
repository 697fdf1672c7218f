// Writes the JSON Schemas of content files and themes to `dist/schemas`, where editors find them in the installed package.
import { mkdirSync, writeFileSync } from 'node:fs'
import { EDITOR_SCHEMAS, editorSchema } from '../dist/cli/schema.js'

mkdirSync('dist/schemas', { recursive: true })
for (const kind of EDITOR_SCHEMAS)
  writeFileSync(`dist/schemas/${kind}.schema.json`, `${await editorSchema(kind)}\n`)
