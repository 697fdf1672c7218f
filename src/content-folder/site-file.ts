import { isJsonObject } from '../domain/json.ts'
import { fieldFault, fieldFaults } from './field-diagnostics.ts'
import { NO_PLACE, type SiteFault } from './site.ts'
import { readSiteFields, readTypes, SITE_SCHEMA, type SiteFields } from './site-fields.ts'
import { isYamlFault, readYaml, type YamlSource } from './yaml-source.ts'

export const SITE_FILE = 'site.yaml'

export interface SiteFileReading {
  /** Empty where the file has a fault, but for its types. */
  readonly fields: SiteFields
  readonly faults: readonly SiteFault[]
  /** Whether `fields` has the types that pages are read with; with others they have faults that they do not have. */
  readonly knowsTypes: boolean
  /** Where in `site.yaml` the value at a path was written. */
  readonly placeOf: YamlSource['placeOf']
}

/** @param text of `site.yaml`; undefined when there is no such file. */
export function readSiteFile(text: string | undefined): SiteFileReading {
  if (text === undefined) {
    return refused({
      file: SITE_FILE,
      ...NO_PLACE,
      field: null,
      message: 'A content folder needs this file, with the name of the site.',
    })
  }
  const source = readYaml(text, 1)
  if (isYamlFault(source)) return refused({ file: SITE_FILE, field: null, ...source })
  const written = source.value ?? {}
  if (!isJsonObject(written))
    return refused(fieldFault(SITE_FILE, source, [], 'The settings are written as names and values.'))

  const read = readSiteFields(written)
  if ('fields' in read) return { fields: read.fields, faults: [], knowsTypes: true, placeOf: source.placeOf }
  const nothing = refused(...fieldFaults(read.error, SITE_FILE, source, SITE_SCHEMA))
  const types = readTypes(written)
  return types === null ? nothing : { ...nothing, fields: { ...nothing.fields, types }, knowsTypes: true }
}

function refused(...faults: SiteFault[]): SiteFileReading {
  return {
    fields: { name: '', origin: null, settings: {}, types: {}, editBase: null },
    faults,
    knowsTypes: false,
    placeOf: () => ({ line: 1, column: 1 }),
  }
}
