import type { Caller } from '../domain/caller.ts'
import { ServiceError } from '../domain/errors.ts'
import { accessProject, assertWritable } from './access.ts'
import type { ServiceContext } from './context.ts'

export const DATA_MODE_ACTIONS = ['enable', 'disable', 'regenerate-key'] as const
export type DataModeAction = (typeof DATA_MODE_ACTIONS)[number]

export interface DataModeStatus {
  readonly enabled: boolean
  /** Of the last enable; null when there was none. */
  readonly enabledAt: string | null
}

export type DataModeService = ReturnType<typeof createDataModeService>

export function createDataModeService({ db }: Pick<ServiceContext, 'db'>) {
  return {
    async status(caller: Caller, ref: string): Promise<DataModeStatus> {
      const { project } = await accessProject(db.read, caller, ref, ['read'])
      return { enabled: project.hosting.mode === 'data_mode', enabledAt: project.dataModeEnabledAt }
    },

    /**
     * Refuses every action, since pages cannot be encrypted yet; nothing is changed.
     *
     * @param readAction reads the body; called once the project is known to be the caller's.
     * @throws {ServiceError} `already_enabled` or `not_enabled` in the wrong state, else `forbidden`.
     */
    async change(caller: Caller, ref: string, readAction: () => DataModeAction): Promise<never> {
      const { project } = await accessProject(db.read, caller, ref, ['publish'])
      assertWritable(project)
      const enabling = readAction() === 'enable'
      const enabled = project.hosting.mode === 'data_mode'
      if (enabling && enabled)
        throw new ServiceError('already_enabled', 'Data Mode is on for this project already.')
      if (!enabling && !enabled) throw new ServiceError('not_enabled', 'Data Mode is off for this project.')
      throw new ServiceError('forbidden', 'Data Mode is not available in this version.')
    },
  }
}
