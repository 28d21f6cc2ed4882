import { chartId, type MailContent, signature } from '#shared/mail.ts'
import { palette } from '#shared/palette.ts'

// Mail programs support neither style sheets nor variables: every colour is given as its value.
const { paper, surface, line, ink, inkSoft, river } = palette
const text = { margin: '0 0 16px', fontSize: '16px', lineHeight: '24px', whiteSpace: 'pre-line' } as const
const button = { padding: '12px 20px', fontSize: '16px', lineHeight: '20px' } as const
const small = { ...text, margin: '0 0 8px', fontSize: '14px', lineHeight: '20px', color: inkSoft } as const

/** Renders the content of a mail. */
export function MailView({
  subject,
  paragraphs,
  charts = [],
  action,
  notes = [],
  unsubscribeUrl,
}: MailContent) {
  return (
    <html lang="fr">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light" />
        <title>{subject}</title>
      </head>
      <body style={{ margin: 0, padding: 0, background: paper, color: ink, fontFamily: 'sans-serif' }}>
        {/* Tables, because Outlook lays out nothing else; the width is given twice, for phones and for Outlook. */}
        <table role="presentation" width="100%" cellPadding="0" cellSpacing="0" bgcolor={paper}>
          <tbody>
            <tr>
              <td align="center" style={{ padding: '24px 16px' }}>
                <table
                  role="presentation"
                  width="560"
                  cellPadding="0"
                  cellSpacing="0"
                  bgcolor={surface}
                  style={{
                    width: '100%',
                    maxWidth: '560px',
                    border: `1px solid ${line}`,
                    background: surface,
                  }}
                >
                  <tbody>
                    <tr>
                      <td align="left" style={{ padding: '24px', color: ink, fontFamily: 'sans-serif' }}>
                        <p style={{ margin: '0 0 24px', fontSize: '18px', fontWeight: 600, color: river }}>
                          Ntalo
                        </p>
                        <h1 style={{ margin: '0 0 16px', fontSize: '20px', lineHeight: '28px' }}>
                          {subject}
                        </h1>
                        {paragraphs.map((paragraph) => (
                          <p key={paragraph} style={text}>
                            {paragraph}
                          </p>
                        ))}
                        {charts.map(({ alt }, at) => (
                          <img
                            // biome-ignore lint/suspicious/noArrayIndexKey: its place is what names its picture.
                            key={at}
                            src={`cid:${chartId(at)}`}
                            alt={alt}
                            width="512"
                            style={{
                              display: 'block',
                              width: '100%',
                              maxWidth: '512px',
                              height: 'auto',
                              margin: '0 0 16px',
                            }}
                          />
                        ))}
                        {action && (
                          <>
                            <table
                              role="presentation"
                              cellPadding="0"
                              cellSpacing="0"
                              style={{ margin: '24px 0' }}
                            >
                              <tbody>
                                <tr>
                                  <td style={{ ...button, background: river, borderRadius: '6px' }}>
                                    <a href={action.url} style={{ color: '#ffffff', textDecoration: 'none' }}>
                                      {action.label}
                                    </a>
                                  </td>
                                </tr>
                              </tbody>
                            </table>
                            <p style={small}>
                              Si le bouton ne mène nulle part, copiez cette adresse dans votre
                              navigateur&nbsp;:
                            </p>
                            <p style={{ ...small, wordBreak: 'break-all' }}>{action.url}</p>
                          </>
                        )}
                        {notes.map((note) => (
                          <p key={note} style={small}>
                            {note}
                          </p>
                        ))}
                        {unsubscribeUrl && (
                          <p style={small}>
                            <a href={unsubscribeUrl} style={{ color: river }}>
                              Ne plus recevoir ces e-mails
                            </a>
                          </p>
                        )}
                      </td>
                    </tr>
                  </tbody>
                </table>
                <p style={{ ...small, margin: '16px 0 0' }}>{signature}</p>
              </td>
            </tr>
          </tbody>
        </table>
      </body>
    </html>
  )
}
