// A spreadsheet runs a cell that starts like a formula: texts of our exports that do are led by an apostrophe.

// Some read the full-width signs of East Asia as these.
const looksLikeFormula = /^'*[=+\-@\uff1d\uff0b\uff0d\uff20\t\r]/

/** A text as an export writes it, harmless in a spreadsheet; numbers must not pass through here. */
export function guardText(text: string): string {
  return looksLikeFormula.test(text) ? `'${text}` : text
}

/** What `guardText` was given. */
export function unguardText(cell: string): string {
  return cell.startsWith("'") && looksLikeFormula.test(cell) ? cell.slice(1) : cell
}
