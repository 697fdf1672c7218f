import { posix } from 'node:path'
import { type Diagnostic, diagnostic } from '../../domain/diagnostic.ts'
import type { JsonObject, JsonValue } from '../../domain/json.ts'
import { objectOf, textOf } from '../config/config-values.ts'
import { readYaml } from '../config/source-config.ts'
import type { SourceFiles } from '../conversion.ts'
import type { DocusaurusPart } from './plugins.ts'

/** A version of the docs of a plugin. Source: https://docusaurus.io/docs/versioning. */
export interface DocusaurusVersion {
  readonly name: string
  readonly label: string
  readonly isLatest: boolean
  readonly isNoIndex: boolean
  /** The folder of the version, and the path below which it is served. */
  readonly part: DocusaurusPart
  /** The folder of its translations, below the folder of the plugin. */
  readonly folder: string
}

/** The name of the unreleased version in Docusaurus. */
const CURRENT = 'current'

/**
 * The versions of docs: the released ones of `versions.json`, with the newest at the path of the docs, and the
 * unreleased one below `next`. Docs without versions are the unreleased one alone, at the path of the docs.
 *
 * @param prefix the folder of the configuration.
 */
export function docusaurusVersions(
  files: SourceFiles,
  part: DocusaurusPart,
  prefix: string,
  diagnostics: Diagnostic[],
): readonly DocusaurusVersion[] {
  const { options, base, folder } = part
  const id = textOf(options['id'])
  const kind = id === undefined || id === 'default' ? '' : `${id}_`
  const released =
    options['disableVersioning'] === true ? [] : listed(files, `${prefix}${kind}versions.json`, diagnostics)
  const only = Array.isArray(options['onlyIncludeVersions'])
    ? options['onlyIncludeVersions'].map(String)
    : null
  const hasCurrent = options['includeCurrentVersion'] !== false || released.length === 0
  const shown = [...(hasCurrent ? [CURRENT] : []), ...released].filter((name) => only?.includes(name) ?? true)
  const latest = textOf(options['lastVersion']) ?? released.find((name) => shown.includes(name)) ?? CURRENT
  return shown.map((name) => {
    const own = objectOf(objectOf(options['versions'])[name])
    const usual = name === latest ? '' : name === CURRENT ? 'next' : name
    const path = (textOf(own['path']) ?? usual).replace(/^\/+|\/+$/g, '')
    const isCurrent = name === CURRENT
    return {
      name: isCurrent ? 'next' : name,
      label: textOf(own['label']) ?? (isCurrent ? 'Next' : name),
      isLatest: name === latest,
      isNoIndex: own['noIndex'] === true,
      folder: isCurrent ? CURRENT : `version-${name}`,
      part: {
        ...part,
        folder: isCurrent ? folder : `${prefix}${kind}versioned_docs/version-${name}`,
        base: [base, path].filter((each) => each !== '').join('/'),
        options: isCurrent
          ? options
          : { ...options, sidebarPath: `${kind}versioned_sidebars/version-${name}-sidebars.json` },
      },
    }
  })
}

/** The setting `versions`, for docs that have several. */
export function versionSettings(versions: readonly DocusaurusVersion[]): JsonValue | undefined {
  if (versions.length < 2) return undefined
  return versions
    .toSorted((one, other) => Number(other.isLatest) - Number(one.isLatest))
    .map(
      ({ name, label, isLatest, part }): JsonObject => ({
        name,
        ...(label !== name && { label }),
        ...(part.base !== '' && { subroute: part.base.toLowerCase() }),
        ...(isLatest && { latest: true }),
      }),
    )
}

function listed(files: SourceFiles, path: string, diagnostics: Diagnostic[]): readonly string[] {
  const text = files.text(path)
  if (text === null) return []
  const read = readYaml(`versions: ${text}`)
  if (typeof read === 'string' || !Array.isArray(read['versions'])) {
    diagnostics.push(diagnostic('QN-SOURCE-UNREADABLE', path, 'The versions cannot be read: it is no list.'))
    return []
  }
  return read['versions'].map(String)
}

/** The folders of versions that the site does not show. */
export function hiddenVersions(
  { paths }: SourceFiles,
  prefix: string,
  versions: readonly DocusaurusVersion[],
): readonly string[] {
  const shown = new Set(versions.map(({ part }) => part.folder))
  const folders = paths.flatMap((path) => {
    const [folder] = /^(?:[\w-]+_)?versioned_docs\/version-[^/]+(?=\/)/.exec(path.slice(prefix.length)) ?? []
    return path.startsWith(prefix) && folder !== undefined ? [posix.join(prefix, folder)] : []
  })
  return [...new Set(folders)].filter((folder) => !shown.has(folder))
}
