import { openDashboard } from '../../src/dashboard/dashboard.ts'
import type { DashboardPorts } from '../../src/dashboard/ports.ts'
import { PACKAGE_ROOT, THEME_FOLDERS } from '../../src/platform/package-paths.ts'

/** Every route, of a dashboard whose services are never called. */
export async function dashboardRoutes(): Promise<readonly { method: string; path: string }[]> {
  const ports = {
    themes: ['default'],
    domainRules: { ownHosts: [], needsProof: false },
    addresses: { contentUrl: '', sitesDomain: null },
    https: { allowHttp: true, trustProxy: [] },
    dashboard: {
      baseUrl: 'http://127.0.0.1',
      formKey: new Uint8Array(32),
      folders: {
        templates: `${PACKAGE_ROOT}templates/dashboard`,
        bundles: `${PACKAGE_ROOT}dist`,
        themes: THEME_FOLDERS.themes,
        shared: THEME_FOLDERS.templates,
      },
    },
  } as unknown as DashboardPorts
  const { routes } = await openDashboard(ports)
  return routes.flatMap(({ methods, path }) =>
    methods.filter((method) => method !== 'HEAD').map((method) => ({ method, path: String(path) })),
  )
}
