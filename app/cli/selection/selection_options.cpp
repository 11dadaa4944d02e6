#include "app/cli/selection/selection_options.h"

#include "app/cli/selection/option_reading.h"

namespace helio {

const char* const RowFilterHelp = "Only rows that match, by name, thread, tid, pid, cpu and host, as: name == \"worker\" && tid > 100";
const char* const IntervalFilterHelp = "Only intervals that match, as: state == \"preempted\" && duration > 1ms && tid == 12";
const char* const SampleFilterHelp =
    "Only samples that match, by time and by their thread, tid, pid and host, as: thread == \"worker\" && time < +1s";

namespace {

Status readTime(const std::string& option, const std::string& text, std::optional<TimeText>& time)
{
    if (text.empty())
        return Done{};
    const auto read = parseTime(text);
    if (!read)
        return makeUsageError(option, read.error().what);
    time = *read;
    return Done{};
}

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

void SelectionOptions::addTo(OptionList& options, const char* filterHelp)
{
    options.value("--begin", m_given.begin, "T", "From this time on: ns since the epoch, HH:MM:SS.nnnnnnnnn or +1.5s from the start");
    options.value("--end", m_given.end, "T", "Before this time");
    options.value("--row", row, "PATTERN", "Only rows whose id or label matches, as tid:12* or worker-?");
    options.value("--filter", m_given.filter, "EXPR", filterHelp);
    options.value("--process", process, "NAME", "Only threads of processes that held this name");
    options.value("--thread", thread, "TID", "Only this thread");
    options.value("--cpu", cpu, "N", "Only this CPU");
    options.value("--host", host, "NAME", "Only this host");
}

Status SelectionOptions::read()
{
    return runInOrder([&] { return readTime("--begin", m_given.begin, begin); }, [&] { return readTime("--end", m_given.end, end); },
                      [&] { return readFilter(m_given.filter, filter); });
}

} // namespace helio
