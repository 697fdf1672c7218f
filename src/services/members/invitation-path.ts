/**
 * Address of the page of an invitation, below the base URL, with the token of a link. As with a set-up link, the token
 * is in the query, and a GET changes nothing.
 */
export function invitationPath(token: string): string {
  return `/dashboard/invitation?token=${token}`
}
