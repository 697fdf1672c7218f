/** Matches one character that is part of a word. */
export const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u
