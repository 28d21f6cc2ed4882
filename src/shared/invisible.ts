const invisible =
  /[\p{Default_Ignorable_Code_Point}\u0080-\u009f\u2800\ufdd0-\ufdef\ufff9-\ufffb\ufffe\uffff]/gu

/** A text without the characters that show nothing (U+200B, U+00AD, U+FEFF …): two that differ only by them look the same, and are. */
export function withoutInvisible(value: string): string {
  return value.replaceAll(invisible, '')
}
