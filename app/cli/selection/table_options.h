#pragma once

#include "app/cli/selection/format_options.h"
#include "app/cli/selection/selection_options.h"
#include "app/cli/selection/trace_options.h"

#include <functional>

namespace helio {

extern const char* const ViewHelp; ///< Help text of --view.

/// Options that all commands share that print something of an experiment: traces, selection, output format.
struct TableOptions {
    explicit TableOptions(std::string command, FormatOptions::Names formats = FormatOptions::tables())
        : format(std::move(command), std::move(formats))
    {
    }

    std::vector<std::filesystem::path> traces;
    ReadingOptions reading;
    SelectionOptions selection;
    FormatOptions format;

    /// Adds all options except the format. The command adds format.addTo() after its own options.
    void addTo(OptionList& options, const char* filterHelp);
    std::string missing() const { return missingTrace(traces); }
    /// `readOwn` reads the command's own options; it runs at the right position in the order of error messages.
    Status read(const std::function<Status()>& readOwn = {});
};

/// Options of commands that print the rows of a view.
struct RowTableOptions : TableOptions {
    using TableOptions::TableOptions;

    std::string view; ///< Id of the view; empty: all views, if the command allows it.
    std::string wanted; ///< Id of something requested besides the view: an interval kind.
    bool mayHaveFields = false; ///< The printed items may have fields that a filter asks for; the command checks the filter itself.
    bool needsCorrelatedRows = false; ///< Rows that correlators make are needed besides `wanted`.

    void addTo(OptionList& options, const char* filterHelp, const char* viewHelp = ViewHelp);
    std::string missingTraceOrView() const;
};

} // namespace helio
