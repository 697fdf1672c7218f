import type { Caller } from '../domain/caller.ts'
import type { ParseIssue } from '../domain/diagnostic.ts'
import type { JsonValue } from '../domain/json.ts'
import { MAX_CSS_BYTES } from '../fields/settings-fields.ts'
import { customCssIssues } from '../page-text/custom-css.ts'
import { accessProject } from './access.ts'
import type { ServiceContext } from './context.ts'

export type StyleService = ReturnType<typeof createStyleService>

export function createStyleService({ db, renderer }: Pick<ServiceContext, 'db' | 'renderer'>) {
  return {
    /**
     * Errors in the custom CSS of a request. Empty for CSS that is already stored, and for values that the schema
     * refuses by type or size.
     *
     * @throws {ServiceError} as for every change of the project.
     */
    async issues(caller: Caller, ref: string, css: JsonValue | undefined): Promise<readonly ParseIssue[]> {
      const { project } = await accessProject(db.read, caller, ref, ['write'])
      if (typeof css !== 'string' || css === '' || Buffer.byteLength(css) > MAX_CSS_BYTES) return []
      if (css === (await db.read.settings.find(project.id)).settings.customCss) return []
      const unsafe = customCssIssues(css)
      // Unsafe CSS may be nested too deeply for a parser.
      if (unsafe.length > 0) return unsafe
      const fault = await renderer.cssIssue(project.id, css)
      return fault === null ? [] : [fault]
    },
  }
}
