#pragma once

#include <QClipboard>
#include <QString>

namespace helio {

/// The text as programs read it: digits without thin spaces between them, ordinary spaces before units, "-" as minus sign.
QString plainText(const QString& shown);

/// Puts the plain text on the clipboard. UI thread.
void copyText(const QString& shown, QClipboard::Mode mode = QClipboard::Clipboard);

} // namespace helio
