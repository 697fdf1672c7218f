import type { Caller } from '../../domain/caller.ts'
import type { ParseIssue } from '../../domain/diagnostic.ts'
import type { JsonValue } from '../../domain/json.ts'
import type { Timers } from '../../domain/timers.ts'
import { MAX_CSS_BYTES } from '../../fields/settings-fields.ts'
import { customCssIssues } from '../../page-text/custom-css.ts'
import { withDeadline } from '../../platform/with-deadline.ts'
import { RENDER_DEADLINE_MS, renderedTooLate } from '../../renderer/renderer.ts'
import { accessProject } from '../access.ts'
import type { ServiceContext } from '../context.ts'

export type StyleService = ReturnType<typeof createStyleService>

export interface StylePorts extends Pick<ServiceContext, 'db' | 'renderer'> {
  readonly timers: Timers
}

export function createStyleService({ db, renderer, timers }: StylePorts) {
  const deadline = { timers, ms: RENDER_DEADLINE_MS, tooLate: renderedTooLate }

  return {
    /**
     * Finds errors in the custom CSS of a request. Empty for stored CSS, and for values of a wrong type or size.
     *
     * @throws {ServiceError} as for every change of the project; `service_unavailable` when the CSS could not be read
     *   in time.
     */
    async issues(caller: Caller, ref: string, css: JsonValue | undefined): Promise<readonly ParseIssue[]> {
      const { project } = await accessProject(db.read, caller, ref, ['settings'])
      if (typeof css !== 'string' || css === '' || Buffer.byteLength(css) > MAX_CSS_BYTES) return []
      if (css === (await db.read.settings.find(project.id)).settings.customCss) return []
      const unsafe = customCssIssues(css)
      // Unsafe CSS may be nested too deeply for a parser.
      if (unsafe.length > 0) return unsafe
      const fault = await withDeadline(deadline, (signal) =>
        renderer.cssIssue(project.id, css, { urgent: true, signal }),
      )
      return fault === null ? [] : [fault]
    },
  }
}
