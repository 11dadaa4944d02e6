#pragma once

#include <QCoreApplication>
#include <QString>

#include <string>
#include <string_view>

namespace helio {

struct Row;
struct Timeline;

/// Returns a text from an analysis, translated to the user's language if there is a translation.
inline QString translateViewText(const std::string& text) { return QCoreApplication::translate("TrackView", text.c_str()); }

/// True if a panel without rows or curves stays visible and explains why it is empty. Requires an active analysis that makes the view and
/// has a text for this case (TrackView::nothing). False for views that are built-in, for views that show all attributes of an analysis, and
/// for views that begin collapsed. Built-in analyses without rows found nothing to show, for example no slices among the markers of ftrace.
bool explainsEmptyPanel(const Timeline& timeline, std::string_view view);

/// Returns the displayed name of a row: its label, except for threads and processes without a known name. Such a thread is called "Thread",
/// because its TID is displayed beside the name; such a process is called e.g. "Process 12".
QString shownName(const Row& row);

} // namespace helio
