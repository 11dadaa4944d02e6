#pragma once

#include "app/cli/report/report.h"
#include "widgets/workspace/shown_command.h"

#include <QString>

#include <vector>

namespace helio {

class TimePanel;
class TimePanels;
class ViewContext;

/// A dock of the window: its title, and the command that prints what it shows.
struct ShownTable {
    QString title;
    ShownCommand command;
};

/// Returns the request for a picture of a panel as shown, over the visible range, without the size. Requires: a timeline is shown.
RenderRequest shownPicture(ViewContext& context, const TimePanel& panel);

/// Returns the report about what a window shows: pictures of the open panels from top to bottom, the tables of `docks`, the bookmarks.
/// Without title, traces and command. Requires: a timeline is shown.
ReportRequest makeShownReport(ViewContext& context, const TimePanels& panels, const std::vector<ShownTable>& docks);

/// Returns the command that makes a report of the same sections and bookmarks.
ShownCommand reportCommand(const ReportRequest& request);

} // namespace helio
