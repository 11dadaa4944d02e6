#pragma once

#include <QJsonObject>
#include <QString>
#include <QStringList>

namespace helio {

class TimePanel;
class ViewContext;

/// What a command line is asked for: the view of a dock, else a time panel.
struct CommandSubject {
    QString view; ///< Id of a dock's view; empty if it is the panel.
    QJsonObject choices; ///< Of the view: SavedChoices::save().
    const TimePanel* panel = nullptr;
    QString file; ///< Of a view of one file, beside the traces: the text of lock statistics.
};

/// The command that prints what a view shows: "heliograph stats TRACE --begin 12 --end 34". The traces are the paths. Empty if no command
/// prints it, as of bookmarks.
QString copiedCommand(const CommandSubject& subject, ViewContext& context, const QStringList& paths);

} // namespace helio
