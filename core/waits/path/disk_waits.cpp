#include "core/waits/path/disk_waits.h"

#include "core/event_model/segment_kinds.h"
#include "core/query/rows/timeline_access.h"
#include "core/query/segments/segments.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <utility>

namespace helio {
namespace {

/// Maximum time from the completion of a request to a wake-up by the same interrupt.
constexpr Duration SameInterrupt = std::chrono::milliseconds(1);

/// Returns the value of a field in a text such as "disk=vda;sector=8"; empty if there is no such field. Does not decode escapes, which are
/// rare and do not occur in numbers.
std::string_view fieldIn(std::string_view fields, std::string_view name)
{
    while (!fields.empty()) {
        const std::size_t end = std::min(fields.find(';'), fields.size());
        if (fields.starts_with(name) && fields.substr(name.size()).starts_with('='))
            return fields.substr(name.size() + 1, end - name.size() - 1);
        fields.remove_prefix(std::min(end + 1, fields.size()));
    }
    return {};
}

std::optional<std::int64_t> numberIn(std::string_view fields, std::string_view name)
{
    const std::string_view text = fieldIn(fields, name);
    std::int64_t number = 0;
    if (std::from_chars(text.data(), text.data() + text.size(), number).ec != std::errc())
        return {};
    return number;
}

std::string sizeWords(std::int64_t bytes)
{
    char text[32];
    if (bytes % 1024 != 0 || bytes == 0)
        std::snprintf(text, sizeof text, "%lld bytes", static_cast<long long>(bytes));
    else
        std::snprintf(text, sizeof text, "%lld KiB", static_cast<long long>(bytes / 1024));
    return text;
}

/// Returns a description of a request, for example "write of 64 KiB by jbd2/vda-8 (318)".
std::string requestWords(std::string_view name, std::string_view fields)
{
    std::string words(name);
    if (const auto bytes = numberIn(fields, "bytes"); bytes && *bytes > 0)
        words += " of " + sizeWords(*bytes);
    const std::string tid(fieldIn(fields, "tid"));
    const std::string comm(fieldIn(fields, "comm"));
    if (!tid.empty())
        words += " by " + (comm.empty() ? "thread " + tid : comm + " (" + tid + ')');
    return words;
}

/// Returns the activity of a thread that makes a request, for example "writing 64 KiB to vda".
std::string activityWords(std::string_view name, std::string_view fields)
{
    const std::string disk(fieldIn(fields, "disk"));
    const auto bytes = numberIn(fields, "bytes");
    const std::string size = bytes && *bytes > 0 ? sizeWords(*bytes) + ' ' : "";
    if (name == "read")
        return "reading " + size + "from " + disk;
    if (name == "write")
        return "writing " + size + "to " + disk;
    return name == "flush" ? "flushing " + disk : "waiting for " + disk;
}

} // namespace

const DiskWaitFinder::ParsedFields& DiskWaitFinder::known(std::string_view fields)
{
    const auto [it, isNew] = m_known.try_emplace(fields.data());
    if (isNew)
        it->second = {fieldIn(fields, "disk"), static_cast<std::int32_t>(numberIn(fields, "cpu").value_or(-1))};
    return it->second;
}

/// Returns the number of a disk's requests that were completed in a range.
std::uint64_t DiskWaitFinder::completedIn(std::uint32_t trace, std::string_view disk, TimeRange range)
{
    std::uint64_t count = 0;
    forEachSegment(m_timeline, DiskRequests, range, [&](const Segment& it) {
        if (traceOf(m_timeline, it.store) == trace && it.range.end > range.begin && it.range.end <= range.end)
            count += known(fieldsOf(m_timeline, it)).disk == disk;
    });
    return count;
}

std::vector<DiskWaitFinder::DriverActivity> DiskWaitFinder::findDriverActivity(std::uint32_t trace, std::string_view disk, TimeRange range)
{
    std::vector<DriverActivity> all;
    Timestamp known = range.begin;
    const auto add = [&](Timestamp end, DriverActivity activity) {
        activity.range = {known, end};
        if (known < end) {
            all.push_back(std::move(activity));
            known = end;
        }
    };
    // forEachSegment() returns the requests sorted by their start. Therefore the activity up to `known` is final, and a request adds only
    // its part after `known`.
    forEachSegment(m_timeline, DiskRequests, range, [&](const Segment& it) {
        const std::string_view fields = fieldsOf(m_timeline, it);
        if (traceOf(m_timeline, it.store) != trace || it.range.end <= known || known >= range.end || this->known(fields).disk != disk)
            return;
        add(std::min(it.range.begin, range.end), {});
        const std::string_view name = nameOf(m_timeline, it);
        add(std::min(it.range.end, range.end),
            {{}, requestWords(name, fields), activityWords(name, fields), static_cast<std::int32_t>(numberIn(fields, "tid").value_or(-1))});
    });
    add(range.end, {});
    return all;
}

std::optional<DiskWait> DiskWaitFinder::of(std::uint32_t trace, std::int32_t cpu, Timestamp since, Timestamp wokenAt)
{
    std::optional<Segment> last;
    const TimeRange near{std::max(since, wokenAt - SameInterrupt), wokenAt + Duration(1)};
    forEachSegment(m_timeline, DiskRequests, near, [&](const Segment& it) {
        const bool isLater = !last || it.range.end > last->range.end;
        if (it.range.end >= near.begin && it.range.end <= wokenAt && isLater && traceOf(m_timeline, it.store) == trace
            && known(fieldsOf(m_timeline, it)).cpu == cpu)
            last = it;
    });
    if (!last)
        return {};
    const std::string_view fields = fieldsOf(m_timeline, *last);
    DiskWait wait;
    wait.disk = known(fields).disk;
    wait.request = requestWords(nameOf(m_timeline, *last), fields);
    wait.activity = activityWords(nameOf(m_timeline, *last), fields);
    wait.tid = static_cast<std::int32_t>(numberIn(fields, "tid").value_or(-1));
    wait.issued = last->range.begin;
    wait.inserted = wait.issued;
    if (const auto queued = numberIn(fields, "queued_ns")) {
        wait.inserted = wait.issued - Duration(*queued);
        wait.ahead = completedIn(trace, wait.disk, {wait.inserted, wait.issued});
    }
    return wait;
}

} // namespace helio
