#include "widgets/controls/copy_text.h"

#include <QGuiApplication>

namespace helio {

namespace {

constexpr QChar ThinSpace(0x2009);
constexpr QChar Minus(0x2212);

} // namespace

QString plainText(const QString& shown)
{
    QString plain;
    plain.reserve(shown.size());
    for (qsizetype i = 0; i < shown.size(); ++i) {
        const bool isBetweenDigits = i > 0 && shown[i - 1].isDigit() && i + 1 < shown.size() && shown[i + 1].isDigit();
        if (shown[i] == Minus)
            plain += u'-';
        else if (shown[i] != ThinSpace)
            plain += shown[i];
        else if (!isBetweenDigits)
            plain += u' ';
    }
    return plain;
}

void copyText(const QString& shown, QClipboard::Mode mode) { QGuiApplication::clipboard()->setText(plainText(shown), mode); }

} // namespace helio
