// A spreadsheet runs a cell that starts like a formula, so our exports prefix such texts with an apostrophe.

// Includes the full-width East Asian forms of these characters, which some spreadsheets treat the same.
const looksLikeFormula = /^'*[=+\-@\uff1d\uff0b\uff0d\uff20\t\r]/

/** Makes a text harmless in a spreadsheet; not for numbers, whose minus sign would be escaped. */
export function guardText(text: string): string {
  return looksLikeFormula.test(text) ? `'${text}` : text
}

/** Reverses `guardText`. */
export function unguardText(cell: string): string {
  return cell.startsWith("'") && looksLikeFormula.test(cell) ? cell.slice(1) : cell
}
