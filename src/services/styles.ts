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
     * What is wrong with the CSS that is to become the project's own; nothing for what is there
     * already, and for what is no CSS by its type or length.
     *
     * @throws {ServiceError} as every change of the project.
     */
    async issues(caller: Caller, ref: string, css: JsonValue | undefined): Promise<readonly ParseIssue[]> {
      const { project } = await accessProject(db.read, caller, ref, ['write'])
      if (typeof css !== 'string' || css === '' || Buffer.byteLength(css) > MAX_CSS_BYTES) return []
      if (css === (await db.read.settings.find(project.id)).settings.customCss) return []
      const unsafe = customCssIssues(css)
      // Unsafe CSS may be too deep for a parser.
      if (unsafe.length > 0) return unsafe
      const fault = await renderer.cssIssue(project.id, css)
      return fault === null ? [] : [fault]
    },
  }
}
