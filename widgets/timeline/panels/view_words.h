#pragma once

#include <QCoreApplication>
#include <QString>

#include <string>

namespace helio {

/// Words that an analysis brings with its view, in the person's language where there is one.
inline QString viewWords(const std::string& text) { return QCoreApplication::translate("TrackView", text.c_str()); }

} // namespace helio
