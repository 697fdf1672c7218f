import { ACCOUNT_LIMITS } from '../../domain/account-limits.ts'
import type { DashboardRouter, ViewPorts } from '../ports.ts'

/** The storage of the account, used and allowed. */
export function usageView(router: DashboardRouter, { frame, usage }: ViewPorts): void {
  const { words } = frame

  router.get('/usage', async (ctx) => {
    const { used, allowed } = await usage.ofCaller(ctx.state.caller)
    const shown = (name: string, amount: number) =>
      name.endsWith('_bytes') ? words.bytes(amount) : words.number(amount)
    frame.show(ctx, 'usage', {
      title: words.usage.title,
      rows: ACCOUNT_LIMITS.map((name) => ({
        name: words.usage.names[name],
        used: shown(name, used[name]),
        allowed: Number.isFinite(allowed[name]) ? shown(name, allowed[name]) : null,
        // A bar needs a whole: an account without a limit has none.
        share:
          Number.isFinite(allowed[name]) && allowed[name] > 0
            ? Math.min(used[name] / allowed[name], 1)
            : null,
      })),
    })
  })
}
