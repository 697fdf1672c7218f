/** Days after a sign-in for which a browser is known for its user: failures elsewhere do not lock the person out of it. */
export const KNOWN_DAYS = 180
