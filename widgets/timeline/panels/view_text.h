#pragma once

#include <QCoreApplication>
#include <QString>

#include <string>
#include <string_view>

namespace helio {

struct Timeline;

/// Returns a text that an analysis gives with its view, in the user's language if it has a translation.
inline QString translateViewText(const std::string& text) { return QCoreApplication::translate("TrackView", text.c_str()); }

/// True if a panel without rows or curves stays visible and explains why it is empty. This is so if an analysis that is active makes the
/// view and describes what it needs; not for basic views, nor for views whose rows are made on demand.
bool explainsEmptyPanel(const Timeline& timeline, std::string_view view);

} // namespace helio
