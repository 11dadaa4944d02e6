#pragma once

#include "app/cli/selection/format_options.h"
#include "app/cli/selection/selection_options.h"
#include "app/cli/selection/trace_options.h"

#include <functional>

namespace helio {

extern const char* const ViewHelp;

/// Options of all commands that print contents of an experiment: traces, selection, output format.
struct TableOptions {
    explicit TableOptions(std::string command, FormatOptions::Names formats = FormatOptions::tables())
        : format(std::move(command), std::move(formats))
    {
    }

    std::vector<std::filesystem::path> traces;
    ReadingOptions reading;
    SelectionOptions selection;
    FormatOptions format;

    /// Adds all options except the format. The command calls format.addTo() after adding its own options.
    void addTo(OptionList& options, const char* filterHelp);
    std::string missing() const { return missingTrace(traces); }
    /// Checks and converts the arguments, and returns the first error. `readOwn` checks the options that only this command has; it is
    /// called after `reading` is checked and before `selection` is checked, so that errors are reported in this order.
    Status read(const std::function<Status()>& readOwn = {});
};

/// Options of commands that print the rows of a view.
struct RowTableOptions : TableOptions {
    using TableOptions::TableOptions;

    std::string view; ///< Id of the view; empty for all views, if the command allows that.
    /// Id of an interval kind that the command reads in addition to the rows of `view`, so that its analysis runs, too; empty if none.
    std::string neededIntervalKind;
    /// True if the printed intervals may have fields, which --filter can use; the command then checks the filter itself.
    bool mayHaveFields = false;
    /// True to run the correlators if `neededIntervalKind` is set, because the command reads their rows, too. If `neededIntervalKind` is
    /// empty, the correlators always run.
    bool needsCorrelatedRows = false;

    void addTo(OptionList& options, const char* filterHelp, const char* viewHelp = ViewHelp);
    std::string missingTraceOrView() const;
};

} // namespace helio
