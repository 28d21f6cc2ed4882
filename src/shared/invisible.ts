const invisible =
  /[\p{Default_Ignorable_Code_Point}\u0080-\u009f\u2800\ufdd0-\ufdef\ufff9-\ufffb\ufffe\uffff]/gu

/** Removes invisible characters (U+200B, U+00AD, U+FEFF …), so that texts that look the same are equal. */
export function withoutInvisible(value: string): string {
  return value.replaceAll(invisible, '')
}
