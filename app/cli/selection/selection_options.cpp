#include "app/cli/selection/selection_options.h"

#include "app/cli/selection/option_list.h"

namespace helio {

const char* const RowFilterHelp = "Only matching rows, for example: name == \"worker\" && tid > 100";
const char* const IntervalFilterHelp = "Only matching intervals, for example: state == \"preempted\" && duration > 1ms";
const char* const SampleFilterHelp = "Only matching samples, for example: thread == \"worker\" && time < +1s";

namespace {

Status readFilter(const std::string& text, std::shared_ptr<const Expression>& filter)
{
    if (text.empty())
        return Done{};
    auto read = Expression::parse(text);
    if (!read)
        return makeUsageError("--filter", read.error().what);
    filter = std::move(*read);
    return Done{};
}

} // namespace

Status readTimeOption(const std::string& option, const std::string& text, std::optional<TimeText>& time)
{
    if (text.empty())
        return Done{};
    const auto read = parseTime(text);
    if (!read)
        return makeUsageError(option, read.error().what);
    time = *read;
    return Done{};
}

void SelectionOptions::addTo(OptionList& options, const char* filterHelp)
{
    OptionList selected = options.group("Selection");
    addTimes(selected);
    selected.value("--row", row, "PATTERN", "Only rows whose ID or label matches, for example tid:12* or worker-?");
    if (filterHelp)
        selected.value("--filter", m_given.filter, "EXPR", filterHelp);
    addPlaces(selected);
}

void SelectionOptions::addTimesAndPlacesTo(OptionList& options)
{
    OptionList selected = options.group("Selection");
    addTimes(selected);
    addPlaces(selected);
}

void SelectionOptions::addTimes(OptionList& selected)
{
    selected.value("--begin", m_given.begin, "T", "Start: ns since the epoch, HH:MM:SS.nnnnnnnnn, or +1.5s after the start");
    selected.value("--end", m_given.end, "T", "End, exclusive; same forms as --begin");
}

void SelectionOptions::addPlaces(OptionList& selected)
{
    selected.value("--process", process, "NAME", "Only threads of processes that ever had this name");
    selected.value("--thread", thread, "TID", "Only the thread with this TID");
    selected.value("--cpu", cpu, "N", "Only this CPU");
    selected.value("--host", host, "NAME", "Only this host");
}

Status SelectionOptions::read()
{
    return runInOrder([&] { return readTimeOption("--begin", m_given.begin, begin); },
                      [&] { return readTimeOption("--end", m_given.end, end); }, [&] { return readFilter(m_given.filter, filter); });
}

} // namespace helio
