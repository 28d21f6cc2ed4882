import { expect, test } from 'vitest'
import { checkSheet } from './sheet-check.ts'

/** Streams the text in pieces as small as they may be. */
async function* pieces(text: string, size = 16_384) {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

const sheet = (rows: string, rest = '') =>
  `<?xml version="1.0"?><worksheet><sheetData>${rows}</sheetData>${rest}</worksheet>`
const many = '<c r="A1"><v>1</v></c>'.repeat(100_000)
const short = '<row r="1"><c/></row>'

test.each([
  ['rows without end', sheet(short.repeat(200_000))],
  ['rows of a prefixed name', sheet('<x:row><x:c/></x:row>'.repeat(100_000))],
  ['rows that hold nothing', sheet('<row r="1"/>'.repeat(100_000))],
  [
    'what stands after the last row',
    sheet('<row r="1"/>', '<hyperlink ref="A1" r:id="rId1"/>'.repeat(100_000)),
  ],
  ['comments that end, and hold what looks like rows', sheet(`${short}<!-- <row> -->`.repeat(10_000))],
  ['texts with every other mark in them', sheet(`<row><c t="a > b"><v><![CDATA[</row> <]]></v></c></row>`)],
])('a sheet may have %s', async (_, text) => {
  await checkSheet(pieces(text))
  await checkSheet(pieces(text.slice(0, 10_000), 1))
})

test.each([
  ['a comment', `<!--${many}`],
  ['a comment with rows in it', `<!--${short.repeat(100_000)}`],
  ['a text that is kept as it is', `<![CDATA[${many}`],
  ['an instruction', `<?x ${many}`],
  ['a tag', `<c ${'r '.repeat(1_000_000)}`],
  ['a value', `<c r="${many}`],
])('%s of a sheet has a limit', async (_, burden) => {
  await expect(checkSheet(pieces(sheet(short + burden)))).rejects.toThrow('mark')
})

test.each([
  ['plainly', `<row>${many}</row>`],
  ['of a prefixed name', `<x:row>${many}</x:row>`],
  ['of a name with a prefix of any length', `<${'x'.repeat(1_000)}:row>${many}`],
  ['behind a mark that only seems to hold it', `<!x "><row>${many}`],
  ['behind the end of another', `</c "><row>${many}`],
  ['with an end that is none', `<row></row x>${many}`],
  ['with its end in a comment', `<row><!-- </row> -->${many}`],
  ['with its end in a value', `<row><c r="</row>"/>${many}`],
  ['with one text', `<row><c><v>${'1'.repeat(2_000_000)}`],
])('a row of a sheet has at most one megabyte: %s', async (_, burden) => {
  await expect(checkSheet(pieces(sheet(short + burden)))).rejects.toThrow('row')
})
