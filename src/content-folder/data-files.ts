import { dataFaults } from '../domain/data-faults.ts'
import { type Diagnostic, diagnostic } from '../domain/diagnostic.ts'
import { fieldName } from '../domain/invalid-field.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../domain/json.ts'
import type { DataFault } from '../domain/site-data.ts'
import type { FolderTypes } from './page-file.ts'
import { isParseIssue, readYaml, type YamlSource } from './yaml-source.ts'

export const DATA_FOLDER = 'data'
const FILE = /^data\/(.+)\.(?:yaml|yml|json)$/
/** Names by which templates can reach a value. */
const NAME = /^[\p{L}\p{N}][\p{L}\p{N}_-]*$/u

/** Reports whether a file holds values for templates. A folder `data` in `types` of `site.yaml` holds pages instead. */
export function isDataFile(path: string, types: FolderTypes): boolean {
  return FILE.test(path) && !Object.keys(types).some((folder) => `${folder}/`.startsWith(`${DATA_FOLDER}/`))
}

/**
 * The values of a site: the values of `site.yaml`, and the values of each file in `data/` under its name, in an object
 * for each folder.
 *
 * @param textOf null for a file that is not UTF-8, undefined for a missing one.
 */
export function readDataFiles(
  own: JsonObject,
  files: readonly string[],
  textOf: (path: string) => string | null | undefined,
): { readonly data: JsonObject; readonly errors: readonly Diagnostic[] } {
  const errors: Diagnostic[] = []
  const sources: DataSource[] = []
  const data: MutableObject = structuredClone(own) as MutableObject
  for (const path of files) {
    const steps = FILE.exec(path)?.[1]?.split('/') ?? []
    const text = textOf(path)
    if (text === undefined) continue
    const read = text === null ? NOT_TEXT : readYaml(text, 1)
    if (isParseIssue(read)) errors.push(diagnostic('QN-BAD-YAML', path, read.message, read))
    else {
      const reason = steps.every((step) => NAME.test(step)) ? put(data, steps, read.value) : BAD_NAME
      if (reason !== null) errors.push(diagnostic('QN-BAD-DATA', path, reason))
      else sources.push({ path, steps, source: read })
    }
  }
  // Without data files, the values of `site.yaml` are checked as part of that file.
  const faults = files.length === 0 ? [] : dataFaults(data)
  return { data, errors: [...errors, ...faults.map((fault) => valueError(fault, sources))] }
}

/** The file of a value in the data of a site. */
interface DataSource {
  readonly path: string
  readonly steps: readonly string[]
  readonly source: YamlSource
}

function valueError({ path, message }: DataFault, sources: readonly DataSource[]): Diagnostic {
  if (path.length === 0) return diagnostic('QN-BAD-DATA', DATA_FOLDER, `The data of the site ${message}`)
  const of = sources.find(({ steps }) =>
    steps.every((step, index) => index >= path.length || step === path[index]),
  )
  const field = fieldName(path)
  const place = of?.source.placeOf(path.slice(of.steps.length))
  return diagnostic('QN-BAD-DATA', of?.path ?? DATA_FOLDER, `${field} ${message}`, { ...place, field })
}

interface MutableObject {
  [name: string]: JsonValue | MutableObject
}

/** Adds a value to the data. Returns the reason why it cannot be there, or null. */
function put(data: MutableObject, steps: readonly string[], value: JsonValue): string | null {
  const [name = '', ...further] = steps
  const present = Object.hasOwn(data, name) ? data[name] : undefined
  if (further.length === 0) {
    if (present !== undefined)
      return `Another file or folder, or \`data\` in site.yaml, is already named ${name}.`
    data[name] = value
    return null
  }
  if (present !== undefined && !isJsonObject(present))
    return `A file next to the folder is already named ${name}.`
  const folder = (present ?? {}) as MutableObject
  data[name] = folder
  return put(folder, further, value)
}

const NOT_TEXT = { line: 1, column: 1, message: 'The file is not UTF-8 text.' }

const BAD_NAME =
  'The names of the file and its folders must begin with a letter or digit and hold letters, digits, hyphens and underscores only.'
