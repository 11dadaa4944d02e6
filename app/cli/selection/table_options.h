#pragma once

#include "app/cli/selection/format_options.h"
#include "app/cli/selection/selection_options.h"
#include "app/cli/selection/trace_options.h"

#include <functional>

namespace helio {

extern const char* const ViewHelp; ///< Help text of --view.

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
    /// Checks and converts the arguments. `readOwn` does this for the command's own options; it is called between the other groups, because
    /// the first error is reported.
    Status read(const std::function<Status()>& readOwn = {});
};

/// Options of commands that print the rows of a view.
struct RowTableOptions : TableOptions {
    using TableOptions::TableOptions;

    std::string view; ///< Id of the view; empty for all views, if the command allows that.
    std::string wanted; ///< Id of a requested interval kind, in addition to the view.
    /// True if printed items may have fields, which a filter can use; the command then checks the filter itself.
    bool mayHaveFields = false;
    bool needsCorrelatedRows = false; ///< True if the command needs rows that correlators make, in addition to `wanted`.

    void addTo(OptionList& options, const char* filterHelp, const char* viewHelp = ViewHelp);
    std::string missingTraceOrView() const;
};

} // namespace helio
