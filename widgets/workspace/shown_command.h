#pragma once

#include "core/query/rows/rows.h"
#include "core/waits/path/path.h"

#include <QString>
#include <QStringList>

namespace helio {

class TimeWindow;

/// Command line that prints what a view shows, without the program and its traces.
struct ShownCommand {
    QStringList words; ///< Command and options: "stats", "--view", "cpus". Empty if no command prints what is shown.
    QString whyNot; ///< Sentence for the user if `words` is empty.
    QString file; ///< Input of the command in place of the traces; empty if the command reads the traces.

    static ShownCommand none(const QString& whyNot) { return {{}, whyNot, {}}; }
};

/// A view or panel whose content a command prints.
class CommandProvider {
public:
    virtual ~CommandProvider() = default;

    /// The command for what is shown now, not for what another range, row or moment would show. UI thread.
    virtual ShownCommand shownCommand() const = 0;
};

/// An option with its value; nothing if the value is empty.
QStringList optionWords(const char* name, const QString& value);

/// "--begin 12 --end 34"; an end of the range that is not inside the experiment has no option.
QStringList rangeOptions(const TimeWindow& time, TimeRange range);

/// "--host web-3" if the experiment has several hosts; else nothing.
QStringList hostOptions(const Timeline& timeline, std::uint32_t host);

/// Returns the options that select one thread: "--thread 12", or "--row" with the row's id if the TID is unknown or another thread of the
/// host has it too; and "--host" if the experiment has several hosts.
/// Cost: one rows() for the view of threads.
QStringList threadOptions(const Timeline& timeline, const Row& thread);

/// "critical-path" for a thread and its range, with these further options.
ShownCommand pathCommand(const Timeline& timeline, const TimeWindow& time, const PathRequest& path, const QStringList& options);

} // namespace helio
