/** `now`, or a millisecond after `previous` when the clock has not moved past it. Both ISO 8601 in UTC. */
export function laterOf(now: string, before: string): string {
  return now > before ? now : new Date(Date.parse(before) + 1).toISOString()
}
