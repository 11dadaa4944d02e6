#pragma once

#include <QCoreApplication>
#include <QString>

#include <string>

namespace helio {

/// Returns a text that an analysis gives with its view, in the user's language if it has a translation.
inline QString translateViewText(const std::string& text) { return QCoreApplication::translate("TrackView", text.c_str()); }

} // namespace helio
