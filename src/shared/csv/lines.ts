/**
 * A line of a file without its line feed, numbered from 1. The text of a line that is not UTF-8 is decoded as
 * Windows-1252.
 */
export type Line =
  | { readonly line: number; readonly text: string }
  | { readonly line: number; readonly fault: LineFault; readonly text: string }

export type LineFault = 'encoding' | 'too-long'

/** Longest line accepted: far above any real row. Longer lines are never held in memory. */
export const longestLineBytes = 1_000_000

const lineFeed = 10

/**
 * Splits bytes into lines, whatever the chunk boundaries: call `read` with each chunk in turn, then `end` for a last
 * line without a line feed. A line that is not UTF-8, or longer than `longest` bytes, is reported as a fault and
 * reading continues with the next one. A byte order mark at the start is dropped.
 */
export function lineReader(longest = longestLineBytes) {
  // ignoreBOM keeps byte order marks: inside a file they are ordinary characters, and only the first line drops its
  // own.
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  let number = 0
  let held: Uint8Array[] = []
  let heldBytes = 0

  function hold(bytes: Uint8Array): void {
    heldBytes += bytes.length
    // A line that is already too long is only counted. Bytes are copied because the caller may reuse its buffer; a
    // slice of a Node buffer would be a view of it.
    if (heldBytes > longest) held = []
    else if (bytes.length > 0) held.push(new Uint8Array(bytes))
  }

  function finish(last: Uint8Array): Line {
    number += 1
    if (heldBytes === 0 && last.length <= longest) return decode(last)
    hold(last)
    const isTooLong = heldBytes > longest
    const whole = isTooLong ? last : joined(held, heldBytes)
    held = []
    heldBytes = 0
    return isTooLong ? { line: number, fault: 'too-long', text: '' } : decode(whole)
  }

  function decode(bytes: Uint8Array): Line {
    const text = decoder.decode(bytes)
    if (text.includes(replacement) && !isWrittenAs(text, bytes)) {
      return { line: number, fault: 'encoding', text: legacyText(bytes) }
    }
    return { line: number, text: number === 1 && text.startsWith('\ufeff') ? text.slice(1) : text }
  }

  return {
    *read(chunk: Uint8Array): Generator<Line, void, undefined> {
      let start = 0
      for (;;) {
        const end = chunk.indexOf(lineFeed, start)
        if (end < 0) break
        yield finish(chunk.subarray(start, end))
        start = end + 1
      }
      hold(chunk.subarray(start))
    },
    *end(): Generator<Line, void, undefined> {
      if (heldBytes > 0) yield finish(new Uint8Array())
    },
  }
}

/**
 * Character of each byte in Windows-1252, the most common encoding of files that are not UTF-8. For a short line this
 * table is faster than a decoder.
 */
export const legacyLetters = new TextDecoder('windows-1252').decode(
  Uint8Array.from({ length: 256 }, (_, byte) => byte),
)

function legacyText(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += legacyLetters[byte]
  return text
}

// Character that the decoder puts in place of invalid UTF-8, twenty times faster than throwing; a valid file may
// contain it too.
const replacement = '\ufffd'
const encoder = new TextEncoder()

function isWrittenAs(text: string, bytes: Uint8Array): boolean {
  const written = encoder.encode(text)
  return written.length === bytes.length && written.every((byte, at) => byte === bytes[at])
}

function joined(parts: readonly Uint8Array[], length: number): Uint8Array {
  const whole = new Uint8Array(length)
  let offset = 0
  for (const part of parts) {
    whole.set(part, offset)
    offset += part.length
  }
  return whole
}
