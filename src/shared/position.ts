/**
 * Header with a position in the database's write-ahead log. Responses to writes and events carry it; a client that
 * sends it back reads data at least as recent, from whichever database server answers.
 */
export const positionHeader = 'ntalo-position'
