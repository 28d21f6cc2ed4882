/** Colours of the light theme (tokens.css), for what has no style sheet: mails, pictures and PDF files. */
export const palette = {
  paper: '#faf8f4',
  surface: '#ffffff',
  line: '#e3ded3',
  ink: '#0f1a2a',
  inkSoft: '#4d5868',
  river: '#0a5aa8',
  red: '#b3261e',
  green: '#17703c',
  chart1: '#0072b2',
}
