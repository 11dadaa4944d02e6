#pragma once

#include <QClipboard>
#include <QString>

namespace helio {

/// Returns a shown text in a form that programs can parse: digits without thin spaces between them, ordinary spaces before units, "-" as
/// the minus sign.
QString plainText(const QString& shown);

/// Copies plainText(shown) to the clipboard.
/// Threads: UI thread.
void copyText(const QString& shown, QClipboard::Mode mode = QClipboard::Clipboard);

} // namespace helio
