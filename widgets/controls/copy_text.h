#pragma once

#include <QClipboard>
#include <QString>

namespace helio {

/// Returns the text in a form that programs read: digits without thin spaces between them, ordinary spaces before units, "-" as the minus
/// sign.
QString plainText(const QString& shown);

/// Puts plainText(shown) on the clipboard.
/// Threads: UI thread.
void copyText(const QString& shown, QClipboard::Mode mode = QClipboard::Clipboard);

} // namespace helio
