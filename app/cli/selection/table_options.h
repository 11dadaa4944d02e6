#pragma once

#include "app/cli/selection/format_options.h"
#include "app/cli/selection/selection_options.h"
#include "app/cli/selection/trace_options.h"

#include <functional>

namespace helio {

extern const char* const ViewHelp; ///< Of --view.

/// What the commands that print something of an experiment have in common: which traces, what of them, in which format.
struct TableOptions {
    explicit TableOptions(std::string command, FormatOptions::Names formats = FormatOptions::tables())
        : format(std::move(command), std::move(formats))
    {
    }

    std::vector<std::filesystem::path> traces;
    ReadingOptions reading;
    SelectionOptions selection;
    FormatOptions format;

    /// All but the format, which stands behind a command's own options: format.addTo().
    void addTo(OptionList& options, const char* filterHelp);
    std::string missing() const { return missingTrace(traces); }
    /// `readOwn` reads what is the command's own, at its place in the order of complaints.
    Status read(const std::function<Status()>& readOwn = {});
};

/// The same of commands that print the rows of a view.
struct RowTableOptions : TableOptions {
    using TableOptions::TableOptions;

    std::string view; ///< Empty: all views, where that is possible.
    std::string wanted; ///< The id of something that is asked for beside the view: a kind of segments.
    bool mayHaveFields = false; ///< What is printed may have fields that a filter may ask for: the command checks that itself.
    bool needsMadeRows = false; ///< Those that relations make are of use beside what is wanted.

    void addTo(OptionList& options, const char* filterHelp, const char* viewHelp = ViewHelp);
    std::string missingTraceOrView() const;
};

} // namespace helio
