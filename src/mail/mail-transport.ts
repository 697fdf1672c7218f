import type { MailProblem } from '../domain/mail-problem.ts'

/** Sends mails. Adapter: `smtp-transport.ts`. */
export interface MailTransport {
  /** Resolves when the mail server has accepted the mail. @throws {MailRefused} otherwise. */
  send(message: MailMessage): Promise<void>
}

export interface MailMessage {
  readonly to: string
  readonly subject: string
  /** Plain text. */
  readonly text: string
}

/** The mail was not accepted. Its message has neither the recipient nor what the mail says. */
export class MailRefused extends Error {
  /** Reason why the server will never accept it; null when it may later. */
  readonly problem: MailProblem | null
  /** True when the server answered at all. */
  readonly isAnswered: boolean

  constructor(
    message: string,
    { problem, isAnswered }: { readonly problem: MailProblem | null; readonly isAnswered: boolean },
  ) {
    super(message)
    this.problem = problem
    this.isAnswered = isAnswered
  }
}
