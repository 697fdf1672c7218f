import { type Diagnostic, diagnostic } from '../../domain/diagnostic.ts'
import type { JsonObject } from '../../domain/json.ts'
import type { SourceFiles } from '../conversion.ts'
import { readToml, readYaml } from './source-config.ts'

/**
 * The fields of a YAML, JSON or TOML file. Empty when there is no such file, and when it cannot be read, which is
 * reported.
 */
export function readDataFile(
  files: SourceFiles,
  path: string,
  diagnostics: Diagnostic[],
  what = 'The file',
): JsonObject {
  const text = files.text(path)
  const isMissing = text === null && !files.paths.includes(path)
  if (isMissing) return {}
  const read =
    text === null ? 'it is larger than 5 MiB.' : path.endsWith('.toml') ? readToml(text) : readYaml(text)
  if (typeof read !== 'string') return read
  diagnostics.push(diagnostic('QN-SOURCE-UNREADABLE', path, `${what} cannot be read: ${read}`))
  return {}
}
