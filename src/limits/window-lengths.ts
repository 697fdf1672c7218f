export const BURST_MS = 10_000
export const MINUTE_MS = 60_000
export const HOUR_MS = 3_600_000
