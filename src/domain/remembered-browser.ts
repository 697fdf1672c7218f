/** Days after a sign-in for which a browser is remembered: failures elsewhere do not lock its user out of it. */
export const REMEMBERED_DAYS = 180
