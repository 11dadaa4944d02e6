#include "core/query/path/disk_waits.h"

#include "core/analysis/disk_requests.h"
#include "core/query/rows/composed.h"
#include "core/query/segments/segments.h"

#include <charconv>
#include <cstdio>
#include <map>

namespace helio {
namespace {

constexpr Duration SameInterrupt = std::chrono::milliseconds(1); ///< From a completion to who it wakes.

/// "disk=vda;sector=8": escapes are rare, and no number has any.
std::map<std::string, std::string, std::less<>> parsed(std::string_view fields)
{
    std::map<std::string, std::string, std::less<>> all;
    while (!fields.empty()) {
        const std::size_t end = std::min(fields.find(';'), fields.size());
        const std::string_view one = fields.substr(0, end);
        if (const std::size_t is = one.find('='); is != std::string_view::npos)
            all.emplace(one.substr(0, is), one.substr(is + 1));
        fields.remove_prefix(std::min(end + 1, fields.size()));
    }
    return all;
}

std::optional<std::int64_t> numberIn(const std::map<std::string, std::string, std::less<>>& fields, std::string_view name)
{
    const auto found = fields.find(name);
    std::int64_t number = 0;
    if (found == fields.end()
        || std::from_chars(found->second.data(), found->second.data() + found->second.size(), number).ec != std::errc())
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

/// How many of a disk's requests were completed in a range.
std::uint64_t completedIn(const Timeline& timeline, std::uint32_t trace, std::string_view disk, TimeRange range)
{
    std::uint64_t count = 0;
    eachSegment(timeline, DiskRequests, range, [&](const Segment& it) {
        if (traceOf(timeline, it.store) == trace && it.range.end > range.begin && it.range.end <= range.end) {
            const auto fields = parsed(fieldsOf(timeline, it));
            const auto of = fields.find("disk");
            count += of != fields.end() && of->second == disk;
        }
    });
    return count;
}

} // namespace

std::optional<DiskWait> diskWait(const Timeline& timeline, std::uint32_t trace, std::int32_t cpu, Timestamp since, Timestamp wokenAt)
{
    std::optional<Segment> last;
    const TimeRange near{std::max(since, wokenAt - SameInterrupt), wokenAt + Duration(1)};
    eachSegment(timeline, DiskRequests, near, [&](const Segment& it) {
        const bool isLater = !last || it.range.end > last->range.end;
        if (it.range.end >= near.begin && it.range.end <= wokenAt && isLater && traceOf(timeline, it.store) == trace
            && numberIn(parsed(fieldsOf(timeline, it)), "cpu") == cpu)
            last = it;
    });
    if (!last)
        return {};
    const auto fields = parsed(fieldsOf(timeline, *last));
    const auto textIn = [&](std::string_view name) { return fields.contains(name) ? fields.find(name)->second : std::string(); };
    DiskWait wait;
    wait.disk = textIn("disk");
    wait.request = std::string(nameOf(timeline, *last));
    if (const auto bytes = numberIn(fields, "bytes"); bytes && *bytes > 0)
        wait.request += " of " + sizeWords(*bytes);
    if (fields.contains("tid"))
        wait.request += " by " + (fields.contains("comm") ? textIn("comm") + " (" + textIn("tid") + ')' : "thread " + textIn("tid"));
    wait.tid = static_cast<std::int32_t>(numberIn(fields, "tid").value_or(-1));
    wait.issued = last->range.begin;
    wait.inserted = wait.issued;
    if (const auto queued = numberIn(fields, "queued_ns")) {
        wait.inserted = wait.issued - Duration(*queued);
        wait.ahead = completedIn(timeline, trace, wait.disk, {wait.inserted, wait.issued});
    }
    return wait;
}

} // namespace helio
