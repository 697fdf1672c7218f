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
  /** Whether the server said that it will never accept it. */
  readonly isFinal: boolean

  constructor(message: string, isFinal: boolean) {
    super(message)
    this.isFinal = isFinal
  }
}
