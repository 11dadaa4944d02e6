#include "app/cli/selection/table_options.h"

#include "app/cli/selection/option_list.h"

namespace helio {

const char* const ViewHelp = "View ID, as listed by `heliograph views`";

void TableOptions::addTo(OptionList& options, const char* filterHelp)
{
    addTraces(options, traces);
    reading.addTo(options);
    selection.addTo(options, filterHelp);
}

Status TableOptions::read(const std::function<Status()>& readOwn)
{
    return runInOrder([&] { return format.check(); }, [&] { return reading.read(); }, [&] { return readOwn ? readOwn() : Done{}; },
                      [&] { return format.read(); }, [&] { return selection.read(); });
}

void RowTableOptions::addTo(OptionList& options, const char* filterHelp, const char* viewHelp)
{
    TableOptions::addTo(options, filterHelp);
    options.value("--view", view, "V", viewHelp);
}

std::string RowTableOptions::missingTraceOrView() const
{
    return traces.empty() ? missing() : view.empty() ? "--view is missing; heliograph views TRACE... lists them" : "";
}

} // namespace helio
