#pragma once

#include <QCoreApplication>
#include <QString>

#include <string>
#include <string_view>

namespace helio {

struct Timeline;

/// Returns a text from an analysis, translated to the user's language if there is a translation.
inline QString translateViewText(const std::string& text) { return QCoreApplication::translate("TrackView", text.c_str()); }

/// True if a panel without rows or curves stays visible and explains why it is empty. This is so if an analysis that is active makes the
/// view and describes what it needs; not for basic views, nor for views that are collapsed at first or whose rows are made on demand.
bool explainsEmptyPanel(const Timeline& timeline, std::string_view view);

} // namespace helio
