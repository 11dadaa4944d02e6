#pragma once

#include "core/xml_analysis/file.h"

#include <QByteArray>

namespace helio::test {

/// Returns the problems of the text, one per line: "LINE:COLUMN: ELEMENT: what is wrong".
inline QByteArray problemsOf(const std::string& text)
{
    std::string all;
    for (const xml::Problem& it : xml::readFile(text).problems)
        all += textOf(it, "f").substr(2) + "\n";
    return QByteArray::fromStdString(all);
}
inline QByteArray problemsOf(const QByteArray& text) { return problemsOf(text.toStdString()); }

} // namespace helio::test
