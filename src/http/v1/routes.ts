import type Router from '@koa/router'
import type { ApiState } from '../api.ts'
import { type AssetRoutePorts, assetRoutes } from '../asset-routes.ts'
import { type DataModeRoutePorts, dataModeRoutes } from './data-mode-routes.ts'
import { type PageRoutePorts, pageRoutes } from './page-routes.ts'
import { LEGACY_ASSET_FORM } from './present-asset.ts'
import { type ProjectRoutePorts, projectRoutes } from './project-routes.ts'
import { type SettingsRoutePorts, settingsRoutes } from './settings-routes.ts'
import { userRoutes } from './user-routes.ts'

export type LegacyRoutePorts = ProjectRoutePorts &
  PageRoutePorts &
  SettingsRoutePorts &
  DataModeRoutePorts &
  AssetRoutePorts

/** The legacy surface, whole: what its table lists, and assets as the current surface has them. */
export function legacyRoutes(ports: LegacyRoutePorts): readonly Router<ApiState>[] {
  return [
    projectRoutes(ports),
    pageRoutes(ports),
    settingsRoutes(ports),
    dataModeRoutes(ports),
    assetRoutes(ports, LEGACY_ASSET_FORM),
    userRoutes(),
  ]
}
