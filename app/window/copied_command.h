#pragma once

#include <QJsonObject>
#include <QString>
#include <QStringList>

namespace helio {

class TimePanel;
class ViewContext;

/// Subject of a command line: the view of a dock, or a time panel.
struct CommandSubject {
    QString view; ///< Id of a dock's view; empty if it is the panel.
    QJsonObject choices; ///< SavedChoices::save() of the view.
    const TimePanel* panel = nullptr;
    QString file; ///< Path that replaces the traces, as for lock statistics; empty if the view is of the traces.
};

/// The command that prints what a view shows: "heliograph stats TRACE --begin 12 --end 34". The traces are the paths. Empty if no command
/// prints it, as of bookmarks.
QString copiedCommand(const CommandSubject& subject, ViewContext& context, const QStringList& paths);

} // namespace helio
