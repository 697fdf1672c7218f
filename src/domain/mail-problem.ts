/**
 * Why a mail was given up: the server refused the recipient or the mail for good, could not be reached, or went on
 * answering that it is not ready.
 */
export const MAIL_PROBLEMS = ['address_refused', 'content_refused', 'server_unreachable', 'gave_up'] as const
export type MailProblem = (typeof MAIL_PROBLEMS)[number]
