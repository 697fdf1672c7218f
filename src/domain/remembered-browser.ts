/** Days after a sign-in for which a browser is remembered for its user: failures elsewhere do not lock the person out of it. */
export const REMEMBERED_DAYS = 180
