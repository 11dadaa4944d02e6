#pragma once

#include "app/cli/selection/option_list.h"
#include "core/base/result.h"
#include "core/query/filters/expression.h"
#include "core/query/filters/time_text.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace helio {

/// Options that select a part of an experiment: times, rows, threads, CPUs.
struct SelectionOptions {
    std::optional<TimeText> begin;
    std::optional<TimeText> end;
    std::string row; ///< Glob pattern of rows; empty for all rows.
    std::shared_ptr<const Expression> filter;
    std::string process;
    std::optional<std::int64_t> thread;
    std::optional<std::int64_t> cpu;
    std::string host;

    /// Adds the options. `filterHelp` is the help text of --filter; if nullptr, --filter is not added.
    void addTo(OptionList& options, const char* filterHelp);
    /// Adds the options except --row and --filter.
    void addTimesAndPlacesTo(OptionList& options);
    Status read();

private:
    void addTimes(OptionList& selected);
    void addPlaces(OptionList& selected);

    struct {
        std::string begin, end, filter;
    } m_given;
};

/// Reads the time of an option; keeps `time` if `text` is empty.
/// Errors: a usage error that names the option, if `text` is not a time.
Status readTimeOption(const std::string& option, const std::string& text, std::optional<TimeText>& time);

/// Help text of --filter for commands that filter whole rows.
extern const char* const RowFilterHelp;
extern const char* const IntervalFilterHelp;
extern const char* const SampleFilterHelp;

} // namespace helio
